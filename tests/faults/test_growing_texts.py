"""Time grows with the length of a text, not with its square, whatever the text and whichever field it stands in.

Growth is counted in calls that the interpreter makes, which a busy machine does not change. What expressions do inside
one call is not counted: texts of a megabyte are scored against the clock (`make verify`).
"""

import sys
import time

import pytest
from growing import FIELDS, UNITS, text

from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest

SHORT, LONG = 1000, 3000
STEEPEST = 1.35
"""How much more than in proportion the calls may grow from the short text to the long one; with the square it is 3."""

FEWEST = 4000
"""Fewer calls than these, for a long text, are those of reading it at all."""

QUICK = ("zh ban", "zh but", "zh denied", "doses", "ko amounts", "sic")
MEGABYTE = ("zh ban", "en ban", "zh but", "zh denied", "Han", "doses", "ko amounts", "zh questions", "en and", "a")
LONGEST_SECONDS = 20


def scored(place, kind, length, folder):
    (folder / "in.jsonl").write_text(FIELDS[place](text(kind, length)) + "\n", "utf-8")
    score(ScoreRequest((folder / "in.jsonl",), folder / "out", suite=place[0]))


def calls(place, kind, length, folder):
    count = 0

    def counted(_frame, _event, _argument):
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        scored(place, kind, length, folder)
    finally:
        sys.setprofile(before)
    return count


def steepness(place, kind, folder):
    scored(place, kind, 30, folder)  # what is made once is made
    least, short, long = (calls(place, kind, length, folder) for length in (30, SHORT, LONG))
    if long - least < FEWEST:
        return 0.0
    return (long - least) / max(short - least, FEWEST) / (LONG / SHORT)


@pytest.mark.parametrize("kind", QUICK)
@pytest.mark.parametrize("place", [("finance", "reply"), ("clinical", "question"), ("rag", "answer")], ids=" ".join)
def test_growth_is_in_proportion(place, kind, tmp_path):
    assert steepness(place, kind, tmp_path) < STEEPEST


@pytest.mark.slow
@pytest.mark.parametrize("place", FIELDS, ids=" ".join)
def test_growth_is_in_proportion_for_every_text(place, tmp_path):
    found = {kind: steepness(place, kind, tmp_path) for kind in UNITS}
    assert {kind: round(each, 2) for kind, each in found.items() if each >= STEEPEST} == {}


@pytest.mark.slow
@pytest.mark.parametrize("kind", MEGABYTE)
@pytest.mark.parametrize(
    "place", [("finance", "reply"), ("clinical", "answer"), ("clinical", "question"), ("rag", "answer")], ids=" ".join
)
def test_a_megabyte_takes_seconds(place, kind, tmp_path):
    long = text(kind, 1_000_000)
    long = long.encode()[:1_000_000].decode("utf-8", "ignore")
    (tmp_path / "in.jsonl").write_text(FIELDS[place](long) + "\n", "utf-8")
    before = time.process_time()
    score(ScoreRequest((tmp_path / "in.jsonl",), tmp_path / "out", suite=place[0]))
    assert time.process_time() - before < LONGEST_SECONDS
