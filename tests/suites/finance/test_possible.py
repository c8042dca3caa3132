"""What is only possible is shown, and changes no row and no figure."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import msgspec
import pytest

from turnmark.detectors.finance.possible.choice import Scored, chosen_threshold, tally
from turnmark.detectors.finance.possible.features import BUCKETS, features
from turnmark.detectors.finance.possible.model import decode, encoded, shipped_model
from turnmark.errors import PackError, UsageError
from turnmark.pipeline.publishing.report import ReportOptions, write_report
from turnmark.pipeline.publishing.run_turns import worst_turns
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.schemas.evidence import Evidence, is_possible

REPLY = (
    "Over the last ten years the index fund charged 0.15% a year against 0.9% for the active one, and most of the "
    "active funds trailed it after fees. The central bank raised its rate from 2% to 3.5% in twelve months."
)
TURN = {
    "turn_pair_id": 1, "user_turn_abs_idx": 0, "gt_assistant_abs_idx": 1, "gt_assistant_text": "", "turn_status": "ok",
    "user_text": "Which of the two funds would you look at?", "pred_assistant_text": REPLY,
    "gt_turn_tags": {"explainability_rubric_gt": ["信息依据", "可执行步骤"]},
}  # fmt: skip


def _trace(folder: Path) -> Path:
    path = folder / "trace.jsonl"
    dialog = {
        "trace_version": "v1", "run_id": "r", "dialog_id": "d", "dataset_index": 0, "dialog_status": "ok",
        "valid_dialog": True, "language": "en", "turns": [TURN],
    }  # fmt: skip
    path.write_bytes(msgspec.json.encode(dialog) + b"\n")
    return path


def _model_file(folder: Path, threshold: float) -> Path:
    """A model that offers the classes of the shipped one in English from a threshold on."""
    model = shipped_model()
    classes = [msgspec.structs.replace(item, offered={"en": threshold}) for item in model.classes]
    path = folder / "model.json"
    path.write_bytes(encoded(msgspec.structs.replace(model, classes=classes)))
    return path


def _evidence(folder: Path) -> list[Evidence]:
    return [msgspec.json.decode(line, type=Evidence) for line in (folder / "evidence.jsonl").read_bytes().splitlines()]


def test_rows_and_summary_are_the_same_bytes_and_evidence_has_only_more(tmp_path: Path) -> None:
    trace = _trace(tmp_path)
    plain = score(ScoreRequest(traces=(trace,), out=tmp_path / "plain")).folder
    # Rules that assert nothing of an element leave it to the model, which offers all its classes here.
    shown = score(
        ScoreRequest(traces=(trace,), out=tmp_path / "shown", possible=str(_model_file(tmp_path, -99.0)))
    ).folder
    for name in ("turn_eval.jsonl", "metrics_summary.json"):
        assert (plain / name).read_bytes() == (shown / name).read_bytes()
    found = _evidence(shown)
    assert [piece for piece in found if not is_possible(piece)] == _evidence(plain)
    extra = [piece for piece in found if is_possible(piece)]
    asserted = {piece.label for piece in _evidence(plain)}
    for piece in extra:
        assert REPLY[piece.start : piece.end] == piece.quote
        assert piece.label not in asserted
    assert "可执行步骤" in {piece.label for piece in extra}


def test_a_page_shows_it_by_itself_and_only_when_it_is_there(tmp_path: Path) -> None:
    trace = _trace(tmp_path)
    folder = score(
        ScoreRequest(traces=(trace,), out=tmp_path / "run", possible=str(_model_file(tmp_path, -99.0)))
    ).folder
    piece = Evidence(
        run_id="r", dialog_id="d", turn_pair_id=1, metric="m5_explainability", rule="possible.ngrams@1",
        label="边界声明", polarity="possible", quote=REPLY[:20], start=0, end=20,
    )  # fmt: skip
    kept = [item for item in _evidence(folder) if not is_possible(item)]
    for pieces, there in ((kept, False), ([*kept, piece], True)):
        (folder / "evidence.jsonl").write_bytes(b"".join(msgspec.json.encode(item) + b"\n" for item in pieces))
        views = worst_turns(folder)
        assert [bool(view.possible) for view in views] == [there]
        assert not any(is_possible(item) for view in views for item in view.evidence)
        _, page = write_report(folder, views, ReportOptions())
        assert ("Possible, please look" in page.read_text(encoding="utf-8")) == there


def test_other_suites_and_the_literal_set_have_none(tmp_path: Path) -> None:
    trace = _trace(tmp_path)
    with pytest.raises(UsageError, match="literal"):
        score(ScoreRequest(traces=(trace,), out=tmp_path / "a", detect="literal", possible="shipped"))
    with pytest.raises(UsageError, match="rag"):
        score(ScoreRequest(traces=(trace,), out=tmp_path / "b", suite="rag", possible="shipped"))


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(PackError, match=r"own\.json"):
        decode(b"{}", "own.json")
    cut = msgspec.structs.replace(shipped_model(), weights=b"\0")
    with pytest.raises(PackError, match=r"\$\.weights"):
        decode(encoded(cut), "own.json")


def test_the_shipped_model_offers_no_class_that_failed_on_authors_apart() -> None:
    offered = {(item.judgement, language) for item in shipped_model().classes for language in item.offered}
    assert offered == {("rubric", "ko"), ("rubric", "en")}
    raw = (resources.files("turnmark") / "packs" / "finance" / "possible.json").read_bytes()
    assert len(raw) < 1_000_000
    assert encoded(decode(raw, "shipped")) == raw


def test_thresholds_by_hand() -> None:
    found = [
        Scored(score, gold) for score, gold in ((5, True), (4, False), (3, True), (2, True), (1, False), (0, False))
    ]
    # From 0 on 3 of 6 are right: .5, the lowest score at which half is.
    assert chosen_threshold(found) == 0
    assert chosen_threshold([*found, Scored(-1, gold=False)]) == 0
    assert chosen_threshold(found[:3]) is None
    assert chosen_threshold([Scored(score, gold=False) for score in range(9)]) is None
    assert tally(found, 2) == (4, 3)
    assert tally(found, None) == (0, 0)


def test_features_are_buckets_in_order_and_do_not_hang_on_values() -> None:
    found = features("it fell 12% in 2022")
    assert found == sorted(set(found))
    assert all(0 <= bucket < BUCKETS for bucket in found)
    assert features("it fell 9% in 1999") == found
    assert features("") == []
