"""Time grows with the length of a text, not with its square, whatever the text and whichever field it stands in.

Growth is counted in calls that the interpreter makes, which a busy machine does not change. What expressions do inside
one call is not counted: texts of a megabyte are compared with texts of a tenth (`make verify`).
"""

import itertools

import pytest
from growing import FIELDS, UNITS, text

from growth import calls_of, processor_growth
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest

SHORT, LONG = 1000, 3000
STEEPEST = 1.35
"""How much more than in proportion the calls may grow from the short text to the long one; with the square it is 3."""

FEWEST = 4000
"""Fewer calls than these, for a long text, are those of reading it at all."""

QUICK = ("zh ban", "zh but", "zh denied", "doses", "ko amounts", "sic")
MEGABYTE = ("zh ban", "en ban", "zh but", "zh denied", "Han", "doses", "ko amounts", "zh questions", "en and", "a")
TEN_TIMES_STEEPEST = 20
"""How many times the time of a text a text of ten times its length may take; with the square it is 100."""


def scored(place, kind, length, folder):
    (folder / "in.jsonl").write_text(FIELDS[place](text(kind, length)) + "\n", "utf-8")
    score(ScoreRequest((folder / "in.jsonl",), folder / "out", suite=place[0]))


def steepness(place, kind, folder):
    scored(place, kind, 30, folder)  # what is made once is made
    least, short, long = (calls_of(lambda n=length: scored(place, kind, n, folder)) for length in (30, SHORT, LONG))
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
    folders = (tmp_path / str(number) for number in itertools.count())

    def scored_bytes(length):
        long = text(kind, length).encode()[:length].decode("utf-8", "ignore")
        (tmp_path / "in.jsonl").write_text(FIELDS[place](long) + "\n", "utf-8")
        score(ScoreRequest((tmp_path / "in.jsonl",), next(folders), suite=place[0]))

    assert processor_growth(scored_bytes, 100_000, 1_000_000, TEN_TIMES_STEEPEST) < TEN_TIMES_STEEPEST
