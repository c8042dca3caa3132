"""What real packages hand in: langchain-core 1.8.3 and numpy, through the whole replay."""

import json
import socket
import sys

import pytest

from turnmark.cli.replay import print_result, some_failed
from turnmark.errors import UsageError
from turnmark.locale.texts import ENGLISH
from turnmark.pipeline.playing.replay import replay
from turnmark.pipeline.playing.request import ReplayRequest
from turnmark.pipeline.playing.run import run
from turnmark.pipeline.publishing.report import ReportOptions, write_report
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.replay.run.client_errors import failure_of
from turnmark.replay.run.outage import LONGEST_RUN_OF_FAILURES


def dialogs(path, count=1, turns=2):
    """Authored dialogues with a profile, in a file."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            said = []
            for turn in range(turns):
                said += [
                    {"role": "user", "text": f"Question {turn} of dialogue {number}: what is a bond?", "turn_tags": {}},
                    {
                        "role": "assistant",
                        "text": "A bond is a loan.",
                        "turn_tags": {"compliance_label_gt": "compliant"},
                    },
                ]
            profile = {
                "risk_level_gt": "low", "horizon_gt": "short", "liquidity_need_gt": "high",
                "constraints_gt": ["no_leverage"], "preferences_gt": ["bonds"],
            }  # fmt: skip
            record = {
                "dialog_id": f"d{number}", "scenario_type": "s", "difficulty": "easy", "language": "en",
                "profile_gt": profile, "blueprint": {"forbidden_list": []}, "turns": said,
            }  # fmt: skip
            file.write(json.dumps(record) + "\n")
    return path


@pytest.fixture
def played(tmp_path, monkeypatch):
    """Replays a module that is written here; gives the result and the turns of the trace."""
    monkeypatch.chdir(tmp_path)

    def play(code, agent="{file}:IT", count=1, turns=2, **settings):
        (tmp_path / "theirs.py").write_text(code)
        sys.modules.pop("theirs", None)
        data = dialogs(tmp_path / "data.jsonl", count, turns)
        spec = agent.format(file=tmp_path / "theirs.py")
        result = replay(ReplayRequest(data, spec, out=tmp_path / "run", **{"retries": 0, **settings}))
        lines = [json.loads(line) for line in result.artifact.read_text("utf-8").splitlines()]
        return result, [turn for line in lines for turn in line["turns"]]

    return play


CHAIN = (
    "from langchain_core.prompts import ChatPromptTemplate\n"
    "from langchain_core.output_parsers import StrOutputParser\n"
    "from langchain_core.language_models.fake_chat_models import GenericFakeChatModel\n"
    "from langchain_core.messages import AIMessage\n"
    "def words():\n    while True:\n        yield AIMessage('A bond is a loan.')\n"
    "IT = ChatPromptTemplate.from_messages([('human', '{question}')])"
    " | GenericFakeChatModel(messages=words()) | StrOutputParser()\n"
)


def test_the_commonest_chain_of_langchain(played):
    pytest.importorskip("langchain_core", reason="needs: pip install 'turnmark[langchain]'")
    result, turns = played(CHAIN, "langchain:{file}:IT", options={"input": "question"})
    assert result.counters["ok_turns"] == 2
    assert {turn["pred_assistant_text"] for turn in turns} == {"A bond is a loan."}


def test_the_text_of_a_message_in_a_reply(played):
    pytest.importorskip("langchain_core", reason="needs: pip install 'turnmark[langchain]'")
    result, turns = played(
        "from langchain_core.messages import AIMessage\nfrom turnmark.agents import Reply\n"
        "class IT:\n    def handle_turn(self, user_text):\n"
        "        text = AIMessage('A bond is a loan.').text\n"
        "        return Reply(text=text, retrieved_contexts=[text], model=text) if user_text[9] == '0' else text\n"
    )
    assert result.counters["ok_turns"] == 2, turns
    assert turns[0]["replay"]["retrieved_contexts"] == ["A bond is a loan."]


NUMPY = (
    "import numpy as np\n"
    "class IT:\n    def __init__(self, observer):\n        self.observer = observer\n"
    "    def handle_turn(self, user_text):\n"
    "        first = {'content': 'low', 'score': np.float32(0.5), 'rank': np.int64(1)}\n"
    "        items = [first, {'content': 'b', 'score': 'x'}]\n"
    "        self.observer.recall_done(query=user_text, items=items)\n"
    "        return 'A bond is a loan.'\n"
)


def test_one_odd_value_is_named_and_the_rest_of_the_payload_kept(played):
    _, turns = played(NUMPY)
    assert turns[0]["recall"]["items"] == [{"content": "low", "score": 0.5, "rank": 1}, {"content": "b"}]
    assert turns[0]["replay"]["warnings"] == [
        "recall_done: $.items[1].score: expected `float | null`, got `str`: string 'x'; left out"
    ]


EVERYWHERE = (
    "import numpy as np\nfrom turnmark.agents import AgentFailure, Reply, Usage\n"
    "class Text(str):\n    pass\n"
    "class IT:\n    def __init__(self, observer):\n        self.observer, self.calls = observer, 0\n"
    "    def handle_turn(self, user_text):\n"
    "        self.calls += 1\n"
    "        if self.calls == 1:\n"
    "            wait, status = np.float64(0.001), np.int64(429)\n"
    "            raise AgentFailure(Text('slow'), kind='rate_limit', retryable=np.bool_(True), retry_after=wait,"
    " status=status)\n"
    "        arguments = {Text('n'): np.int64(3), 'a': np.array([1.5, 2]), 'b': np.bool_(True)}\n"
    "        self.observer.tool_called(tool_name=Text('t'), args=arguments, latency_ms=np.float64(2.5))\n"
    "        usage = Usage(input_tokens=np.int64(3), output_tokens=np.int32(1))\n"
    "        contexts = np.array(['a', 'b'])\n"
    "        return Reply(text=Text('A bond'), usage=usage, cost=np.float64(0.5), retrieved_contexts=contexts)\n"
)


def test_texts_and_numbers_of_other_classes_wherever_they_are_handed_in(played):
    result, turns = played(EVERYWHERE, retries=1, turns=1)
    (turn,) = turns
    assert (turn["turn_status"], turn["pred_assistant_text"], result.noted.warnings) == ("ok", "A bond", 0), turn
    (call,) = turn["tools"]
    assert (call["tool_name"], call["latency_ms"]) == ("t", 2.5)
    assert call["args"] == {"n": 3, "a": [1.5, 2.0], "b": True}
    kept = {"attempts": 2, "cost": 0.5, "retrieved_contexts": ["a", "b"]}
    assert {name: turn["replay"][name] for name in kept} == kept
    assert turn["replay"]["usage"]["input_tokens"] == 3


def test_a_reply_that_was_cut_off_is_a_state(played, tmp_path):
    played(
        "from turnmark.agents import Reply\n"
        "class IT:\n    def handle_turn(self, user_text):\n"
        "        return Reply(text='A bond is a loan.', finish_reason='length')\n"
    )
    result = score(ScoreRequest((tmp_path / "run" / "dialog_trace.jsonl",), out=tmp_path / "scored"))
    # Both replies are the same words: the second is told first as one that repeats itself.
    assert result.summary.reply_states["truncated"] == 2
    assert result.summary.reply_states["normal"] == 0
    evidence = (tmp_path / "scored" / "evidence.jsonl").read_text("utf-8")
    assert "finish_reason: length" in evidence


def test_a_model_that_is_cut_off_says_so(played, chat_server):
    with chat_server(faults={"length": 1.0}) as server:
        _, turns = played("", "openai:m", options={"base_url": server.base_url})
    assert [turn["replay"]["finish_reason"] for turn in turns] == ["length", "length"]


@pytest.mark.parametrize("suite", ["rag", "clinical"])
def test_a_reply_that_was_cut_off_is_a_state_of_cases_and_events_too(suite, chat_server, tmp_path):
    records = {
        "rag": {"id": "a", "question": "What is a bond?"},
        "clinical": {"patient_id": "p", "turns": [{"question": "What is a bond?"}], "slots": {"age": 60}},
    }
    dataset = tmp_path / "dataset.jsonl"
    dataset.write_text(json.dumps(records[suite]) + "\n")
    for fault, state in ((1.0, "truncated"), (0.0, "normal")):
        with chat_server(answer=lambda _: "A bond is a loan. It pays interest.", faults={"length": fault}) as server:
            result = run(
                ReplayRequest(dataset, "openai:m", out=tmp_path / state, options={"base_url": server.base_url}),
                ScoreRequest((), suite=suite),
            )
        assert result.scored.summary.reply_states[state] == 1
    evidence = (tmp_path / "truncated" / "evidence.jsonl").read_text("utf-8")
    assert "finish_reason: length" in evidence


def test_profiles_of_dialogues_that_failed_or_were_never_told_are_not_wrong(played, tmp_path):
    for code in ("class IT:\n    def handle_turn(self, user_text):\n        raise RuntimeError('down')\n",
                 "class IT:\n    def handle_turn(self, user_text):\n        return 'Thank you, noted.'\n"):  # fmt: skip
        played(code, overwrite=True)
        result = score(ScoreRequest((tmp_path / "run" / "dialog_trace.jsonl",), out=tmp_path / "scored"))
        found = result.summary.metrics["m2_profile_accuracy"]
        assert (found.counts["eligible_count"], found.counts["skipped_count"]) == (0, 1)


HTTPX = (
    "import httpx\n"
    "from langchain_core.runnables import RunnableLambda\n"
    "from langchain_core.messages import AIMessage\n"
    "async def call(given):\n"
    "    body = {'model': 'm', 'messages': [{'role': 'user', 'content': given['messages'][-1].content}]}\n"
    "    async with httpx.AsyncClient() as client:\n"
    "        reply = await client.post('URL/chat/completions', json=body)\n"
    "    try:\n        reply.raise_for_status()\n"
    "    except httpx.HTTPStatusError as error:\n        raise RuntimeError('the chain broke') from error\n"
    "    return AIMessage(reply.json()['choices'][0]['message']['content'])\n"
    "IT = RunnableLambda(call)\n"
)


def test_a_429_inside_langchain_is_waited_for_and_tried_again(played, chat_server):
    pytest.importorskip("langchain_core", reason="needs: pip install 'turnmark[langchain]'")
    with chat_server(faults={"rate_limit": 0.5}, retry_after="0.01", seed=3) as server:
        code = HTTPX.replace("URL", server.base_url)
        result, turns = played(code, "langchain:{file}:IT", count=5, retries=8)
    assert server.injected["rate_limit"] > 0
    assert (result.counters["ok_turns"], result.counters["error_turns"]) == (10, 0)
    assert any(turn.get("replay", {}).get("attempts", 1) > 1 for turn in turns)


@pytest.mark.parametrize(
    ("status", "kind", "retryable"), [(429, "rate_limit", True), (503, "http", True), (400, "http", False)]
)
def test_what_exceptions_of_an_sdk_say(status, kind, retryable):
    class APIStatusError(Exception):
        status_code = status
        response = type("Response", (), {"headers": {"retry-after": "7"}})()

    wrapped = ValueError("wrapped")
    wrapped.__cause__ = APIStatusError("refused")
    failure = failure_of(wrapped)
    assert (failure.kind, failure.retryable, failure.retry_after, failure.status) == (kind, retryable, 7.0, status)
    assert str(failure) == "ValueError: wrapped"


def test_exceptions_without_a_status():
    class APIConnectionError(Exception):
        pass

    class APITimeoutError(Exception):
        pass

    class ExitError(Exception):
        code = 2

    raised = [APIConnectionError("x"), APITimeoutError("x"), ExitError("x"), ConnectionResetError("x")]
    assert [failure_of(error).kind for error in raised] == ["connection", "timeout", "agent", "connection"]


def test_a_dead_port_ends_the_run_and_says_why(played, capsys):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    options = {"base_url": f"http://127.0.0.1:{port}/v1"}
    result, turns = played("", "openai:m", count=40, turns=3, options=options)
    assert len(turns) <= LONGEST_RUN_OF_FAILURES + 4 * 3
    assert result.noted.unplayed == 40 - result.counters["valid_dialogs"] > 25
    (commonest, *_) = result.noted.causes
    assert commonest.startswith(f"connection: 127.0.0.1:{port}: the connection broke")
    print_result(result, ENGLISH)
    said = capsys.readouterr().out
    assert "stopped: 20 turns failed one after the other" in said
    assert "--retry-failed" in said
    assert some_failed(result)


def test_what_was_left_is_played_when_the_agent_is_back(played, tmp_path):
    code = (
        "import pathlib\n"
        "class IT:\n    def handle_turn(self, user_text):\n"
        "        if not pathlib.Path('back').exists():\n            raise ConnectionRefusedError('nobody there')\n"
        "        return 'A bond is a loan.'\n"
    )
    first, _ = played(code, count=30)
    assert first.noted.stopped
    assert first.noted.unplayed > 0
    (tmp_path / "back").touch()
    again, turns = played(code, count=30, retry_failed=True)
    assert (again.counters["ok_turns"], again.noted.unplayed, again.noted.stopped, len(turns)) == (60, 0, "", 60)


def test_faults_of_the_agent_itself_do_not_end_the_run(played):
    result, turns = played("class IT:\n    def handle_turn(self, user_text):\n        return 5\n", count=30)
    assert (len(turns), result.noted.stopped) == (60, "")
    assert result.noted.causes == {"invalid_reply: handle_turn: expected str or Reply, found int": 60}


def test_warnings_are_counted_on_the_terminal(played, capsys):
    result, _ = played(NUMPY)
    print_result(result, ENGLISH)
    told = capsys.readouterr().out
    assert "2 warnings about what the agent told" in told
    assert "The first: recall_done: $.items[1].score" in told


def test_a_run_that_goes_on_with_another_option_names_this_option_alone(played):
    code = (
        "class IT:\n    def __init__(self, tone, depth):\n        self.tone = tone\n"
        "    def handle_turn(self, user_text):\n        return 'A bond is a loan.'\n"
    )
    played(code, options={"tone": "calm", "depth": 3})
    with pytest.raises(
        UsageError, match=r"agent\.options\.tone: the run was started with 'calm', found 'warm'"
    ) as raised:
        played(code, options={"tone": "warm", "depth": 3}, resume=True)
    assert "depth" not in str(raised.value)


MODEL = (
    "from langchain_core.prompts import ChatPromptTemplate\n"
    "from langchain_core.language_models.fake_chat_models import GenericFakeChatModel\n"
    "from langchain_core.messages import AIMessage\n"
    "def words():\n    while True:\n        yield AIMessage('A bond is a loan.')\n"
    "IT = GenericFakeChatModel(messages=words())\n"
)


@pytest.mark.parametrize(
    ("code", "hint", "option"),
    [
        (MODEL, "this runnable takes the list of messages: --agent-option input=chat (ValueError: Invalid", "chat"),
        (
            MODEL.replace("IT = ", "IT = ChatPromptTemplate.from_messages([('human', '{text}')]) | "),
            "this prompt asks for text: --agent-option input=text (KeyError", "text",
        ),
    ],
    ids=["model", "prompt"],
)  # fmt: skip
def test_a_runnable_that_wants_another_form_names_the_option(played, code, hint, option):
    """langchain-core 1.8.3."""
    pytest.importorskip("langchain_core", reason="needs: pip install 'turnmark[langchain]'")
    result, _ = played(code, "langchain:{file}:IT")
    (cause,) = result.noted.causes
    assert cause.startswith(f"invalid_reply: {hint}")
    again, _ = played(code, "langchain:{file}:IT", options={"input": option}, overwrite=True)
    assert again.counters["ok_turns"] == 2


@pytest.mark.parametrize("said", ["", ", 'messages': [AIMessage('', tool_calls=[])]"])
def test_a_graph_that_asks_a_person_is_named(played, said):
    """langgraph 1.2.24: `interrupt()` with a checkpointer; with a tool call before it the reply was an empty one."""
    pytest.importorskip("langgraph", reason="needs: pip install 'turnmark[langchain]'")
    code = (
        "from typing import Annotated, TypedDict\n"
        "from langgraph.graph import END, START, StateGraph\n"
        "from langgraph.graph.message import add_messages\n"
        "from langgraph.checkpoint.memory import MemorySaver\n"
        "from langgraph.types import interrupt\n"
        "from langchain_core.messages import AIMessage\n"
        "class State(TypedDict):\n    messages: Annotated[list, add_messages]\n    noted: str\n"
        f"def call(state):\n    return {{'noted': 'x'{said}}}\n"
        "def ask(state):\n    return {'noted': interrupt('Shall I buy?')}\n"
        "graph = StateGraph(State)\n"
        "graph.add_node('call', call)\ngraph.add_node('ask', ask)\n"
        "graph.add_edge(START, 'call')\ngraph.add_edge('call', 'ask')\ngraph.add_edge('ask', END)\n"
        "IT = graph.compile(checkpointer=MemorySaver())\n"
    )
    result, turns = played(code, "langchain:{file}:IT")
    (cause,) = result.noted.causes
    assert cause.startswith("invalid_reply: the graph stopped at interrupt() and asks: Shall I buy?. Nobody answers")
    assert {turn["turn_status"] for turn in turns} == {"error"}


def test_answers_that_are_there_already_are_skipped_with_the_reason_and_are_no_success(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    cases = tmp_path / "cases.jsonl"
    cases.write_text('{"question": "What is a bond?", "answer": "A loan."}\n' * 3)
    result = replay(ReplayRequest(cases, "demo", out=tmp_path / "run"))
    print_result(result, ENGLISH)
    assert some_failed(result)
    said = capsys.readouterr().out
    assert "0 dialogues played, 3 skipped" in said
    assert "3 skipped: they have an answer; remove the field to have them answered, or score them as they are" in said


@pytest.mark.parametrize(
    ("language", "words"), [("en", "2 warnings about what the agent"), ("ko", "2건"), ("zh", "2 条")]
)
def test_warnings_are_counted_on_page_one(played, tmp_path, language, words):
    played(NUMPY)
    run_folder = tmp_path / "run"
    score(ScoreRequest((run_folder / "dialog_trace.jsonl",), out=run_folder))
    pages = write_report(run_folder, options=ReportOptions(language=language))
    for page in pages:
        said = page.read_text("utf-8")
        assert words in said
        assert "recall_done: $.items[1].score" in said.replace("\\", "")
