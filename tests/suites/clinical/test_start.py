"""What clinical answers are asked for is known before the first text: the automaton of all is built once."""

import subprocess
import sys

_BUILT = """
import ahocorasick_rs
from turnmark.language.match import shared_automaton

class Counted:
    made = []
    def AhoCorasick(self, words, **options):
        self.made.append(len(words))
        return ahocorasick_rs.AhoCorasick(words, **options)

shared_automaton.ahocorasick_rs = Counted()
from pathlib import Path
import turnmark
from turnmark.detectors.clinical.read.shared_scan import answer_words
from turnmark.pipeline.scoring.run_naming import Source
from turnmark.pipeline.scoring.worker import ScoreRequest, Worker

path = Path(turnmark.__file__).parent / "examples" / "clinical" / "agent" / "events.jsonl"
request = ScoreRequest((path,), suite="clinical")
suite = request.make_suite()
Worker(request, suite).score(list(Source(path, suite))[:1])
print(Counted.made.count(max(Counted.made)), sum(size > 1000 for size in Counted.made))
"""


def test_the_words_of_answers_are_made_ready_in_one_go() -> None:
    done = subprocess.run([sys.executable, "-c", _BUILT], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "1"]
