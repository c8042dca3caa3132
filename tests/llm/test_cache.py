import sqlite3
import subprocess
import sys

import pytest

from turnmark.errors import DataError
from turnmark.llm.cache import AnswerCache, cache_key
from turnmark.llm.openai import ChatSettings, OpenAIEndpoint
from turnmark.llm.protocol import AnswerSchema, ChatRequest, Completion, Message

ANSWER = Completion(text="是的 예 yes", input_tokens=3, output_tokens=4, finish_reason="stop", model="m")
SETTINGS = {"model": "m", "base_url": "http://localhost:1/v1", "seed": 1, "temperature": 0.0}
REQUEST = {
    "messages": (Message("system", "s"), Message("user", "u")),
    "answer_schema": AnswerSchema("a", {"type": "object"}),
}


def key(settings=(), request=(), environment=()):
    endpoint = OpenAIEndpoint(ChatSettings(**SETTINGS | dict(settings)), dict(environment))
    return cache_key(endpoint.identity(ChatRequest(**REQUEST | dict(request))))


def test_answers_come_back_whole_also_from_another_process(tmp_path):
    path = tmp_path / "deep" / "answers.sqlite"
    with AnswerCache(path) as cache:
        assert cache.get("k") is None
        cache.put("k", Completion(text="old"))
        cache.put("k", ANSWER)
        code = (
            "import sys, pathlib; from turnmark.llm.cache import AnswerCache; "
            "sys.stdout.buffer.write(AnswerCache(pathlib.Path(sys.argv[1])).get('k').text.encode())"
        )
        done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, check=True)
        assert done.stdout.decode() == ANSWER.text
    with AnswerCache(path) as again:
        assert again.get("k") == ANSWER
        assert len(again) == 1


def test_what_was_put_survives_a_killed_process(tmp_path):
    path = tmp_path / "answers.sqlite"
    code = (
        "import sys, os, signal, pathlib; from turnmark.llm.cache import AnswerCache; "
        "from turnmark.llm.protocol import Completion; cache = AnswerCache(pathlib.Path(sys.argv[1])); "
        "cache.put('k', Completion(text='kept')); os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == -9
    with AnswerCache(path) as cache:
        assert cache.get("k").text == "kept"


@pytest.mark.parametrize(
    "change",
    [
        {"settings": {"model": "n"}},
        {"settings": {"base_url": "http://localhost:2/v1"}},
        {"settings": {"base_url": "http://localhost:1/v1?api-version=2"}},
        {"settings": {"temperature": 0.1}},
        {"settings": {"temperature": None}},
        {"settings": {"seed": 2}},
        {"settings": {"seed": None}},
        {"settings": {"max_tokens": 9}},
        {"settings": {"answer_format": "plain"}},
        {"settings": {"answer_format": "json_object"}},
        {"settings": {"stream": True}},
        {"settings": {"extra_body": {"top_p": 0.5}}},
        {"settings": {"headers": {"X-Tier": "batch"}}},
        {"request": {"messages": (Message("system", "s"), Message("user", "v"))}},
        {"request": {"messages": (Message("user", "s"), Message("user", "u"))}},
        {"request": {"messages": (Message("system", "su"), Message("user", ""))}},
        {"request": {"answer_schema": AnswerSchema("b", {"type": "object"})}},
        {"request": {"answer_schema": AnswerSchema("a", {"type": "array"})}},
        {"request": {"answer_schema": None}},
        {"request": {"variation": 1}},
        # Repeats differ also where no seed is sent.
        {"settings": {"seed": None}, "request": {"variation": 1}},
        {"environment": {"OPENAI_BASE_URL": "http://localhost:3"}, "settings": {"base_url": None}},
    ],
    ids=str,
)
def test_everything_that_shapes_an_answer_is_in_the_key(change):
    assert key(**change) != key()
    assert key(**change) == key(**change)


def test_every_setting_and_every_part_of_a_request_is_tested_above():
    changed = {
        "model",
        "base_url",
        "temperature",
        "seed",
        "max_tokens",
        "answer_format",
        "stream",
        "extra_body",
        "headers",
    }
    assert set(ChatSettings.__struct_fields__) == changed | {"api_key_env"}
    assert set(ChatRequest.__struct_fields__) == {"messages", "answer_schema", "variation", "output_tokens"}


def test_the_key_does_not_depend_on_who_pays():
    assert key(environment={"OPENAI_API_KEY": "sk-secret-one"}) == key(environment={"OPENAI_API_KEY": "sk-secret-two"})
    assert cache_key({"a": 1, "b": {"c": 2, "d": 3}}) == cache_key({"b": {"d": 3, "c": 2}, "a": 1})


def test_a_file_that_is_no_cache_is_named(tmp_path):
    path = tmp_path / "answers.sqlite"
    path.write_bytes(b"These are not the bytes of a database, but they are long enough to be looked at." * 20)
    with pytest.raises(
        DataError, match=r"answers\.sqlite: cannot be used as a cache .*; delete it or name another file"
    ):
        AnswerCache(path)
    with pytest.raises(DataError, match="cannot be used as a cache"):
        AnswerCache(tmp_path)


def test_an_answer_of_another_form_is_a_miss(tmp_path):
    path = tmp_path / "answers.sqlite"
    with AnswerCache(path) as cache:
        cache.put("k", ANSWER)
    database = sqlite3.connect(path)
    database.execute("UPDATE answers_v1 SET answer = '{\"words\": 1}'")
    database.commit()
    database.execute("INSERT INTO answers_v1 VALUES ('half', '{\"text\": \"a')")
    database.commit()
    database.close()
    with AnswerCache(path) as cache:
        assert cache.get("k") is None
        assert cache.get("half") is None


def test_a_database_that_breaks_later_is_named(tmp_path):
    with AnswerCache(tmp_path / "answers.sqlite") as cache:
        cache._database.execute("DROP TABLE answers_v1")
        with pytest.raises(DataError, match="no such table"):
            cache.get("k")
        with pytest.raises(DataError, match="no such table"):
            cache.put("k", ANSWER)
