"""Runs as Weights & Biases keeps them offline, read back by its own messages (wandb 0.31) where it is installed."""

import json
import struct
import sys

import pytest

from turnmark.errors import MissingExtraError
from turnmark.pipeline.publishing.tracking import figures, parameters
from turnmark.pipeline.publishing.writers.protocol import Run
from turnmark.pipeline.publishing.writers.registry import write_run
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest


@pytest.fixture(scope="module")
def scored(examples, tmp_path_factory):
    folder = tmp_path_factory.mktemp("scored") / "run"
    score(ScoreRequest((examples / "hasty" / "dialog_trace.jsonl",), out=folder))
    return folder


def test_without_the_extra_the_install_line_is_named_and_no_folder_is_left(scored, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(MissingExtraError, match=r"turnmark\[wandb\]"):
        write_run(scored, "wandb", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


BLOCK, HEAD = 1 << 15, struct.Struct("<IHB")
FULL, FIRST, MIDDLE, LAST = 1, 2, 3, 4


def records(path):
    """What an offline run holds: messages of wandb in a log as LevelDB writes one, behind seven bytes of its own."""
    from wandb.proto import wandb_internal_pb2

    data, at, parts = path.read_bytes(), 7, []
    assert data[:4] == b":W&B"
    while at + HEAD.size <= len(data):
        if BLOCK - at % BLOCK < HEAD.size:
            at += BLOCK - at % BLOCK
            continue
        _, length, kind = HEAD.unpack_from(data, at)
        at += HEAD.size + length
        parts = [*([] if kind in {FULL, FIRST} else parts), data[at - length : at]]
        if kind in {FULL, LAST}:
            yield wandb_internal_pb2.Record.FromString(b"".join(parts))


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_an_offline_run_holds_figures_and_parameters_and_nothing_of_the_machine(scored, tmp_path):
    pytest.importorskip("wandb", reason="the extra wandb is not installed")
    files = write_run(scored, "wandb", tmp_path / "out")
    (stored,) = [path for path in files if path.suffix == ".wandb"]
    found = list(records(stored))
    (run,) = [record.run for record in found if record.WhichOneof("record_type") == "run"]
    assert run.display_name == Run(scored).summary.run_id
    config = {item.key: json.loads(item.value_json) for item in run.config.update if item.key != "_wandb"}
    assert config == dict(parameters(Run(scored).summary))
    logged = {
        item.key or "/".join(item.nested_key): json.loads(item.value_json)
        for record in found if record.WhichOneof("record_type") == "history" for item in record.history.item
    }  # fmt: skip
    assert {name: value for name, value in logged.items() if not name.startswith("_")} == dict(figures(Run(scored)))
    assert run.host == "-"
    assert str(tmp_path).encode() not in stored.read_bytes()
    assert {path.suffix for path in files} <= {".wandb", ".yaml", ".json"}
    again = write_run(scored, "wandb", tmp_path / "again")
    assert [path.name for path in again if path.suffix == ".wandb"] == [stored.name]
