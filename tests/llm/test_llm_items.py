import asyncio
import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.llm.cache import AnswerCache
from turnmark.llm.client import ChatClient, UnreadableAnswerError
from turnmark.llm.items import ItemReader, ask_items
from turnmark.llm.protocol import CallFailure, ChatRequest, Completion, Message
from turnmark.llm.retry import RetryPolicy
from turnmark.llm.scripted import ScriptedEndpoint

IDS = ["1", "2", "3"]
READER = ItemReader("items", lambda _name, entry: entry.get("value") if isinstance(entry.get("value"), int) else None)
WHOLE = json.dumps({"items": [{"id": name, "value": int(name)} for name in IDS]})


def answer(*names, **values):
    return json.dumps({"items": [{"id": name, "value": values.get(f"v{name}", int(name))} for name in names]})


def request(ids):
    return ChatRequest(messages=(Message("system", "s"), Message("user", ",".join(ids))))


def ask(script, cache=None, ids=IDS):
    endpoint = ScriptedEndpoint(script)

    async def run():
        client = ChatClient(endpoint, cache=cache, retry=RetryPolicy(tries=1))
        return await ask_items(client, ids, request, READER, "again: {reason}")

    answered = asyncio.run(run())
    return answered, [one.messages[1].content for one in endpoint.requests], endpoint


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        f"```json\n{WHOLE}\n```",
        f"Here you are:\n\n{WHOLE}\n\nAnything else?",
        f"<think>The user wants {{}} and [1].</think>{WHOLE}",
        json.dumps(json.loads(WHOLE)["items"]),
        f"\ufeff  {WHOLE}".strip(),
        json.dumps({"items": [*json.loads(WHOLE)["items"], "noise", {"id": "9", "value": 9}], "more": 1}),
        json.dumps({"items": [{"id": int(name), "value": int(name)} for name in IDS]}),
    ],
)
def test_forms_of_an_answer_that_are_understood(text):
    read = READER(text, IDS)
    assert (read.values, read.whole) == ({"1": 1, "2": 2, "3": 3}, True)


@given(st.integers(0, len(WHOLE) - 1))
def test_of_a_cut_answer_the_whole_entries_are_taken(length):
    cut = WHOLE[:length]
    if "}" not in cut:
        with pytest.raises(UnreadableAnswerError):
            READER(cut, IDS)
        return
    read = READER(cut, IDS)
    assert read.whole == ("]" in cut)
    assert read.values == {name: int(name) for name in IDS[: cut.count("}")]}


@given(st.text() | st.text(st.sampled_from('{}[]"id:,1 items\\')))
def test_no_text_breaks_the_reader(text):
    with contextlib.suppress(UnreadableAnswerError):
        assert READER(text, IDS).values


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "it is empty"),
        ("I cannot answer that.", "it is no JSON object with a list \"items\"; it begins 'I cannot answer that.'"),
        ("x" * 200, "it begins '" + "x" * 80 + "…'"),
        ('{"items": [{"id": "7", "value": 7}]}', 'none of its 1 entries in "items" has an id that was asked for'),
        ('{"items": [{"id": "1", "value": "one"}]}', 'none of its 1 entries in "items" has an id that was asked for'),
        ("[" * 100_000, "it is no JSON object"),
    ],
)
def test_what_cannot_be_read_says_why(text, complaint):
    with pytest.raises(UnreadableAnswerError) as raised:
        READER(text, IDS)
    assert complaint in str(raised.value)


def test_entries_that_contradict_each_other_count_as_missing():
    text = json.dumps({"items": [{"id": "1", "value": 1}, {"id": "1", "value": 5}, {"id": "2", "value": 2}]})
    assert READER(text, IDS).values == {"2": 2}
    same = json.dumps({"items": [{"id": "1", "value": 1}, {"id": "1", "value": 1}]})
    assert READER(same, IDS).values == {"1": 1}


def test_a_quoted_entry_within_a_text_is_no_entry():
    cut = '{"items": [{"id": "1", "value": 1, "quote": "he wrote {\\"id\\": \\"2\\", \\"value\\": 2} there"}, {"id": "3'
    assert READER(cut, IDS).values == {"1": 1}


def test_one_request_when_all_are_answered():
    answered, asked, _ = ask([WHOLE])
    assert (answered.found, answered.failed, asked) == ({"1": 1, "2": 2, "3": 3}, {}, ["1,2,3"])


def test_missing_ones_are_asked_once_more_and_then_failed():
    answered, asked, _ = ask([answer("1"), answer("3")])
    assert (answered.found, asked) == ({"1": 1, "3": 3}, ["1,2,3", "2,3"])
    assert answered.failed == {"2": "the model gave no valid answer for it in 2 requests"}


def test_a_cut_answer_does_not_use_up_the_second_request():
    answered, asked, _ = ask([WHOLE[:40], answer("2"), answer("3")])
    assert (answered.found, answered.failed) == ({"1": 1, "2": 2, "3": 3}, {})
    assert asked == ["1,2,3", "2,3", "3"]


def test_answers_that_are_always_cut_have_an_end():
    one = WHOLE[: WHOLE.index("}") + 1]
    answered, asked, _ = ask([one, one.replace("1", "2"), one.replace("1", "3"), "never asked"])
    assert (answered.failed, len(asked)) == ({}, 3)
    ids = [str(number) for number in range(1, 9)]
    answered, asked, _ = ask(lambda one: f'{{"items": [{{"id": "{one.messages[1].content[0]}", "value": 1}}', ids=ids)
    assert (len(answered.found), len(answered.failed), len(asked)) == (3, 5, 3)


def test_an_unreadable_answer_is_asked_again_with_what_was_wrong():
    answered, asked, endpoint = ask(["What?", WHOLE])
    assert (answered.failed, asked) == ({}, ["1,2,3", "1,2,3"])
    said = endpoint.requests[1].messages[2:]
    assert [message.role for message in said] == ["assistant", "user"]
    assert said[1].content == "again: it is no JSON object with a list \"items\"; it begins 'What?'"
    assert endpoint.requests[1].variation == 1


def test_a_third_try_holds_the_last_answer_only():
    _, _, endpoint = ask(["What?", "Who?", WHOLE])
    assert [message.content for message in endpoint.requests[2].messages[:3]] == ["s", "1,2,3", "Who?"]


def test_a_failed_call_fails_what_is_missing_and_keeps_the_rest():
    down = CallFailure("HTTP 400: too long", kind="http")
    answered, _, _ = ask([answer("1", "2"), down])
    assert (answered.found, answered.failed) == ({"1": 1, "2": 2}, {"3": "HTTP 400: too long"})
    answered, _, _ = ask([down])
    assert answered.failed == dict.fromkeys(IDS, "HTTP 400: too long")


def test_the_cache_holds_valid_entries_only_and_a_rerun_asks_what_is_missing(tmp_path):
    path = tmp_path / "answers.sqlite"
    with AnswerCache(path) as cache:
        answered, _, _ = ask([answer("1", "2", v2="no number"), "garbage", "garbage", "garbage"], cache)
        assert set(answered.failed) == {"2", "3"}
        assert len(cache) == 1
    with AnswerCache(path) as cache:
        answered, asked, _ = ask([answer("2", "3")], cache)
        assert (answered.failed, asked) == ({}, ["2,3"])
    with AnswerCache(path) as cache:
        answered, asked, _ = ask([], cache)
        assert (answered.found, asked) == ({"1": 1, "2": 2, "3": 3}, [])


def test_a_kept_answer_of_another_form_is_asked_anew(tmp_path):
    with AnswerCache(tmp_path / "answers.sqlite") as cache:
        client = ChatClient(ScriptedEndpoint([]), cache=cache)
        client.keep(request(IDS), Completion(text="once it was read otherwise"))
        answered, asked, _ = ask([WHOLE], cache)
        assert (answered.failed, asked) == ({}, ["1,2,3"])
