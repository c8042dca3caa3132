"""LangChain and memory adapters, form by form."""

import asyncio
import inspect
import sys

import pytest

from turnmark.replay.agents.loading import load_agent
from turnmark.replay.protocol import AgentFailure, Reply
from turnmark.replay.run.observer import TurnRecorder

pytest.importorskip("langgraph", reason="needs: pip install 'turnmark[langchain]'")


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Agents of a module that is written here: their replies, and what they told."""
    monkeypatch.chdir(tmp_path)

    def call(spec, code, *texts, **options):
        (tmp_path / "its_module.py").write_text(code)
        sys.modules.pop("its_module", None)
        source = load_agent(f"{spec}:{tmp_path / 'its_module.py'}:IT", options)
        recorder = TurnRecorder()

        async def work():
            made = source.make(
                dialog_id="d1",
                observer=recorder,
                session_id="s",
                user_id="u",
                memory_dir=tmp_path,
                timeout_sec=5,
                seed=0,
            )
            agent = await made if inspect.isawaitable(made) else made
            replies, told = [], []
            for text in texts:
                recorder.turn_start(1, text)
                reply = agent.handle_turn(text)
                replies.append(await reply if inspect.isawaitable(reply) else reply)
                told.append(recorder.turn_end(1, "", "ok", None))
            await source.aclose()
            return replies, told

        return asyncio.run(work())

    return call


CHAT = "from langchain_core.runnables import RunnableLambda\n"


def test_a_chat_model_gets_messages_and_history(ask):
    code = CHAT + (
        "from langchain_core.messages import AIMessage\n"
        "def reply(messages):\n"
        "    text = ' | '.join(f'{m.type}: {m.content}' for m in messages)\n"
        "    return AIMessage(content=[{'type': 'text', 'text': text}, '!'])\n"
        "IT = RunnableLambda(reply)\n"
    )
    replies, _ = ask("langchain", code, "one", "two", input="chat")
    assert replies[0].text == "human: one!"
    assert replies[1].text == "human: one | ai: human: one! | human: two!"


def test_without_history_only_the_question_is_sent(ask):
    code = CHAT + "IT = RunnableLambda(lambda given: str(len(given['messages'])))\n"
    assert [reply.text for reply in ask("langchain", code, "a", "b")[0]] == ["1", "3"]
    assert [reply.text for reply in ask("langchain", code, "a", "b", history=False)[0]] == ["1", "1"]


def test_a_factory_gets_what_it_names(ask):
    code = CHAT + (
        "def IT(session_id, observer):\n"
        "    return RunnableLambda(lambda given: {'output': session_id, 'documents': ['d']})\n"
    )
    replies, told = ask("langchain", code, "a")
    assert replies == [Reply(text="s", retrieved_contexts=["d"])]
    assert told[0]["recall"]["items"] == [{"content": "d"}]


def test_a_failed_tool_is_told(ask):
    code = CHAT + (
        "from langchain_core.messages import AIMessage, ToolMessage\n"
        "def reply(given):\n"
        "    call = {'name': 'rate', 'args': {'of': 'x'}, 'id': '1'}\n"
        "    tool = ToolMessage(content='no such bond', tool_call_id='1', status='error')\n"
        "    asked = AIMessage(content='', tool_calls=[call])\n"
        "    return {'messages': [*given['messages'], asked, tool, AIMessage(content='sorry')]}\n"
        "IT = RunnableLambda(reply)\n"
    )
    replies, told = ask("langchain", code, "a")
    assert replies[0].text == "sorry"
    assert told[0]["tools"] == [
        {"tool_name": "rate", "args": {"of": "x"}, "result_excerpt": "no such bond", "error": "no such bond"}
    ]


@pytest.mark.parametrize("result", ["5", "{'verdict': 'x'}", "None"])
def test_an_answer_without_text_is_said(ask, result):
    with pytest.raises(AgentFailure, match="expected a text, a message or one of"):
        ask("langchain", CHAT + f"IT = RunnableLambda(lambda given: {result})\n", "a")


def test_no_runnable(ask):
    with pytest.raises(TypeError, match="expected a runnable with ainvoke, found int"):
        ask("langchain", "def IT():\n    return 3\n", "a")


def memory(body, search="self, query, user_id, limit", **more):
    add = more.get("add", "self, messages, user_id")
    return (
        "from turnmark.replay.protocol import Reply\n"
        f"class IT:\n    log = []\n    def search({search}):\n        {body}\n"
        f"    def add({add}):\n        IT.log.append(messages)\n"
        "def answer(user_text, memories, history):\n    return f'{memories} {len(history)}'\n"
        "async def later(user_text, memories, history):\n    return Reply(text='later', retrieved_contexts=['own'])\n"
        "def wrong(user_text, memories, history):\n    return 5\n"
    )


@pytest.mark.parametrize(
    ("body", "items"),
    [
        ("return {'results': [{'id': 'm1', 'memory': 'a', 'score': 0.5}]}",
         [{"rank": 1, "content": "a", "item_id": "m1", "score": 0.5}]),
        ("return ['a', 'b']", [{"rank": 1, "content": "a"}, {"rank": 2, "content": "b"}]),
        ("return [{'text': 'a'}]", [{"rank": 1, "content": "a"}]),
        ("from types import SimpleNamespace as N; return [N(page_content='a', score=1)]",
         [{"rank": 1, "content": "a", "score": 1.0}]),
        ("return None", []),
    ],
)  # fmt: skip
def test_memories_in_their_usual_forms(ask, body, items):
    replies, told = ask("memory", memory(body), "q", answer="its_module.py:answer")
    assert told[0]["recall"]["items"] == items
    assert replies[0].retrieved_contexts == [item["content"] for item in items]


@pytest.mark.parametrize(
    ("search", "seen"),
    [
        ("self, query, user_id, limit", "user_id, limit"),
        ("self, query, *, filters=None, top_k=9", "filters, top_k"),
        ("self, query, k", "k"),
        ("self, query, **more", "limit, user_id"),
        ("self, query", ""),
    ],
)
def test_a_memory_gets_the_arguments_that_it_knows(ask, search, seen):
    body = (
        "given = {**locals(), **locals().get('more', {})}; return [str(sorted(set(given) - {'self', 'query', 'more'}))]"
    )
    _, told = ask("memory", memory(body, search), "q", answer="its_module.py:answer", limit=2)
    (item,) = told[0]["recall"]["items"]
    assert item["content"] == str(sorted(filter(None, seen.split(", "))))


def test_what_was_said_is_remembered_and_the_window_is_short(ask):
    code = memory("return [entry[0]['content'] for entry in IT.log]", add="self, messages")
    replies, told = ask("memory", code, "one", "two", "three", answer="its_module.py:answer", window=1)
    assert [reply.text for reply in replies] == ["[] 0", "['one'] 2", "['one', 'two'] 2"]
    assert told[2]["recall"]["short_term_turns"][0] == {"role": "user", "content": "two"}


def test_an_async_answer_and_a_reply_with_contexts_of_its_own(ask):
    replies, _ = ask("memory", memory("return ['a']"), "q", answer="its_module.py:later")
    assert replies == [Reply(text="later", retrieved_contexts=["own"])]


@pytest.mark.parametrize(
    ("code", "answer", "says"),
    [
        (memory("return []"), "wrong", "answer: expected str or Reply, found int"),
        ("class IT:\n    def search(self, query): ...\ndef answer(*a): ...\n", "answer", "found IT without add"),
    ],
)
def test_a_memory_that_does_not_fit(ask, code, answer, says):
    with pytest.raises(TypeError, match=says):
        ask("memory", code, "q", answer=f"its_module.py:{answer}")


def test_a_memory_that_is_there_already(ask):
    code = memory("return ['shared']").replace("class IT", "class Made").replace("IT.log", "Made.log") + "IT = Made()\n"
    assert ask("memory", code, "q", answer="its_module.py:answer")[0][0].text == "['shared'] 0"


def test_a_runnable_that_keeps_the_conversation_itself(ask):
    code = (
        "class Graph:\n    checkpointer = object()\n    def invoke(self): ...\n"
        "    async def ainvoke(self, given, config):\n"
        "        return f\"{len(given['messages'])} {config['configurable']['thread_id']}\"\n"
        "IT = Graph()\n"
    )
    assert [reply.text for reply in ask("langchain", code, "a", "b")[0]] == ["1 s", "1 s"]
