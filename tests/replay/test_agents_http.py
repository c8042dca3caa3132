"""Assistants behind HTTP, against a real server: chat completions, and interfaces that a YAML file describes."""

import asyncio
import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from building import dataset_dialog, write_lines
from servers.chat_server import ChatServer
from turnmark.errors import PackError, UsageError
from turnmark.llm.secrets import Secrets
from turnmark.replay.agents.http_generic import HttpAgentSource
from turnmark.replay.agents.http_template import BLANKS, compiled, filled
from turnmark.replay.agents.loading import load_agent
from turnmark.replay.protocol import AgentFailure, Reply, Usage

NAMES = {"dialog_id": "d/1 号", "session_id": "s1", "user_id": "u1", "seed": 7, "memory_dir": None, "observer": None}
KEY = "sk-not-to-be-seen-anywhere"


def talk(source, *texts, timeout_sec=5.0):
    """The replies of one dialogue, each a Reply or the failure."""

    async def run():
        agent = source.make(timeout_sec=timeout_sec, **NAMES)
        found = []
        for text in texts:
            try:
                found.append(await agent.handle_turn(text))
            except AgentFailure as failure:
                found.append(failure)
        await source.aclose()
        return found

    return asyncio.run(run())


def config(tmp_path, text, environment=None):
    path = tmp_path / "bot.yaml"
    path.write_text(text, "utf-8")
    return HttpAgentSource(path, environment or {})


def test_a_model_sees_its_system_prompt_and_the_turns_before(tmp_path):
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("\ufeff你是理财顾问。\n", "utf-8")
    with ChatServer(answer=lambda body: f"reply {len(body['messages'])}") as server:
        options = {"base_url": server.base_url, "system_prompt": str(prompt), "history_turns": 1}
        source = load_agent("openai:m", options | {"prices": {"input": 1.0, "output": 2.0}})
        replies = talk(source, "one", "two", "three")
        asked = [[message["content"] for message in one["body"]["messages"]] for one in server.requests]
    assert asked == [
        ["你是理财顾问。", "one"],
        ["你是理财顾问。", "one", "reply 2", "two"],
        ["你是理财顾问。", "two", "reply 4", "three"],
    ]
    assert replies[0] == Reply(text="reply 2", usage=Usage(input_tokens=3, output_tokens=2), cost=7e-6, model="m")
    assert source.description["model_name"] == "m"
    assert source.description["history_turns"] == 1
    assert source.description["system_prompt"]["file"] == "prompt.txt"


@pytest.mark.parametrize(("turns", "seen"), [(0, [1, 1, 1]), (None, [1, 3, 5])])
def test_windows_of_history(turns, seen):
    with ChatServer() as server:
        talk(load_agent("openai:m", {"base_url": server.base_url, "history_turns": turns}), "a", "b", "c")
        assert [len(one["body"]["messages"]) for one in server.requests] == seen


def test_a_turn_that_failed_leaves_no_trace_so_the_same_call_may_be_made_again():
    with ChatServer(permanent={"second": "server_error"}) as server:
        source = load_agent("openai:m", {"base_url": server.base_url})
        first, failure, third = talk(source, "first", "second", "third")
        assert source.make().repeatable
        contents = [message["content"] for message in server.requests[2]["body"]["messages"]]
    assert (failure.kind, failure.retryable, failure.status) == ("http", True, 500)
    assert contents == ["first", first.text, "third"]
    assert third.text


@pytest.mark.parametrize(
    ("fault", "kind"),
    [("rate_limit", "rate_limit"), ("reset", "connection"), ("hang", "timeout"), ("invalid_json", "invalid_reply")],
)
@pytest.mark.parametrize("stream", [False, True])
def test_faults_become_failures_of_the_turn(fault, kind, stream):
    with ChatServer(faults={fault: 1.0}, hang=2) as server:
        source = load_agent("openai:m", {"base_url": server.base_url, "stream": stream})
        [failure] = talk(source, "a", timeout_sec=0.3 if fault == "hang" else 5)
    assert (failure.kind, failure.retryable) == (kind, True)
    assert failure.retry_after == (1.0 if fault == "rate_limit" else None)


@pytest.mark.parametrize(
    ("spec", "options", "says"),
    [
        ("openai:", {}, "expected the name of a model"),
        ("openai:m", {"temprature": 1, "sed": 2}, "unknown options sed, temprature; expected some of answer_format"),
        ("openai:m", {"temperature": "hot"}, "an option is wrong: Expected `float | null`, got `str`"),
        ("openai:m", {"model": "other"}, "unknown options model"),
        ("openai:m", {"history_turns": -1}, "history_turns is -1; expected 0 or more"),
        ("openai:m", {"system_prompt": "/nowhere/prompt.txt"}, "cannot be read as a system prompt"),
        ("http:", {}, "expected a YAML file that describes the interface"),
        ("http://localhost", {}, "expected a YAML file"),
        ("http:bot.yaml", {"url": "x"}, "takes no options; write url into bot.yaml"),
        ("http:/nowhere/bot.yaml", {}, "cannot be read"),
    ],
)
def test_settings_that_cannot_be(spec, options, says):
    with pytest.raises(UsageError) as raised:
        load_agent(spec, options)
    assert says in str(raised.value)


def test_any_interface_that_a_file_describes(tmp_path):
    text = """
    name: house-bot
    url: "{server}/agent?dialog={{dialog_id}}"
    query: {{lang: "zh 中"}}
    headers: {{Authorization: "Bearer ${{TOKEN}}", X-User: "{{user_id}}"}}
    body:
      message: "{{user_text}}"
      past: "{{history}}"
      all: "{{messages}}"
      note: "turn {{turn_index}} of {{session_id}}, {{{{as is}}}}"
      seed: "{{seed}}"
      deep: [1, null, true, {{x: "{{dialog_id}}"}}]
    reply:
      answer: $.data.answer
      contexts: $.data.docs[*].text
      input_tokens: $.usage.in
      output_tokens: $.usage.out
      cost: $.price
      model: $.no.model
      error: $.error
    """
    with ChatServer(key=KEY, answer=lambda body: f"about {body['message']}") as server:
        source = config(tmp_path, text.format(server=server.url), {"TOKEN": KEY})
        first, second = talk(source, '钱"}{user_text}', "two")
        one, two = server.requests
    assert first == Reply(
        text='about 钱"}{user_text}', usage=Usage(input_tokens=11, output_tokens=7), cost=0.002,
        retrieved_contexts=["first passage", "second passage"],
    )  # fmt: skip
    assert parse_qs(urlsplit(one["target"]).query) == {"dialog": ["d/1 号"], "lang": ["zh 中"]}
    assert one["headers"]["x-user"] == "u1"
    assert one["body"] == {
        "message": '钱"}{user_text}', "past": [], "all": [{"role": "user", "content": '钱"}{user_text}'}],
        "note": "turn 0 of s1, {as is}", "seed": 7, "deep": [1, None, True, {"x": "d/1 号"}],
    }  # fmt: skip
    assert two["body"]["past"] == [
        {"role": "user", "content": '钱"}{user_text}'}, {"role": "assistant", "content": first.text},
    ]  # fmt: skip
    assert two["body"]["note"].startswith("turn 1")
    assert second.text == "about two"
    assert KEY not in json.dumps(source.description)
    assert source.description["model_name"] == "house-bot"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_filling_never_changes_the_form(words):
    template = compiled({"a": "{user_text}", "b": ["x {user_text} y"], "c": "{history}"}, Secrets({}))
    values = dict.fromkeys(BLANKS, words)
    assert filled(template, values) == {"a": words, "b": [f"x {words} y"], "c": words}


def test_get_without_a_body_and_text_as_the_answer(tmp_path):
    with ChatServer() as server:
        source = config(
            tmp_path, f'name: b\nurl: {server.url}/agent\nmethod: GET\nquery: {{message: "{{user_text}}"}}\n'
            "reply: {format: text}\n",
        )  # fmt: skip
        [reply] = talk(source, "a&b=c 钱")
        assert server.requests[0]["body"] == {"message": "a&b=c 钱"}
        assert server.requests[0]["headers"].get("content-type") is None
    assert reply.text.startswith('{"data": {"answer": "Noted.')


STREAM = """
name: b
url: {server}/agent-stream
body: {{message: "{{user_text}}"}}
reply:
  format: sse
  events: [delta]
  {rest}
"""


def test_a_stream_of_events_is_put_together(tmp_path):
    with ChatServer() as server:
        rest = "answer: $.text\n  contexts: $.docs[*]\n  input_tokens: $.usage.in\n  output_tokens: $.usage.out"
        [reply] = talk(config(tmp_path, STREAM.format(server=server.url, rest=rest)), "钱在哪里")
        assert server.requests[0]["headers"]["accept"] == "text/event-stream"
        [raw] = talk(config(tmp_path, STREAM.format(server=server.url, rest="done: '[DONE]'")), "a")
        [endless] = talk(config(tmp_path, STREAM.format(server=server.url, rest="answer: $.text\n  done: null")), "a")
    assert reply.text == "Noted. You asked about 4 characters: fees, risks and terms differ."
    assert reply.retrieved_contexts == ["first passage"]
    assert reply.usage == Usage(input_tokens=5, output_tokens=3)
    assert raw.text.startswith('{"text": "Noted. You ')
    assert endless.text.endswith("terms differ.")


def test_a_stream_that_ends_early_or_breaks(tmp_path):
    with ChatServer() as server:
        early = config(tmp_path, STREAM.format(server=server.url, rest="answer: $.text\n  done: THE END"))
        [failure] = talk(early, "a")
        assert str(failure) == "the stream ended before 'THE END', after 7 events"
        server.faults = {"truncated_body": 1.0}
        [failure] = talk(config(tmp_path, STREAM.format(server=server.url, rest="answer: $.text")), "a")
        assert (failure.kind, failure.retryable) == ("connection", True)


def test_a_server_that_does_not_stream_is_understood(tmp_path):
    with ChatServer() as server:
        text = STREAM.format(server=server.url, rest="answer: $.data.answer").replace("agent-stream", "agent")
        [reply] = talk(config(tmp_path, text), "a")
        assert reply.text.startswith("Noted.")
        text = STREAM.format(server=server.url, rest="done: x").replace("agent-stream", "agent")
        [failure] = talk(config(tmp_path, text), "a")
    assert "expected a stream of events, found object" in str(failure)


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("{answer: $.nothing}", "reply.answer ($.nothing): expected a text, found nothing in object of 3"),
        ("{answer: $.usage.in}", "expected a text, found integer 11"),
        (
            "{answer: $.data.answer, contexts: '$.usage.in'}",
            "reply.contexts ($.usage.in): expected texts, found integer",
        ),
        ("{answer: $.data.answer, cost: $.data}", "reply.cost ($.data): expected a number, found object"),
        ("{answer: $.data.answer, error: $.usage}", "the reply is an error: {'in': 11"),
    ],
)
def test_replies_of_another_form(tmp_path, reply, says):
    with ChatServer() as server:
        text = f'name: b\nurl: {server.url}/agent\nbody: {{message: "{{user_text}}"}}\nreply: {reply}\n'
        [failure] = talk(config(tmp_path, text), "a")
    assert (failure.kind, failure.retryable) == ("invalid_reply", True)
    assert says in str(failure)


def test_a_reply_that_is_no_json_and_one_that_fails(tmp_path):
    with ChatServer(faults={"invalid_json": 1.0}) as server:
        text = f'name: b\nurl: {server.url}/agent\nbody: {{message: "{{user_text}}"}}\nreply: {{answer: $.data}}\n'
        [failure] = talk(config(tmp_path, text), "a")
        assert "the reply is no JSON" in str(failure)
        server.faults = {"bad_request": 1.0}
        [failure] = talk(config(tmp_path, text), "a")
    assert (failure.kind, failure.retryable, failure.status) == ("http", False, 400)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name: b\nurl: http://h/\nreply: {}\n", "bot.yaml:3: $.reply.answer: expected the JSON path of the answer"),
        ("name: b\nurl: h/\nreply: {answer: $.a}\n", "bot.yaml:2: $.url: expected an address that begins with http://"),
        ("name: b\nurl: http://h/\nbody:\n  - m: '{usertext}'\nreply: {answer: $.a}\n",
         "bot.yaml:4: $.body[0].m: expected one of {user_text}, {history}"),
        ("name: b\nurl: http://h/\nheaders: {A: '${NOPE}'}\nreply: {answer: $.a}\n",
         "bot.yaml:3: $.headers.A: expected the environment variable NOPE to be set"),
        ("name: b\nurl: http://h/\nreply: {answer: '$.['}\n", "bot.yaml:3: $.reply.answer: expected a JSON path"),
        ("name: b\nurl: http://h/\nreplay: {answer: $.a}\n", "bot.yaml:3: $.replay: expected only fields"),
        ("name: b\nurl: http://h/\nmethod: DELETE\nreply: {answer: $.a}\n", "bot.yaml:3: $.method: expected one of"),
        ("a: [", "bot.yaml:2: $: expected YAML"),
    ],
)  # fmt: skip
def test_files_that_are_wrong_name_line_and_field(tmp_path, text, says):
    with pytest.raises(PackError) as raised:
        config(tmp_path, text)
    assert says in str(raised.value)
    assert "->" not in str(raised.value)


def test_without_the_extra_the_error_names_the_install_line(tmp_path):
    path = tmp_path / "bot.yaml"
    path.write_text("name: b\nurl: http://h/\nreply: {answer: $.a}\n")
    code = "import sys; sys.modules['jsonpath'] = None\nfrom turnmark.replay.agents.loading import load_agent\n"
    code += f"load_agent('http:{path}')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "MissingExtraError: agents behind HTTP need python-jsonpath: pip install 'turnmark[http]'" in done.stderr


class _Halves(BaseHTTPRequestHandler):
    """Answers with halves of characters: as one document, or as a stream that cuts an emoji in two."""

    asked: ClassVar[list[dict]] = []

    def do_POST(self):
        self.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        document, kind = b'{"text": "half \\ud83d, whole \\ud83d\\ude00"}', "application/json"
        if self.path == "/stream":
            pieces = ('"one \\ud83d"', '"\\ude00 two \\udead"')
            document = "".join(f'data: {{"text": {piece}}}\n\n' for piece in pieces).encode() + b"data: [DONE]\n\n"
            kind = "text/event-stream"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(document)))
        self.end_headers()
        self.wfile.write(document)

    def log_message(self, *_arguments):
        pass


@pytest.fixture
def halves():
    _Halves.asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Halves)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    ("path", "form", "wanted", "lost"),
    [
        ("one", "answer: $.text", "half \ufffd, whole 😀", 1),
        ("stream", "{format: sse, answer: $.text, done: '[DONE]'}", "one 😀 two \ufffd", 1),
    ],
)
def test_half_a_character_keeps_the_turn_and_the_next_one_is_asked(path, form, wanted, lost, halves, cli, tmp_path):
    bot = tmp_path / "bot.yaml"
    reply = form if form.startswith("{") else f"{{{form}}}"
    bot.write_text(
        f'name: b\nurl: {halves}/{path}\nbody: {{message: "{{user_text}}", past: "{{history}}"}}\nreply: {reply}\n'
    )
    dataset = write_lines(tmp_path / "d.jsonl", dataset_dialog("d1", pairs=2))
    assert cli("replay", dataset, "--agent", f"http:{bot}", "--out", tmp_path / "run").code == 0
    turns = json.loads((tmp_path / "run" / "dialog_trace.jsonl").read_text())["turns"]
    assert [turn["pred_assistant_text"] for turn in turns] == [wanted, wanted]
    assert turns[0]["replay"]["warnings"] == [f"the reply held {lost} lone surrogate(s); kept as U+FFFD"]
    assert [message["content"] for message in _Halves.asked[1]["past"]][1] == wanted


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("path", "contexts"),
    [
        ("$.citations[*]", ["https://a.example", "https://b.example"]),
        ("citations", ["https://a.example", "https://b.example"]),
        ("$.search[*]", ["첫째 문서", "第二篇"]),
        ("$.search", ["첫째 문서", "第二篇"]),
        ("$.nothing[*]", []),
    ],
)
def test_contexts_are_found_in_the_reply_of_a_model(path, contexts, stream):
    more = {
        "citations": ["https://a.example", "https://b.example"],
        "search": [{"page_content": "첫째 문서"}, {"title": "b", "text": "第二篇"}],
    }
    with ChatServer(more=more) as server:
        options = {"base_url": server.base_url, "contexts": path, "stream": stream}
        source = load_agent("openai:m", options)
        (reply,) = talk(source, "one")
    assert list(reply.retrieved_contexts) == contexts
    assert source.description["contexts"] == path


def test_contexts_of_the_message_itself_are_found():
    more = {"choices[0].message": {"context": {"messages": [{"role": "tool", "content": "Two months' notice."}]}}}
    with ChatServer(more=more) as server:
        options = {"base_url": server.base_url, "contexts": "$.choices[0].message.context.messages[*].content"}
        (reply,) = talk(load_agent("openai:m", options), "one")
    assert reply.retrieved_contexts == ["Two months' notice."]


def test_contexts_that_are_no_texts_and_paths_that_are_none_are_named():
    with ChatServer(more={"usage_map": {"a": 1}}) as server:
        source = load_agent("openai:m", {"base_url": server.base_url, "contexts": "$.usage_map"})
        (failure,) = talk(source, "one")
    assert "contexts ($.usage_map): expected texts, found" in str(failure)
    with pytest.raises(UsageError, match=r"openai: contexts: expected a JSON path such as .*, found '\$\.\['"):
        load_agent("openai:m", {"contexts": "$.["})


def test_the_model_reads_the_contexts_of_its_case_in_the_system_prompt(tmp_path):
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("Answer from:\n{contexts}\nElse say {nothing}.", "utf-8")
    (tmp_path / "questions.csv").write_text(
        '질문,문맥\n배송비는?,"[""배송비는 3,000원이다."", ""반품은 7일.""]"\n통지 기간은?,두 달이다.\n', "utf-8"
    )
    with ChatServer(answer=lambda _body: "배송비는 3,000원입니다.") as server:
        ran = subprocess.run(
            [sys.executable, "-m", "turnmark", "run", tmp_path / "questions.csv", "--agent", "openai:m",
             "--agent-option", f"base_url={server.base_url}", "--agent-option", f"system_prompt={prompt}",
             "--out", tmp_path / "run"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        read = sorted(one["body"]["messages"][0]["content"] for one in server.requests)
    assert ran.returncode == 0, ran.stderr
    assert read == [
        "Answer from:\n두 달이다.\nElse say {nothing}.",
        "Answer from:\n배송비는 3,000원이다.\n\n반품은 7일.\nElse say {nothing}.",
    ]
    cases = [json.loads(line) for line in (tmp_path / "run" / "cases.jsonl").read_text("utf-8").splitlines()]
    assert cases[0]["retrieved_contexts"] == ["배송비는 3,000원이다.", "반품은 7일."]


def test_contexts_of_the_reply_take_the_place_of_those_of_the_table(tmp_path):
    write_lines(tmp_path / "q.jsonl", {"question": "Notice?", "contexts": ["Old."]}, {"question": "Fee?"})
    docs = {"docs": [{"content": "Notice is two months."}]}
    with ChatServer(answer=lambda _body: "Two months.", more=docs) as server:
        ran = subprocess.run(
            [sys.executable, "-m", "turnmark", "run", tmp_path / "q.jsonl", "--suite", "rag", "--agent", "openai:m",
             "--agent-option", f"base_url={server.base_url}", "--agent-option", "contexts=$.docs[*]",
             "--out", tmp_path / "run"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    cases = [json.loads(line) for line in (tmp_path / "run" / "cases.jsonl").read_text("utf-8").splitlines()]
    assert [case["retrieved_contexts"] for case in cases] == [["Notice is two months."]] * 2
    assert "faithfulness" in json.loads((tmp_path / "run" / "metrics_summary.json").read_text("utf-8"))["metrics"]
