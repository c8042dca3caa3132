"""What is only possible is shown, and changes no row and no figure."""

from __future__ import annotations

import math
from importlib import resources
from pathlib import Path

import msgspec
import pytest

from serving import Served
from turnmark.detectors.finance.possible.choice import Scored, Tally, chosen_threshold, tally
from turnmark.detectors.finance.possible.model import decode, encoded, measured_as, shipped_model
from turnmark.detectors.finance.possible.near import FEATURES, NearRules
from turnmark.errors import PackError, UsageError
from turnmark.language.analysis import Analysis
from turnmark.language.match.patterns import steps_of
from turnmark.locale.texts import LANGUAGES, texts_of
from turnmark.packs.rules import Rule, RulePack
from turnmark.pipeline.publishing.overrides import read_overrides
from turnmark.pipeline.publishing.report import ReportOptions, write_report
from turnmark.pipeline.publishing.run_turns import worst_turns
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.schemas.evidence import Evidence, is_possible
from turnmark.viewer.app import ViewerSettings, make_app

REPLY = (
    "Over the last ten years the index fund charged 0.15% a year against 0.9% for the active one, and most of the "
    "active funds trailed it after fees. The central bank raised its rate from 2% to 3.5% in twelve months."
)
TURN = {
    "turn_pair_id": 1, "user_turn_abs_idx": 0, "gt_assistant_abs_idx": 1, "gt_assistant_text": "", "turn_status": "ok",
    "user_text": "Which of the two funds would you look at?", "pred_assistant_text": REPLY,
    "gt_turn_tags": {"explainability_rubric_gt": ["信息依据", "可执行步骤"]},
}  # fmt: skip


def _trace(folder: Path, reply: str = REPLY) -> Path:
    path = folder / "trace.jsonl"
    dialog = {
        "trace_version": "v1", "run_id": "r", "dialog_id": "d", "dataset_index": 0, "dialog_status": "ok",
        "valid_dialog": True, "language": "en", "turns": [{**TURN, "pred_assistant_text": reply}],
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


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_a_page_shows_it_by_itself_and_only_when_it_is_there(tmp_path: Path, language: str) -> None:
    folder = score(
        ScoreRequest(traces=(_trace(tmp_path),), out=tmp_path / "run", possible=str(_model_file(tmp_path, -99.0)))
    ).folder
    summary = (folder / "metrics_summary.json").read_bytes()
    everything = _evidence(folder)
    texts = texts_of(language)
    for pieces, there in (([item for item in everything if not is_possible(item)], False), (everything, True)):
        (folder / "evidence.jsonl").write_bytes(b"".join(msgspec.json.encode(item) + b"\n" for item in pieces))
        views = worst_turns(folder)
        assert [bool(view.possible) for view in views] == [there]
        assert not any(is_possible(item) for view in views for item in view.evidence)
        _, page = write_report(folder, views, ReportOptions(language=language))
        shown = page.read_text(encoding="utf-8")
        assert [texts[name] in shown for name in ("possible", "possible_note", "limit_possible")] == [there] * 3
    assert (folder / "metrics_summary.json").read_bytes() == summary


def test_what_is_hidden_on_a_page_is_hidden_in_what_is_possible(tmp_path: Path) -> None:
    reply = REPLY + " Do ring me at 212-555-0187 and sell half of the fund."
    folder = score(
        ScoreRequest(
            traces=(_trace(tmp_path, reply),), out=tmp_path / "run", possible=str(_model_file(tmp_path, -99.0))
        )
    ).folder
    views = worst_turns(folder)
    assert any("212-555-0187" in piece.quote for view in views for piece in view.possible)
    _, page = write_report(folder, views, ReportOptions(mask=True))
    assert "212-555-0187" not in page.read_text(encoding="utf-8")


def test_the_viewer_shows_it_and_takes_what_reviewers_say_of_it(tmp_path: Path) -> None:
    folder = score(
        ScoreRequest(traces=(_trace(tmp_path),), out=tmp_path / "runs/run", possible=str(_model_file(tmp_path, -99.0)))
    ).folder
    rows = (folder / "turn_eval.jsonl").read_bytes()
    (view,) = worst_turns(folder)
    piece = view.possible[0]
    served = Served(make_app(ViewerSettings(tmp_path / "runs", tmp_path / "labels")))
    try:
        for language in sorted(LANGUAGES):
            assert texts_of(language)["possible"] in served.get(f"/dialog?run=run&dialog=d&lang={language}")[1]
        said = {
            "run": "run", "reviewer": "Lee", "dialog_id": "d", "turn_pair_id": 1, "metric": piece.metric,
            "label": piece.label, "marked": True, "reason": "It is there.", "date": "2026-03-04",
        }  # fmt: skip
        assert served.post("/override", said)[0] == 200
    finally:
        served.stop()
    (told,) = read_overrides(folder).views
    assert (told.override.label, told.override.marked, told.raw) == (piece.label, True, False)
    assert (folder / "turn_eval.jsonl").read_bytes() == rows


def test_other_suites_and_the_literal_set_have_none(tmp_path: Path) -> None:
    trace = _trace(tmp_path)
    with pytest.raises(UsageError, match="literal"):
        score(ScoreRequest(traces=(trace,), out=tmp_path / "a", detect="literal", possible="shipped"))
    with pytest.raises(UsageError, match="rag"):
        score(ScoreRequest(traces=(trace,), out=tmp_path / "b", suite="rag", possible="shipped"))


def test_a_file_that_is_no_model_is_named() -> None:
    with pytest.raises(PackError, match=r"own\.json"):
        decode(b"{}", "own.json")
    model = shipped_model()
    short = msgspec.structs.replace(model, weights={**model.weights, "rubric": {"near": 1.0}})
    with pytest.raises(PackError, match=r"\$\.weights\.rubric"):
        decode(encoded(short), "own.json")
    strange = msgspec.structs.replace(model, classes=[msgspec.structs.replace(model.classes[0], judgement="memory")])
    with pytest.raises(PackError, match="memory"):
        decode(encoded(strange), "own.json")


def test_the_shipped_model_offers_no_class_that_failed_on_authors_apart() -> None:
    model = shipped_model()
    offered = {measured_as(item, language) for item in model.classes for language in item.offered}
    assert offered == set(model.measured) == {
        "risk_disclosed/volatility_risk/zh", "rubric/信息依据/zh", "rubric/与画像匹配/zh", "rubric/可执行步骤/zh",
    }  # fmt: skip
    assert all(Tally(*found).holds for found in model.measured.values())
    raw = (resources.files("turnmark") / "packs" / "finance" / "possible.json").read_bytes()
    assert len(raw) < 10_000
    assert encoded(decode(raw, "shipped")) == raw


def test_thresholds_by_hand() -> None:
    found = [Scored(20 - place, place % 2 == 0) for place in range(12)]
    # Every second one is right, the first first: half of any even number is right, more of an odd one.
    assert chosen_threshold(found) == 9
    # One wrong more on the last score: 6 of 13.
    assert chosen_threshold([*found, Scored(9, gold=False)]) == 10
    assert chosen_threshold(found[:9]) is None
    assert chosen_threshold([Scored(score, gold=False) for score in range(20)]) is None
    assert tally(found, 15) == (6, 3)
    assert tally(found, None) == (0, 0)


PACK = RulePack(
    pack="own.risk.en", version="1.0.0", language="en", detector="finance.risk",
    rules=[Rule(id="own.a", label="volatility_risk", any=["fund|trust ~4 may ~6 fall", "swing*"], unless=["never"])],
)  # fmt: skip
KEY = ("risk_disclosed", "volatility_risk")


def _features(text: str) -> tuple[int, dict[str, float]]:
    near = NearRules([PACK]).read(Analysis(text), [KEY])[KEY]
    return near.sentence, dict(zip(FEATURES, near.features, strict=True))


def test_nearness_by_hand() -> None:
    """Steps count in any order and whatever stands between them; the rule itself asks more."""
    place, found = _features("Good morning. One may see, in 2 years, a trust of this kind fall.")
    assert place == 1
    assert found["complete"] == pytest.approx(math.log(2))
    assert found["most"] == pytest.approx(math.log(2))
    assert (found["number"], found["near"], found["near_all"]) == (1.0, 0.0, 0.0)
    assert found["sentences"] == pytest.approx(math.log(3))
    place, found = _features("The fund may grow. A trust may too. Good night.")
    assert place == 0
    assert (found["complete"], found["number"]) == (0.0, 0.0)
    assert found["most"] == found["near"] == pytest.approx(math.log(2))
    assert found["near_all"] == pytest.approx(2 * math.log(2))


def test_a_text_without_sentences_is_near_to_nothing() -> None:
    assert NearRules([PACK]).read(Analysis(""), [KEY]) == {}


def test_steps_of_a_pattern() -> None:
    assert steps_of("! 可能 ~8,! @亏损|缩水 很? #% $") == ["可能", "亏损|缩水", "#%"]
    assert steps_of("^ <fall> ~4") == ["<fall>"]
