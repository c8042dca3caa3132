"""``http:CONFIG.yaml``: an assistant behind any HTTP interface that a YAML file describes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Any, Literal, NoReturn
from urllib.parse import urlencode

import msgspec

from turnmark.errors import PackError, UsageError
from turnmark.llm.http import HttpClient, HttpReply, is_address, require_http
from turnmark.llm.protocol import CallFailure
from turnmark.llm.secrets import Secrets
from turnmark.packs.loading import line_of, read
from turnmark.replay.agents.http import DEFAULT_SECONDS, History, agent_failure, context_texts, finder
from turnmark.replay.agents.http_template import TemplateError, compiled, filled, percent_encoded, text_pairs
from turnmark.replay.masking import is_secret_name
from turnmark.replay.protocol import AgentFailure, Reply, Usage
from turnmark.schemas.jsonl import decoded_with_halves, joined
from turnmark.schemas.problems import Problem, shown
from turnmark.schemas.redaction import SECRETS_IN_USE

_DONE = "[DONE]"
_LONGEST_EXCERPT = 120


class ReplyForm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where things lie in a reply, as JSON paths (RFC 9535); only ``answer`` has to be found.

    ``format`` json: one document. text: the body is the answer. sse: a stream of events; those of the types in
    ``events`` (none named: all) are JSON documents, and the answers found in them are joined (``answer`` left out: the
    data of each event is the text itself). The data ``done`` ends the stream; a stream that ends without it is broken,
    unless ``done`` is null. ``error``: when something is found there, the turn failed with it. ``finish_reason``: why
    the reply ended; "length" says that it was cut off.
    """

    format: Literal["json", "text", "sse"] = "json"
    answer: str | None = None
    contexts: str | None = None
    input_tokens: str | None = None
    output_tokens: str | None = None
    cost: str | None = None
    model: str | None = None
    finish_reason: str | None = None
    error: str | None = None
    events: list[str] = []
    done: str | None = _DONE


class HttpAgentConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The request of a turn, as a template, and the form of its reply. ``name`` stands for the model in the manifest.

    In ``url``, ``query``, ``headers`` and ``body`` blanks such as ``{user_text}`` are filled for every turn and
    ``${NAME}`` from the environment once. What is filled into an address or header is percent-encoded.
    """

    name: str
    url: str
    reply: ReplyForm
    method: Literal["POST", "PUT", "PATCH", "GET"] = "POST"
    query: dict[str, str] = {}
    headers: dict[str, str] = {}
    body: Any = None
    history_turns: int | None = None


class HttpAgent:
    """One dialogue with an assistant behind HTTP."""

    repeatable = True

    def __init__(self, source: HttpAgentSource, seconds: float, names: Mapping[str, Any]) -> None:
        self._source = source
        self._seconds = seconds
        self._names = names
        self._history = History(source.config.history_turns)

    async def handle_turn(self, user_text: str) -> Reply:
        """The assistant's reply. Raises: AgentFailure."""
        history = self._history.messages()
        values = {
            **self._names,
            "user_text": user_text,
            "history": history,
            "messages": [*history, {"role": "user", "content": user_text}],
            "turn_index": self._history.count,
        }
        try:
            reply = await self._source.ask(values, self._seconds)
        except CallFailure as failure:
            raise agent_failure(failure) from None
        self._history.add(user_text, reply.text)
        return reply


class HttpAgentSource:
    """Makes the agents of a run; they share connections. See `turnmark.replay.protocol.AgentSource`.

    Raises: UsageError (PackError) that names file, line and field of what is wrong.
    """

    def __init__(self, path: Path, environment: Mapping[str, str] | None = None) -> None:
        self.config, hash_of_file = read(path, HttpAgentConfig)
        self.description: dict[str, Any] = {
            "model_name": self.config.name,
            "config": {"file": path.name, "sha256": hash_of_file},
        }
        self._secrets = Secrets(os.environ if environment is None else environment)
        self._http = HttpClient(self._secrets)
        for name, value in {**self.config.headers, **self.config.query}.items():
            if is_secret_name(name) and "{" not in value:
                SECRETS_IN_USE.add(value.rpartition(" ")[2])
        self._encoder = msgspec.json.Encoder()
        self._path = path
        config = self.config
        try:
            self._url = compiled(config.url, self._secrets, ("url",))
            self._query = compiled(config.query, self._secrets, ("query",))
            self._headers = compiled(config.headers, self._secrets, ("headers",))
            self._body = compiled(config.body, self._secrets, ("body",))
        except TemplateError as error:
            self._refuse(error.path, error.expected, error.found)
        if not is_address(config.url) and not config.url.startswith("${"):
            self._refuse("$.url", "an address that begins with http:// or https://", shown(config.url))
        if config.reply.format == "json" and config.reply.answer is None:
            self._refuse("$.reply.answer", "the JSON path of the answer, such as $.answer", "none")
        form = config.reply
        fields = ("answer", "contexts", "input_tokens", "output_tokens", "cost", "model", "finish_reason", "error")
        self._paths = {name: self._finder(name, path) for name in fields if (path := getattr(form, name)) is not None}

    def make(self, *, timeout_sec: float = DEFAULT_SECONDS, **arguments: Any) -> HttpAgent:
        """The agent of one dialogue."""
        names = {name: arguments.get(name, "") for name in ("dialog_id", "session_id", "user_id", "seed")}
        return HttpAgent(self, timeout_sec, names)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def ask(self, values: Mapping[str, Any], seconds: float) -> Reply:
        """One request and its reply. Raises: CallFailure, AgentFailure."""
        url = self._url.text(values, percent_encoded)
        if self._query:
            query = urlencode({name: text.text(values) for name, text in self._query.items()})
            url += ("&" if "?" in url else "?") + query
        headers = dict(text_pairs(self._headers, values))
        body = None
        if self._body is not None:
            body = self._encoder.encode(filled(self._body, values))
            headers.setdefault("Content-Type", "application/json")
        if self.config.reply.format == "sse":
            headers.setdefault("Accept", "text/event-stream")
            return await self._streamed(partial(self._http.stream, self.config.method, url), headers, body, seconds)
        reply = await self._http.fetch(self.config.method, url, headers=headers, body=body, seconds=seconds)
        if self.config.reply.format == "text":
            return Reply(text=reply.body.decode("utf-8", "replace"))
        document = self._json(reply.body)
        return self._reply(self._answer(document), [document])

    async def _streamed(
        self, stream: Callable[..., Any], headers: Mapping[str, str], body: bytes | None, seconds: float
    ) -> Reply:
        form = self.config.reply
        text: list[str] = []
        documents: list[Any] = []
        ended = form.done is None
        async with aclosing(stream(headers=headers, body=body, seconds=seconds)) as events:
            async for event in events:
                if isinstance(event, HttpReply):
                    document = self._json(event.body)
                    return self._reply(self._answer(document), [document])
                if event.data == form.done:
                    ended = True
                    break
                if form.events and event.event not in form.events:
                    continue
                if form.answer is None:
                    text.append(event.data)
                    continue
                document = self._json(event.data.encode())
                self._raise_error(document)
                text += [part for part in self._paths["answer"](document) if isinstance(part, str)]
                documents.append(document)
        if not ended:
            message = f"the stream ended before {form.done!r}, after {len(documents) or len(text)} events"
            raise AgentFailure(message, kind="connection", retryable=True)
        return self._reply(joined(text), documents)

    def _reply(self, text: str, documents: list[Any]) -> Reply:
        """The reply with what else was found, the last value of each in a stream."""
        contexts = None
        if "contexts" in self._paths:
            found = [item for document in documents for item in self._paths["contexts"](document)]
            try:
                contexts = context_texts(found)
            except ValueError as error:
                self._invalid("contexts", "texts", str(error))
        tokens = self._number("input_tokens", documents), self._number("output_tokens", documents)
        usage = None
        if tokens != (None, None):
            usage = Usage(input_tokens=int(tokens[0] or 0), output_tokens=int(tokens[1] or 0))
        models, ended = self._found("model", documents), self._found("finish_reason", documents)
        return Reply(
            text=text,
            usage=usage,
            cost=self._number("cost", documents),
            retrieved_contexts=contexts,
            model=str(models[-1]) if models else None,
            finish_reason=str(ended[-1]) if ended and ended[-1] != "stop" else None,
        )

    def _found(self, name: str, documents: list[Any]) -> list[Any]:
        if name not in self._paths:
            return []
        return [item for document in documents for item in self._paths[name](document) if item is not None]

    def _number(self, name: str, documents: list[Any]) -> float | None:
        result = self._found(name, documents)
        if not result:
            return None
        if isinstance(result[-1], bool) or not isinstance(result[-1], int | float):
            self._invalid(name, "a number", shown(result[-1]))
        return float(result[-1])

    def _answer(self, document: Any) -> str:
        self._raise_error(document)
        if "answer" not in self._paths:
            self._invalid("answer", "a stream of events", shown(document))
        paths = self._paths["answer"](document)
        if not paths or not all(isinstance(part, str) for part in paths):
            self._invalid("answer", "a text", shown(paths[0]) if paths else f"nothing in {shown(document)}")
        return joined(paths)

    def _raise_error(self, document: Any) -> None:
        errors = [item for item in self._found("error", [document]) if item not in ("", False, [], {})]
        if errors:
            said = self._secrets.mask(" ".join(str(errors[0]).split()))[:_LONGEST_EXCERPT]
            raise AgentFailure(f"the reply is an error: {said}", kind="invalid_reply", retryable=True)

    def _json(self, raw: bytes) -> Any:
        try:
            return decoded_with_halves(raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            excerpt = self._secrets.mask(raw[:_LONGEST_EXCERPT].decode("utf-8", "replace"))
            message = f"the reply is no JSON: {error}; it begins {excerpt!r}"
            raise AgentFailure(message, kind="invalid_reply", retryable=True) from None

    def _invalid(self, field: str, expected: str, found: str) -> NoReturn:
        path = getattr(self.config.reply, field)
        message = f"reply.{field} ({path}): expected {expected}, found {self._secrets.mask(found)}"
        raise AgentFailure(message, kind="invalid_reply", retryable=True)

    def _finder(self, field: str, path: str) -> Callable[[Any], list[Any]]:
        try:
            return finder(path)
        except ValueError as error:
            self._refuse(f"$.reply.{field}", "a JSON path such as $.data.answer", f"{shown(path)} ({error})")

    def _refuse(self, path: str, expected: str, found: str) -> NoReturn:
        line = line_of(self._path.read_bytes(), path)
        raise PackError(str(Problem(file=str(self._path), line=line, field=path, expected=expected, found=found)))


def open_http(config: str, options: Mapping[str, Any]) -> HttpAgentSource:
    """The source for ``http:CONFIG.yaml``. Raises: UsageError; MissingExtraError without the extra http."""
    if options:
        message = f"http: takes no options; write {', '.join(sorted(options))} into {config}"
        raise UsageError(message)
    if not config or config.startswith("//"):
        message = f"http: expected a YAML file that describes the interface, found {config!r}"
        raise UsageError(message)
    source = HttpAgentSource(Path(config))
    require_http()
    return source
