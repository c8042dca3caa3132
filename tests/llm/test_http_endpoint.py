import asyncio
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import turnmark
from servers.chat_server import TRANSPORT_FAULTS, ChatServer
from turnmark.errors import UsageError
from turnmark.llm.http import HttpClient
from turnmark.llm.openai import ChatSettings, OpenAIEndpoint
from turnmark.llm.protocol import AnswerSchema, CallFailure, ChatRequest, Message
from turnmark.llm.secrets import Secrets

KEY = "sk-not-to-be-seen-anywhere"
ASK = ChatRequest(messages=(Message("user", "你好"),))


def send(base_url, request=ASK, *, seconds=5.0, environment=None, **settings):
    """One call by an endpoint of its own; the completion or the failure."""

    async def run():
        endpoint = OpenAIEndpoint(
            ChatSettings(model="m", base_url=base_url, **settings),
            {"OPENAI_API_KEY": KEY} if environment is None else environment,
        )
        try:
            return await endpoint.send(request, seconds=seconds)
        except CallFailure as failure:
            return failure
        finally:
            await endpoint.aclose()

    return asyncio.run(run())


class RawServer:
    """Sends the same bytes to whoever connects."""

    def __init__(self, reply):
        self._reply = reply

    def __enter__(self):
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"

    def __exit__(self, *_):
        self._thread.join(5)
        self._socket.close()

    def _run(self):
        with self._socket.accept()[0] as connection:
            connection.recv(1 << 16)
            connection.sendall(self._reply)


def http(status, body, *headers):
    raw = body.encode()
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(raw)}", "Connection: close", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + raw


def delta(text):
    return f'data: {{"choices": [{{"delta": {{"content": "{text}"}}}}]}}\n\n'


@pytest.mark.parametrize("stream", [False, True])
def test_an_answer_with_its_usage(stream):
    with ChatServer(key=KEY) as server:
        answer = send(server.base_url, stream=stream)
        sent = server.requests[0]["body"]
    assert answer.text == "Noted. You asked about 2 characters: fees, risks and terms differ."
    assert (answer.input_tokens, answer.output_tokens, answer.finish_reason, answer.model) == (1, 17, "stop", "m")
    assert sent["messages"] == [{"role": "user", "content": "你好"}]
    assert (sent["temperature"], sent["seed"]) == (0.0, 0)


def test_the_body_says_what_was_set():
    request = ChatRequest(messages=ASK.messages, answer_schema=AnswerSchema("form", {"type": "object"}), variation=3)
    with ChatServer() as server:
        send(server.base_url, request, seed=10, max_tokens=50, extra_body={"top_p": 0.5, "temperature": 1})
        send(server.base_url, request, answer_format="json_object", temperature=None, seed=None)
        send(
            server.base_url,
            request,
            answer_format="plain",
            headers={"X-Tier": "${TIER}"},
            environment={"TIER": "batch"},
        )
        first, second, third = server.requests
    assert first["body"] == {
        "model": "m", "messages": [{"role": "user", "content": "你好"}], "temperature": 1, "seed": 13, "max_tokens": 50,
        "response_format": {
            "type": "json_schema", "json_schema": {"name": "form", "strict": True, "schema": {"type": "object"}},
        },
        "top_p": 0.5,
    }  # fmt: skip
    assert set(second["body"]) == {"model", "messages", "response_format"}
    assert second["body"]["response_format"] == {"type": "json_object"}
    assert "response_format" not in third["body"]
    assert third["headers"]["x-tier"] == "batch"
    assert "authorization" not in third["headers"]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("fault", "kind", "says"),
    [
        ("rate_limit", "rate_limit", "HTTP 429 Some Reason: slow down"),
        ("server_error", "http", "HTTP 500 Some Reason: worker died"),
        ("reset", "connection", "the connection broke"),
        ("truncated_body", "connection", "the connection broke"),
        ("hang", "timeout", "no whole answer in 0.3 s"),
        ("slow_stream", "timeout", "no whole answer in 0.3 s"),
        ("invalid_json", "invalid_reply", "the reply is no chat completion"),
    ],
)
def test_every_fault_of_the_way_has_a_name_and_may_be_tried_again(stream, fault, kind, says):
    with ChatServer(faults={fault: 1.0}, hang=2) as server:
        failure = send(server.base_url, seconds=0.3 if fault in {"hang", "slow_stream"} else 5, stream=stream)
    assert isinstance(failure, CallFailure)
    assert (failure.kind, failure.retryable) == (kind, True)
    assert says in str(failure)
    assert failure.retry_after == (1.0 if fault == "rate_limit" else None)
    assert fault in TRANSPORT_FAULTS


def test_a_slow_stream_that_ends_in_time_is_an_answer():
    with ChatServer(faults={"slow_stream": 1.0}, slow=0.2) as server:
        assert send(server.base_url, stream=True).text.startswith("Noted.")


def test_a_date_in_retry_after():
    with ChatServer(faults={"rate_limit": 1.0}, retry_after="date") as server:
        assert 0 <= send(server.base_url).retry_after <= 2


def test_nobody_listens():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    failure = send(f"http://127.0.0.1:{port}/v1")
    assert (failure.kind, failure.retryable) == ("connection", True)


@pytest.mark.parametrize(
    ("reply", "kind", "retryable", "says"),
    [
        (http("401 Unauthorized", '{"error": {"message": "Incorrect key: ' + KEY + '"}}'), "http", False,
         "HTTP 401 Unauthorized: Incorrect key: ***; check the key and the name of the variable that holds it"),
        (http("403 Forbidden", '{"detail": "no"}'), "http", False, "no; check what the key may do"),
        (http("404 Not Found", "<html>  no\n such "), "http", False, "<html> no such; check base URL and model"),
        (http("400 Bad", '{"error": "too long"}'), "http", False, "HTTP 400 Bad: too long"),
        (http("418 Teapot", "[1, 2]"), "http", False, "HTTP 418 Teapot: [1, 2]"),
        (http("307 Moved", "", f"Location: http://other/?k={KEY}"), "http", False, "moved to http://other/?k=***"),
        (http("302 Found", ""), "http", False, "the address moved to nowhere"),
        (http("503 Down", "x" * 5000), "http", True, "x" * 200 + "…"),
        (http("529 Overloaded", "{}"), "http", True, "HTTP 529"),
        (http("429 Slow", '{"error": {"message": "Pay first", "code": "insufficient_quota"}}'), "rate_limit", False,
         "Pay first (insufficient_quota)"),
        (http("200 OK", '{"error": {"message": "up ' + KEY + '"}}'), "invalid_reply", True, "is an error: up ***"),
        (http("200 OK", '{"error": "gone"}'), "invalid_reply", True, "the reply is an error: gone"),
        (http("200 OK", '{"choices": []}'), "invalid_reply", True, "expected choices[0].message, found none"),
        (http("200 OK", '{"choices": [{"message": {"content": 5}}]}'), "invalid_reply", True, "Expected `str |"),
        (http("200 OK", KEY), "invalid_reply", True, "it begins '***'"),
        (b"NONSENSE\r\n\r\n", "connection", True, "the connection broke"),
        (http("200 OK", 'data: {"choices": [{"delta": {"content": "half"}}]}\n\n', "Content-Type: text/event-stream"),
         "invalid_reply", True, "no chat completion"),
    ],
    ids=lambda value: value[:40].decode("latin-1") if isinstance(value, bytes) else None,
)  # fmt: skip
def test_what_else_may_come(reply, kind, retryable, says):
    with RawServer(reply) as base_url:
        failure = send(base_url)
    assert (failure.kind, failure.retryable) == (kind, retryable)
    assert says in str(failure)
    assert KEY not in str(failure) + repr(failure)
    assert failure.__cause__ is None


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ('{"content": null}', ""),
        ('{"content": null, "refusal": "I will not."}', "I will not."),
        (
            '{"content": [{"type": "text", "text": "two "}, {"type": "text", "text": "parts"}], "role": "assistant"}',
            "two parts",
        ),
    ],
)
def test_forms_of_content(content, text):
    with RawServer(http("200 OK", f'{{"choices": [{{"message": {content}}}], "new": 1}}')) as base_url:
        answer = send(base_url)
    assert (answer.text, answer.input_tokens, answer.finish_reason) == (text, None, None)


@pytest.mark.parametrize(
    ("events", "result"),
    [
        (delta("whole") + 'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\n\n', "whole"),
        (delta("half"), ("connection", "the stream ended before [DONE], after 4 characters")),
        ('data: {"error": {"message": "no more"}}\n\n', ("invalid_reply", "the reply is an error: no more")),
    ],
)  # fmt: skip
def test_ends_of_a_stream(events, result):
    with RawServer(http("200 OK", events, "Content-Type: text/event-stream")) as base_url:
        got = send(base_url, stream=True)
    if isinstance(result, str):
        assert got.text == result
    else:
        assert (got.kind, result[1] in str(got)) == (result[0], True)


def test_a_server_that_does_not_stream_is_understood():
    with RawServer(
        http("200 OK", '{"choices": [{"message": {"content": "at once"}}]}', "Content-Type: application/json")
    ) as base_url:
        assert send(base_url, stream=True).text == "at once"


def test_a_reply_without_end_is_cut(monkeypatch):
    monkeypatch.setattr("turnmark.llm.http._LARGEST_BODY", 1000)
    for stream, kind in ((False, "application/json"), (True, "text/event-stream")):
        with RawServer(http("200 OK", "x" * 5000, f"Content-Type: {kind}")) as base_url:
            failure = send(base_url, stream=stream)
        assert (failure.kind, failure.retryable) == ("invalid_reply", False)


def test_addresses_that_are_none():
    for base_url in ("localhost:8000", "ftp://x/v1", "http://", ""):
        with pytest.raises(UsageError, match=r"base_url is .*expected one like http://localhost:8000/v1"):
            OpenAIEndpoint(ChatSettings(model="m", base_url=base_url or "x"), {})
    failure = send("http://127.0.0.1:99999/v1")
    assert failure.kind == "connection"
    with ChatServer() as server:
        failure = send(server.base_url, headers={"X-A": "line\nbreak"})
        assert server.requests == []
    assert (failure.kind, failure.retryable) == ("connection", False)


def test_a_header_that_refers_to_nothing():
    with pytest.raises(UsageError, match="the environment variable TENANT is not set"):
        OpenAIEndpoint(ChatSettings(model="m", headers={"X-Tenant": "${TENANT}"}), {})


def test_no_secret_in_description_and_repr():
    settings = ChatSettings(
        model="m",
        base_url="https://me:password@host/v1?sig=abc&v=",
        headers={"Api-Key": "literal", "X-Auth": "${KEY}", "X-A": "b"},
    )
    endpoint = OpenAIEndpoint(settings, {"KEY": KEY, "OPENAI_API_KEY": KEY})
    shown = f"{endpoint.description} {endpoint!r}"
    assert endpoint.description["base_url"] == "https://host/v1?sig=***&v=***"
    assert endpoint.description["headers"] == {"Api-Key": "***", "X-Auth": "${KEY}", "X-A": "b"}
    assert not [secret for secret in (KEY, "password", "literal", "abc") if secret in shown]
    assert endpoint.mask(f"a {KEY}") == "a ***"


def test_the_address_may_come_from_the_environment():
    with ChatServer() as server:
        answer = send(None, environment={"OPENAI_BASE_URL": server.base_url + "/"})
    assert answer.text
    assert OpenAIEndpoint(ChatSettings(model="m"), {}).description["base_url"].startswith("https://")


def test_proxies_of_the_environment_are_used_and_may_be_switched_off(monkeypatch):
    for name in ("HTTP_PROXY", "no_proxy", "NO_PROXY", "REQUEST_METHOD"):
        monkeypatch.delenv(name, raising=False)
    with ChatServer() as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        failure = send("http://nowhere.invalid/v1")
        assert proxy.requests[0]["target"].startswith("http://nowhere.invalid/v1")
        assert not isinstance(failure, CallFailure)
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        assert send(proxy.base_url).text
        assert proxy.requests[1]["target"] == "/v1/chat/completions"


def test_without_aiohttp_the_error_names_the_install_line():
    code = (
        "import sys, asyncio; sys.modules['aiohttp'] = None\n"
        "from turnmark.llm.openai import *; from turnmark.llm.protocol import *\n"
        "e = OpenAIEndpoint(ChatSettings(model='m', base_url='http://localhost:1'), {})\n"
        "asyncio.run(e.send(ChatRequest(messages=()), seconds=1))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "MissingExtraError: calls over HTTP need aiohttp: pip install 'turnmark[http]'" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("judge", "rag/cases.jsonl", "--model", "m", "--out"),
        ("replay", "finance/dataset.jsonl", "--agent", "openai:m", "--out"),
        ("synth", "rag", "--docs", "rag/documents", "--n", "3", "--model", "m", "--out"),
    ],
)
def test_without_aiohttp_a_command_begins_nothing(arguments, tmp_path):
    examples = Path(turnmark.__file__).parent / "examples"
    code = "import sys; sys.modules['aiohttp'] = None; from turnmark.cli import main; main()"
    command = [sys.executable, "-c", code, *arguments, str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=examples)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "turnmark: calls over HTTP need aiohttp: pip install 'turnmark[http]'\n"
    assert not (tmp_path / "out").exists()


def test_closing_twice_and_unused_is_fine():
    async def run():
        client = HttpClient(Secrets({}))
        await client.aclose()
        await client.aclose()
        return client

    assert isinstance(asyncio.run(run()), HttpClient)
