"""A real HTTP server on this machine that speaks chat completions and breaks as told.

In a test: ``with ChatServer(faults={"reset": 0.1}) as server: … server.url …``. On its own, for benchmarks, so that
its processor time is not the client's: ``python tests/servers/chat_server.py --latency 0.05``; it prints its address.

Which request breaks depends on nothing but the seed, the body and how often that body came: not on the order of
arrival, nor on the clock.
"""

import argparse
import asyncio
import contextlib
import hashlib
import json
import threading
import time
from collections import Counter
from email.utils import formatdate
from urllib.parse import parse_qs, urlsplit

TRANSPORT_FAULTS = ("rate_limit", "server_error", "reset", "truncated_body", "hang", "slow_stream", "invalid_json")
ANSWER_FAULTS = ("cut_answer", "prose", "fence", "length", "empty")


def echo(body):
    """The answer when the test has no other: a sentence about the last message."""
    return f"Noted. You asked about {len(last_message(body))} characters: fees, risks and terms differ."


def last_message(body):
    messages = body.get("messages") or [{"content": body.get("message", "")}]
    return messages[-1]["content"]


class ChatServer:
    """Serves POST /v1/chat/completions (plain and streamed), POST /agent, POST /agent-stream and GET /agent.

    ``faults`` maps names of faults to the share of requests that they hit; ``permanent`` maps a piece of text to the
    fault of every request whose body holds it. ``latency`` are seconds before a reply, ``hang`` seconds of silence,
    ``slow`` seconds over which a slow stream is spread. ``answer`` makes the text of a reply from the decoded body.
    ``more`` are further fields of a completion (those under ``choices[0].message`` of its message), sent with the last
    event of a stream.
    """

    def __init__(
        self,
        *,
        answer=echo,
        faults=None,
        permanent=None,
        latency=0.0,
        hang=30.0,
        slow=2.0,
        retry_after="1",
        seed=0,
        key=None,
        more=None,
    ):
        self.answer = answer
        self.more = dict(more or {})
        self.faults = dict(faults or {})
        self.permanent = dict(permanent or {})
        self.latency = latency
        self.hang = hang
        self.slow = slow
        self.retry_after = retry_after
        self.seed = seed
        self.key = key
        self.requests = []
        self.keep_requests = True
        self.injected = Counter()
        self.calls = self.prompt_characters = self.running = self.most_running = 0
        self._busy_seconds = 0.0
        self._busy_since = None
        self._area = 0.0
        self._changed = None
        self._seen = Counter()
        self._connections = set()

    def __enter__(self):
        started = threading.Event()

        def run():
            with contextlib.suppress(asyncio.CancelledError):
                asyncio.run(self._serve(started))

        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()
        started.wait()
        return self

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(5)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def base_url(self):
        return f"{self.url}/v1"

    @property
    def mean_running(self):
        return self._area / self._busy_seconds if self._busy_seconds else 0.0

    def statistics(self):
        return {
            "calls": self.calls, "prompt_characters": self.prompt_characters, "most_running": self.most_running,
            "mean_running": self.mean_running, "injected": dict(self.injected),
        }  # fmt: skip

    async def _serve(self, started, port=0):
        self._loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        server = await asyncio.start_server(self._connection, "127.0.0.1", port, limit=1 << 24)
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        await self._stop.wait()
        # A connection that was made just now has to begin before it can be ended and give its socket back.
        await asyncio.sleep(0.02)
        server.close()
        while tasks := list(self._connections):
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(0.01)

    async def _connection(self, reader, writer):
        self._connections.add(asyncio.current_task())
        try:
            while await self._request(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            try:
                writer.close()
                await writer.wait_closed()
            except (ConnectionError, asyncio.CancelledError):
                # What nobody reads any more would keep a polite close waiting for ever.
                writer.transport.abort()
            finally:
                self._connections.discard(asyncio.current_task())

    async def _request(self, reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        method, target, _ = head.split(b"\r\n", 1)[0].decode().split(" ", 2)
        headers = {}
        for line in head.decode("latin-1").split("\r\n")[1:]:
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
        path = urlsplit(target).path
        if path == "/statistics":
            return await self._send(writer, 200, self.statistics())
        self._count(1)
        try:
            return await self._respond(writer, method, target, headers, raw)
        finally:
            self._count(-1)

    def _count(self, change):
        now = time.perf_counter()
        if self.running:
            self._busy_seconds += now - self._changed
            self._area += self.running * (now - self._changed)
        self._changed = now
        self.running += change
        self.most_running = max(self.most_running, self.running)

    def _fault(self, raw):
        text = raw.decode("utf-8", "replace")
        for marker, fault in self.permanent.items():
            if marker in text:
                return fault
        self._seen[raw] += 1
        drawn = hashlib.sha256(b"%d:%d:%s" % (self.seed, self._seen[raw], raw)).digest()
        share = int.from_bytes(drawn[:8], "big") / 2**64
        for fault, rate in self.faults.items():
            if share < rate:
                return fault
            share -= rate
        return None

    async def _respond(self, writer, method, target, headers, raw):
        if self.key is not None and headers.get("authorization") != f"Bearer {self.key}":
            return await self._send(writer, 401, {"error": {"message": f"bad key {headers.get('authorization')}"}})
        body = (
            json.loads(raw) if raw else {name: values[0] for name, values in parse_qs(urlsplit(target).query).items()}
        )
        fault = self._fault(raw or target.encode())
        self.calls += 1
        self.prompt_characters += sum(len(message["content"]) for message in body.get("messages", ()))
        if self.keep_requests:
            self.requests.append({"method": method, "target": target, "headers": headers, "body": body, "fault": fault})
        if self.latency:
            await asyncio.sleep(self.latency)
        if fault is not None:
            self.injected[fault] += 1
        if fault in self._REFUSALS:
            return await getattr(self, f"_{fault}")(writer)
        path = urlsplit(target).path
        if path == "/v1/chat/completions":
            return await self._completion(writer, body, fault)
        if path == "/agent-stream":
            return await self._agent_stream(writer, body, fault)
        if path == "/agent":
            return await self._send(writer, 200, self._agent_reply(body), fault=fault)
        return await self._send(writer, 404, {"error": {"message": f"no {path} here"}})

    _REFUSALS = ("rate_limit", "server_error", "bad_request", "reset", "hang")

    async def _rate_limit(self, writer):
        value = formatdate(time.time() + 1, usegmt=True) if self.retry_after == "date" else self.retry_after
        return await self._send(writer, 429, {"error": {"message": "slow down"}}, {"Retry-After": value})

    async def _server_error(self, writer):
        return await self._send(writer, 500, {"error": {"message": "worker died"}})

    async def _bad_request(self, writer):
        return await self._send(writer, 400, {"error": {"message": "context too long", "code": "too_long"}})

    async def _reset(self, writer):
        writer.transport.abort()
        return False

    async def _hang(self, _writer):
        await asyncio.sleep(self.hang)
        return False

    def _answer(self, body, fault):
        text = self.answer(body)
        match fault:
            case "cut_answer" | "length":
                return text[: len(text) * 2 // 3], "length" if fault == "length" else "stop"
            case "prose":
                return f"Sure, here it is:\n\n{text}\n\nI hope this helps!", "stop"
            case "fence":
                return f"```json\n{text}\n```", "stop"
            case "empty":
                return "", "stop"
        return text, "stop"

    async def _completion(self, writer, body, fault):
        text, finish = self._answer(body, fault)
        size = sum(len(message["content"]) for message in body["messages"])
        usage = {"prompt_tokens": size // 4 + 1, "completion_tokens": len(text) // 4 + 1}
        common = {"id": "c", "object": "chat.completion", "model": body["model"]}
        if body.get("stream"):
            pieces = [text[at : at + 9] for at in range(0, len(text), 9)] or [""]
            events = [{**common, "choices": [{"index": 0, "delta": {"content": piece}}]} for piece in pieces]
            events.append({**common, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
            events.append({**common, "choices": [], "usage": usage, **self.more})
            return await self._events(writer, [("", json.dumps(event)) for event in events], fault)
        more = dict(self.more)
        message = {"role": "assistant", "content": text, **more.pop("choices[0].message", {})}
        choice = {"index": 0, "message": message, "finish_reason": finish}
        return await self._send(writer, 200, {**common, "choices": [choice], "usage": usage, **more}, fault=fault)

    def _agent_reply(self, body):
        text = self.answer(body)
        return {
            "data": {"answer": text, "docs": [{"text": "first passage"}, {"text": "second passage"}]},
            "usage": {"in": 11, "out": 7},
            "price": 0.002,
        }

    async def _agent_stream(self, writer, body, fault):
        text = self.answer(body)
        events = [("note", "{}")]
        events += [("delta", json.dumps({"text": text[at : at + 11]})) for at in range(0, len(text), 11)]
        events.append(("delta", json.dumps({"text": "", "docs": ["first passage"], "usage": {"in": 5, "out": 3}})))
        return await self._events(writer, events, fault)

    async def _events(self, writer, events, fault):
        """Chunked server-sent events, with a comment, CR LF line ends and a piece that ends within a character."""
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        self._chunk(writer, b": hello\r\n\r\n")
        kept = len(events) // 2 if fault == "truncated_body" else len(events)
        for number, (kind, data) in enumerate(events[:kept]):
            if fault == "slow_stream":
                await asyncio.sleep(self.slow / len(events))
            if fault == "invalid_json" and number == kept // 2:
                data = data[: len(data) // 2]  # noqa: PLW2901
            raw = (f"event: {kind}\r\n" if kind else "").encode() + f"data: {data}\r\n\r\n".encode()
            self._chunk(writer, raw[:-3])
            self._chunk(writer, raw[-3:])
            await writer.drain()
        if fault == "truncated_body":
            writer.transport.close()
            return False
        self._chunk(writer, b"data: [DONE]\r\n\r\n")
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    @staticmethod
    def _chunk(writer, data):
        writer.write(b"%x\r\n%s\r\n" % (len(data), data))

    async def _send(self, writer, status, value, headers=None, fault=None):
        payload = json.dumps(value, ensure_ascii=False).encode()
        if fault == "invalid_json":
            payload = payload[: len(payload) * 2 // 3]
        lines = [f"HTTP/1.1 {status} Some Reason", "Content-Type: application/json", f"Content-Length: {len(payload)}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        if fault == "truncated_body":
            writer.write(payload[: len(payload) // 2])
            await writer.drain()
            return False
        if fault == "slow_stream":
            for at in range(0, len(payload), len(payload) // 10 + 1):
                await asyncio.sleep(self.slow / 10)
                writer.write(payload[at : at + len(payload) // 10 + 1])
                await writer.drain()
            return True
        writer.write(payload)
        await writer.drain()
        return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--latency", type=float, default=0.05)
    parser.add_argument("--hang", type=float, default=30.0)
    parser.add_argument("--slow", type=float, default=2.0)
    parser.add_argument("--retry-after", default="1")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--fault", action="append", default=[], metavar="NAME=RATE")
    parser.add_argument("--judge", action="store_true", help="answer prompts of the judge by rule")
    options = parser.parse_args()
    answer = echo
    if options.judge:
        from judge_answers import judge_answer  # noqa: PLC0415

        answer = judge_answer
    faults = {name: float(rate) for name, _, rate in (fault.partition("=") for fault in options.fault)}
    server = ChatServer(
        answer=answer, faults=faults, latency=options.latency, hang=options.hang, slow=options.slow,
        retry_after=options.retry_after, seed=options.seed,
    )  # fmt: skip
    server.keep_requests = False
    with server:
        print(server.url, flush=True)  # noqa: T201
        with contextlib.suppress(KeyboardInterrupt):
            while True:
                time.sleep(3600)


if __name__ == "__main__":
    main()
