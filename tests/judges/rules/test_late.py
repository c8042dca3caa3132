"""The judge that is made for the first text says what the judge itself says."""

import subprocess
import sys

from turnmark.judges.protocol import Passage
from turnmark.judges.rules.judge import RulesJudge
from turnmark.judges.rules.late import LateRulesJudge
from turnmark.schemas.judging.judgement import Query

UNASKED = "import sys; from turnmark.suites.clinical import suite; print('turnmark.judges.rules.judge' in sys.modules)"


def test_the_judge_made_late_answers_as_the_judge() -> None:
    late, judge = LateRulesJudge(), RulesJudge()
    passages = [Passage("The fee is 5 euros. It is due in May.", "answer")]
    claims = judge.claims(passages)
    material = ("The fee is 5 euros and due in June.",)
    queries = [Query(relation="entailment", claims=tuple(claims[0]), material=material, sources=("context",))]
    assert late.signature() == judge.signature()
    assert late.claims(passages) == claims
    assert late.verdicts(queries) == judge.verdicts(queries)


def test_the_clinical_suite_loads_no_judge_before_there_are_contexts() -> None:
    asked = subprocess.run([sys.executable, "-c", UNASKED], capture_output=True, text=True, check=True)
    assert asked.stdout.strip() == "False"
