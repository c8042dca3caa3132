"""Context use by topic, with an encoder of character n-grams: what is close counts as reflected, and nothing more."""

import hashlib
import json

import numpy as np
import pytest

from building import write_lines
from tiny_models import encoder
from turnmark.clinical import compute_advanced_metrics
from turnmark.detectors.clinical.context_use.detector import slot_uses
from turnmark.detectors.clinical.context_use.slot_topics import SlotTopics, paraphrases
from turnmark.detectors.clinical.read.chart import read_chart
from turnmark.detectors.clinical.utterance import read_utterance
from turnmark.errors import PackError

SLOTS = {
    "age": 67,
    "sex": "female",
    "primary_condition": "heart failure",
    "key_meds": ["furosemide 40mg"],
    "key_labs": {"egfr": "41"},
    "chief_symptom": "ringing in the left ear",
}
CHART = read_chart(SLOTS)
DIMENSIONS = 512


class Ngrams:
    """Counts of character bigrams and trigrams, hashed into a fixed number of places, of unit length."""

    name = "ngrams"

    def __init__(self):
        self.encoded = []

    def encode(self, texts):
        self.encoded += texts
        found = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        for row, text in zip(found, texts, strict=True):
            padded = f" {text.lower()} "
            for width in (2, 3):
                for at in range(len(padded) - width + 1):
                    digest = hashlib.sha256(padded[at : at + width].encode("utf-8", "replace")).digest()
                    row[int.from_bytes(digest[:4], "big") % DIMENSIONS] += 1
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        return found / np.where(lengths, lengths, 1)

    def signature(self):
        return {"encoder": self.name, "encoder_version": "1"}


def uses(text, slots=("chief_symptom", "key_labs"), threshold=0.6, embedder=None):
    answer = read_utterance(text, SLOTS)
    plain = slot_uses(answer, slots)
    return plain, SlotTopics(embedder or Ngrams(), threshold).upgraded(plain, answer)


def test_a_clause_that_is_close_to_a_slot_reflects_it():
    text = "Drink enough water. 😀 The ringings of the left ears often fade, and tea is fine."
    plain, found = uses(text)
    assert [use.score for use in plain] == [0.0, 0.0]
    assert [use.score for use in found] == [0.5, 0.0]
    evidence = found[0].evidence
    assert text[evidence.start : evidence.end] == evidence.quote
    assert "ringings of the left ears" in evidence.quote
    assert "water" not in evidence.quote
    assert (evidence.rule, evidence.polarity) == ("clinical.slots.chief_symptom.topic", "indirect")
    assert evidence.note.startswith("close to 'ringing in the left ear' (0.")
    assert evidence.note.endswith(", ngrams)")


def test_the_threshold_decides():
    text = "The ringings of the left ears often fade."
    assert [use.score for use in uses(text, threshold=1.0)[1]] == [0.0, 0.0]
    assert [use.score for use in uses(text, threshold=0.05)[1]] == [0.5, 0.5]


def test_what_words_say_stays_and_asks_no_encoder():
    embedder = Ngrams()
    plain, found = uses("Heart failure needs rest.", ("primary_condition",), embedder=embedder)
    assert plain == found
    assert (plain[0].score, embedder.encoded) == (1.0, [])


def test_age_and_sex_are_no_topics():
    plain, found = uses("Sixty-seventh women females.", ("age", "sex"), threshold=0.01)
    assert found == plain
    assert paraphrases("age", CHART, "en") == ()


def test_other_peoples_conditions_are_none_of_the_patients():
    text = "Your mother has gout with ringing in her left ear."
    assert any(fact.of_other for fact in read_utterance(text, SLOTS).facts)
    assert [use.score for use in uses(text, ("chief_symptom",), threshold=0.3)[1]] == [0.0]


def test_paraphrases_are_in_the_language_of_the_answer():
    for language, name in (("en", "heart failure"), ("ko", "심부전"), ("zh", "心力衰竭")):
        found = paraphrases("primary_condition", CHART, language)
        assert name in found
        assert found[0] == "heart failure"  # the record's own words
    assert "푸로세미드" in paraphrases("key_meds", CHART, "ko")
    assert not {"furosemide", "심부전"} & set(paraphrases("key_labs", CHART, "en"))
    assert paraphrases("key_labs", read_chart({"key_labs": {}}), "en") == ()


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\ud800", "a" * 20_000, "ㅋ" * 500, "\x00\x1b[0m", "| a | b |"])
def test_any_text_is_taken(text):
    plain, found = uses(text, ("chief_symptom", "key_meds", "primary_condition"), threshold=0.99)
    assert [use.slot for use in found] == [use.slot for use in plain]


def test_names_are_encoded_once():
    embedder = Ngrams()
    topics = SlotTopics(embedder, 0.9)
    for text in ("Tea is fine.", "Rest well."):
        answer = read_utterance(text, SLOTS)
        topics.upgraded(slot_uses(answer, ["chief_symptom"]), answer)
    assert embedder.encoded.count("ringing in the left ear") == 1


@pytest.fixture
def folder(tmp_path):
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    encoder(tmp_path / "pack" / "encoder")
    (tmp_path / "pack" / "slot_topics.yaml").write_text("threshold: 0.2\nencoder: encoder\n", "utf-8")
    return tmp_path / "pack"


EVENT = {
    "schema_version": "events_record.v1", "run_id": "r", "mode": "llm", "patient_id": "p", "turn_id": 1,
    "question": {"text": "How am I?"}, "answer": "Ringing of an ear fades. Rest well.", "timestamp_utc": "",
    "slots_truth": SLOTS,
}  # fmt: skip


def test_a_users_folder_turns_it_on_and_the_signature_says_so(cli, folder, tmp_path):
    events = write_lines(tmp_path / "events.jsonl", EVENT)
    marks = {}
    for name, more in (("plain", ()), ("topics", ("--pack", folder)), ("again", ("--pack", folder))):
        assert cli("score", events, "--suite", "clinical", *more, "--out", tmp_path / name).code == 0
        marks[name] = json.loads((tmp_path / name / "turn_eval.jsonl").read_text())["marks"]["cus"]["measures"]
    assert marks["topics"] == marks["again"]
    assert marks["topics"]["slots_used"][0] > marks["plain"]["slots_used"][0]
    signature = json.loads((tmp_path / "topics" / "metrics_summary.json").read_text())["signature"]["packs"]
    assert signature["slot_topics"]
    assert any(name.startswith("slot_topics.encoder") for name in signature)
    assert (
        "slot_topics" not in json.loads((tmp_path / "plain" / "metrics_summary.json").read_text())["signature"]["packs"]
    )
    assert cli("check", folder / "slot_topics.yaml").code == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("encoder: encoder\n", "threshold"),
        ("threshold: 1.5\n", r"slot_topics.yaml:1: \$.threshold"),
        ("threshold: 0.5\nmodel: x\n", r"slot_topics.yaml:2: \$.model"),
    ],
)
def test_a_wrong_file_is_named(tmp_path, text, says):
    (tmp_path / "slot_topics.yaml").write_text(text, "utf-8")
    with pytest.raises(PackError, match=says):
        compute_advanced_metrics("a", "b", SLOTS, 1, tmp_path)


def test_an_encoder_that_is_not_there_is_named(cli, tmp_path):
    (tmp_path / "slot_topics.yaml").write_text("threshold: 0.5\nencoder: nowhere\n", "utf-8")
    events = write_lines(tmp_path / "events.jsonl", EVENT)
    found = cli("score", events, "--suite", "clinical", "--pack", tmp_path, "--out", tmp_path / "run")
    assert found.code == 2
    assert "nowhere" in found.err
