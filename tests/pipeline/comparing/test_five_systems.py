"""The four recorded runs and the demo agent in one table; runs that share no turn form groups."""

import json
import re

import pytest

from building import dialog, turn, write_lines
from turnmark.pipeline.comparing.compare import compare
from turnmark.pipeline.comparing.request import CompareRequest
from turnmark.pipeline.playing.request import ReplayRequest
from turnmark.pipeline.playing.run import run
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest

DRAWS = 500


@pytest.fixture(scope="module")
def five(memfin, tmp_path_factory):
    """Folders of the recorded runs, by time, and of the demo agent over the larger of the two data sets."""
    folder = tmp_path_factory.mktemp("five")
    recorded = sorted(path for path in memfin.iterdir() if path.is_dir())
    for path in recorded:
        score(ScoreRequest((path / "dialog_trace.jsonl",), folder / path.name, detect="literal"))
    run(
        ReplayRequest(memfin / "MemFinConv_24.jsonl", agent="demo", out=folder / "demo"),
        ScoreRequest(traces=(), detect="literal"),
    )
    return [*(folder / path.name for path in recorded), folder / "demo"]


def test_five_systems_stand_in_one_table(five):
    found = compare(CompareRequest(tuple(five), draws=DRAWS))
    names = [path.name for path in five]
    assert found.systems == names
    assert all(len(row.cells) == 5 for row in found.table)
    assert len(found.table) == 28
    # Two runs played one data set, two runs and the demo agent the other.
    assert [group.systems for group in found.groups] == [names[:2], names[2:]]
    assert [(group.turns, group.dialogs) for group in found.groups] == [(37, 2), (316, 24)]
    assert found.paired_turns == 0
    assert [own[place] for place, own in enumerate(found.shared_turns)] == [37, 37, 316, 316, 316]
    assert found.shared_turns[0][2] == 0
    for row in found.table:
        for places in ((0, 1), (2, 3, 4)):
            known = [row.cells[place] for place in places if row.cells[place].value is not None]
            assert not known or any(cell.best for cell in known)
            best = [cell.value for cell in known if cell.best]
            ends = (max if row.upward else min)([cell.value for cell in known], default=None)
            assert all(value == ends for value in best)
            assert not any(cell.best and cell.close for cell in known)
    echo = next(row for row in found.table if row.measure == "rubric_hit_rate").cells[3]
    assert (echo.best, echo.close, echo.rows) == (False, False, 316)


def test_each_is_compared_with_the_first_of_its_group_and_what_does_not_pair_is_counted(five):
    found = compare(CompareRequest(tuple(five), draws=DRAWS))
    names = [path.name for path in five]
    assert [(pair.first, pair.second) for pair in found.pairs] == [
        (names[0], names[1]), (names[0], names[2]), (names[2], names[3]), (names[2], names[4]),
    ]  # fmt: skip
    apart = found.pairs[1]
    assert apart.measures == []
    assert (apart.unpaired.only_first, apart.unpaired.only_second) == (37, 316)
    assert apart.unpaired.examples[0].startswith(f"{names[0]}: ")


def test_the_command_shows_the_table_and_its_groups(five, cli, tmp_path):
    ran = cli("compare", *five, "--draws", "50", "--lang", "en", "--out", tmp_path / "out")
    assert ran.code == 0
    assert "All systems, each on the turns of its group" in ran.out
    assert re.search(r"on the 316 turns \(24 dialogues\) that they share", ran.out)
    page = (tmp_path / "out" / "comparison.html").read_text("utf-8")
    assert "on the 37 turns (2 dialogues) that they share" in page
    assert json.loads((tmp_path / "out" / "comparison.json").read_bytes())["groups"][1]["turns"] == 316


@pytest.fixture(scope="module")
def scattered(tmp_path_factory):
    """Four runs of twelve dialogues: `a` and `b` the same ones, `c` others, `d` half of those of `a`."""
    folder = tmp_path_factory.mktemp("scattered")
    ids = {"a": range(12), "b": range(12), "c": range(100, 112), "d": range(6)}
    for name, numbers in ids.items():
        reply = "保本保收益，稳赚不赔。" if name == "b" else "可以考虑分散配置，定期检查。"
        write_lines(
            folder / f"{name}.jsonl",
            *[
                dialog(f"d{number:03d}", [turn(1, reply)], blueprint={"forbidden_list": ["稳赚不赔"]})
                for number in numbers
            ],
        )
        score(ScoreRequest((folder / f"{name}.jsonl",), folder / name))
    return folder


def test_a_run_that_shares_nothing_stands_alone_with_its_own_figures(scattered, cli):
    found = compare(CompareRequest(tuple(scattered / name for name in "abcd"), draws=DRAWS))
    assert [(group.systems, group.turns, group.dialogs) for group in found.groups] == [
        (["a", "b", "d"], 6, 6), (["c"], 12, 12),
    ]  # fmt: skip
    row = next(row for row in found.table if row.measure == "forbidden_hit_rate")
    assert [cell.value for cell in row.cells] == [0.0, 1.0, 0.0, 0.0]
    assert [cell.best for cell in row.cells] == [True, False, False, True]
    assert [cell.rows for cell in row.cells] == [6, 6, 12, 6]
    assert (
        "c: shares no turn with the others; figures on its own 12 turns (12 dialogues)."
        in cli(
            "compare", *(scattered / name for name in "abcd"), "--draws", 20, "--lang", "en", "--format", "markdown"
        ).out
    )


def test_the_order_of_runs_moves_columns_only(scattered):
    one, other = (
        compare(CompareRequest(tuple(scattered / name for name in order), draws=DRAWS)) for order in ("abd", "dba")
    )
    for row, mirrored in zip(one.table, other.table, strict=True):
        assert row.cells == mirrored.cells[::-1]
