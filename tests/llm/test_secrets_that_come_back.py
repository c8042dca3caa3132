"""A server that echoes the key of the request: it stands in no artifact, no log, no cache and on no terminal."""

import base64
import json
import urllib.parse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from building import write_lines
from servers.chat_server import ChatServer
from turnmark.schemas.redaction import MASK, Redactor

KEY = 'tm/Key+42 é"of~the=shop'


def escaped(text):
    return "".join(f"\\u{ord(character):04X}" for character in text)


FORMS = {
    "plain": KEY,
    "percent": urllib.parse.quote(KEY, safe=""),
    "plus": urllib.parse.quote_plus(KEY, safe=""),
    "lower percent": urllib.parse.quote(KEY, safe="").lower().replace("key", "Key"),
    "json": json.dumps(KEY)[1:-1],
    "json, other": json.dumps(KEY, ensure_ascii=False)[1:-1].replace("/", "\\/"),
    "json, every character": escaped(KEY),
    "json in json": json.dumps(json.dumps(KEY))[3:-3],
    "base64": base64.b64encode(KEY.encode()).decode(),
    "base64, further on": base64.b64encode(b"Bearer:" + KEY.encode() + b" said the shop").decode(),
    "base64, further on still": base64.urlsafe_b64encode(b"Bearer: " + KEY.encode() + b" said").decode(),
}


def without_key(text):
    """Whether no part of a text holds the key in any form; told without the code that is tested."""
    decoded = [base64.b64encode(bytes(before) + KEY.encode()).decode()[4:-8] for before in range(3)]
    return KEY not in text and urllib.parse.quote(KEY, safe="") not in text and not any(one in text for one in decoded)


@pytest.mark.parametrize("form", FORMS)
def test_every_form(form):
    redactor = Redactor()
    redactor.add(KEY)
    said = f"refused: {FORMS[form]} is wrong, 费率 2%"
    assert redactor.raw(said.encode()).decode() == redactor.text(said)
    assert MASK in redactor.text(said)
    assert without_key(redactor.text(said))
    assert redactor.text(said).startswith("refused: ")
    assert redactor.text(said).endswith("is wrong, 费率 2%")


WORDS = st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\\"), max_size=20)


@given(WORDS.filter(lambda secret: len(secret) >= 8), WORDS, WORDS)
def test_json_stays_json_and_other_words_stay(secret, before, after):
    redactor = Redactor()
    redactor.add(secret)
    raw = redactor.raw(json.dumps({"said": before + secret + after}, ensure_ascii=False).encode("utf-8", "replace"))
    assert MASK in json.loads(raw)["said"]


def test_short_values_are_words():
    redactor = Redactor()
    redactor.add("none")
    assert redactor.text("none of them") == "none of them"


def files(folder):
    return {path: path.read_bytes().decode("utf-8", "replace") for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("form", FORMS)
def test_no_file_and_no_line_of_a_replay_holds_the_key(cli, tmp_path, monkeypatch, form):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-the-shop-" + "42" * 8)
    key = "sk-of-the-shop-" + "42" * 8
    said = FORMS[form].replace(KEY, key) if form == "plain" else base64.b64encode(key.encode()).decode()
    write_lines(tmp_path / "cases.jsonl", {"id": "a", "question": "What does it cost?"})
    with ChatServer(answer=lambda _body: f"It costs 2%. {key} {said}") as server:
        done = cli("replay", tmp_path / "cases.jsonl", "--agent", "openai:m", "--agent-option",
                   f"base_url={server.base_url}", "--out", tmp_path / "run")  # fmt: skip
    assert done.code == 0
    assert "It costs 2%. *** ***" in files(tmp_path / "run")[tmp_path / "run" / "cases.jsonl"]
    assert not [path for path, text in files(tmp_path / "run").items() if key in text or said in text]
    assert key not in done.out + done.err


def test_no_judgement_cache_or_line_of_a_judge_holds_the_key(cli, tmp_path, monkeypatch):
    key = "sk-of-the-shop-" + "17" * 8
    monkeypatch.setenv("OPENAI_API_KEY", key)
    write_lines(tmp_path / "cases.jsonl", {"id": "a", "question": "What does it cost?", "answer": "It costs 2%.",
                                           "retrieved_contexts": ["It costs 2%."]})  # fmt: skip

    def answer(body):
        asked = body["messages"][-1]["content"]
        if '"sentences"' in asked:
            return json.dumps({"sentences": [{"id": "1.1", "statements": [f"It costs 2%. {key}"]}]})
        reason = "".join(f"\\u{ord(character):04x}" for character in key)
        entry = '{"id": "1.S1", "reason": "%s", "text": "T1", "quote": "", "label": "supported"}'
        return '{"verdicts": [' + entry.replace("%s", reason) + "]}"

    with ChatServer(answer=answer) as server:
        done = cli("judge", tmp_path / "cases.jsonl", "--model", "m", "--base-url", server.base_url, "--metric",
                   "faithfulness", "--out", tmp_path / "j" / "judgements.jsonl")  # fmt: skip
    held = files(tmp_path / "j")
    assert "***" in held[tmp_path / "j" / "judgements.jsonl"]
    escapes = "".join(f"\\u{ord(character):04x}" for character in key)
    assert not [path for path, text in held.items() if key in text or escapes in text]
    assert key not in done.out + done.err
