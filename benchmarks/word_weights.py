"""Counts how common words are, for the weights that the judge `rules` gives them.

    python benchmarks/word_weights.py FOLDER

FOLDER holds labelled sets as JSON Lines; only sets whose licence permits it are counted, and only counts leave them:
`packs/rag/word_weights.json` holds the logarithm of the inverse share of sentences with a word, for the common ones.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from pathlib import Path

from turnmark.judges.rules.reading import Reading
from turnmark.judges.rules.words import LIGHT, UNSEEN

OUT = Path(__file__).parents[1] / "src" / "turnmark" / "packs" / "rag" / "word_weights.json"
SETS = (
    "expertqa_claims_en",
    "q2_wow_en",
    "summedits_dev_en",
    "wice_dev_en",
    "citecheck_dev_zh",
    "factcheckbench_stance_en",
    "evouna_nq_en",
    "klue_nli_a_ko",
    "kornli_dev_ko",
    "xquad_relevance_zh",
    "uhgeval_clause_zh",
    "epqa_dev_en",
    "korsts_test_ko",
)
TEXTS = ("premise", "hypothesis", "answer", "question", "text1", "text2")
FEWEST = 8


def main() -> None:
    folder = Path(sys.argv[1])
    sentences: Counter[str] = Counter()
    counts: dict[str, Counter[str]] = {}
    seen: set[str] = set()
    for name in SETS:
        language = name[-2:]
        found = counts.setdefault(language, Counter())
        for line in (folder / f"{name}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            for text in (*(row.get("contexts") or ()), *(row.get(field) for field in TEXTS)):
                if not text or text in seen:
                    continue
                seen.add(text)
                for sentence in Reading(text).sentences:
                    sentences[language] += 1
                    found.update(sentence.unit_set)
    weights: dict[str, float] = {}
    for language, found in counts.items():
        for word, count in sorted(found.items(), key=lambda each: (-each[1], each[0])):
            weight = math.log((sentences[language] + 1) / (count + 0.5))
            if count >= FEWEST and weight < UNSEEN / 10:
                weights.setdefault(word, round(max(LIGHT / 10, weight), 1))
    OUT.write_text(json.dumps({"weights": dict(sorted(weights.items()))}, ensure_ascii=False, separators=(",", ":")))
    print(f"{len(weights)} words")


if __name__ == "__main__":
    main()
