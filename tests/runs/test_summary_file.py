"""A summary is written piece by piece: the same bytes as in one piece, however many dialogues there are."""

import msgspec
import pytest

from turnmark.runs.folder import pretty_json
from turnmark.runs.summary_file import summary_pieces
from turnmark.schemas.results.summary import EvalSummary, MetricResult, as_builtin
from turnmark.stats.by_dialog import ByDialog, Shown
from turnmark.stats.dialog_table import DialogTable
from turnmark.stats.tally import NotApplicable, Ratio, Tally


def summary_of(*figures):
    metrics = {
        f"m{at}": MetricResult(
            metric_name='a "by_dialog": {} in a name\n      ', micro={}, macro={}, counts={}, by_dialog=each
        )
        for at, each in enumerate(figures)
    }
    return EvalSummary(run_id='"by_dialog": {}', trace_version="v1", dataset_path="d", metrics=metrics, counters={})


def dialogs(count):
    return {f'd{at}"\n\\': {"x": at / 3, "y": 0.0} if at % 2 else {} for at in range(count)}


@pytest.mark.parametrize("counts", [(), (0,), (1,), (1023, 1024, 1025), (0, 3000, 0)])
def test_pieces_are_the_bytes_of_the_whole(counts):
    summary = summary_of(*map(dialogs, counts))
    pieces = list(summary_pieces(summary))
    assert b"".join(pieces) == pretty_json(summary)
    assert max(map(len, pieces)) < 200_000


def test_figures_of_a_table_are_written_as_those_of_a_dict():
    tally = Tally([1, 2])
    for at in range(2500):
        dialog = tally.open(f"d{at}")
        tally.add(dialog, 0, [Ratio(at % 3, 3)] if at % 5 else NotApplicable("nothing asked"))
        tally.add(dialog, 1, [Ratio(1, 1), Ratio(0, at % 2)])
    table = DialogTable([1, 2])
    table.add(tally.dialogs.values())
    lazy = [
        ByDialog(table, 0, [Shown(0, "x", always=True)]),
        ByDialog(table, 1, [Shown(0, "x", always=True), Shown(1, "y", always=False)]),
        ByDialog(table, 1, []),
    ]
    assert list(map(len, lazy)) == [2000, 2500, 2500]
    assert dict(lazy[1])["d0"] == {"x": 1.0}
    assert dict(lazy[1])["d1"] == {"x": 1.0, "y": 0.0}
    assert lazy[2]["d7"] == {}
    with pytest.raises(KeyError):
        lazy[0]["d0"]
    summary, plain = summary_of(*lazy), summary_of(*map(dict, lazy))
    assert summary == plain
    assert b"".join(summary_pieces(summary)) == pretty_json(plain)
    assert msgspec.json.encode(summary, enc_hook=as_builtin) == msgspec.json.encode(plain)
