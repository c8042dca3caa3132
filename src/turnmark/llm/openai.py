"""Chat completions as OpenAI's interface has them; most servers and gateways speak it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import aclosing
from typing import Any, Literal
from urllib.parse import urlsplit, urlunsplit

import msgspec

from turnmark.errors import UsageError
from turnmark.llm.http import HttpClient, HttpReply, is_address
from turnmark.llm.protocol import CallFailure, ChatRequest, Completion
from turnmark.llm.secrets import REFERENCE, MissingSecretError, Secrets
from turnmark.schemas.jsonl import decoded_with_halves
from turnmark.schemas.redaction import MASK, SECRETS_IN_USE

_DEFAULT_URL = "https://api.openai.com/v1"
_DONE = "[DONE]"
_LONGEST_EXCERPT = 120
_NEWER_NAME = "max_completion_tokens"
"""What newer models of OpenAI call the limit; they refuse the older name and say this one."""
_SPARE_TOKENS = 1024
_TIMES_EXPECTED = 4


class ChatSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the model is and how it is asked.

    ``base_url`` is what stands before ``/chat/completions``; left out, the variable OPENAI_BASE_URL, or else OpenAI's
    own. ``api_key_env`` names the environment variable that holds the key; without one no key is sent. Values of
    ``headers`` may refer to variables as ``${NAME}``. ``temperature`` and ``seed`` null are not sent. ``answer_format``
    says how the endpoint is held to a schema: by the schema, as JSON of any form, or only by the words of the prompt.
    ``extra_body`` is laid over the body.
    """

    model: str
    base_url: str | None = None
    api_key_env: str = "OPENAI_API_KEY"
    temperature: float | None = 0.0
    seed: int | None = 0
    max_tokens: int | None = None
    answer_format: Literal["json_schema", "json_object", "plain"] = "json_schema"
    stream: bool = False
    headers: dict[str, str] = {}
    extra_body: dict[str, Any] = {}


class _Text(msgspec.Struct, gc=False):
    text: str = ""


class _Message(msgspec.Struct, gc=False):
    content: str | list[_Text] | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct, gc=False):
    message: _Message | None = None
    delta: _Message | None = None
    finish_reason: str | None = None


class _Usage(msgspec.Struct, gc=False):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Reply(msgspec.Struct, gc=False):
    choices: list[_Choice] = []
    usage: _Usage | None = None
    model: str | None = None
    error: Any = None


class OpenAIEndpoint:
    """A `turnmark.llm.protocol.ChatEndpoint` over HTTP, plain or streamed.

    ``limit_answers``: where the settings name no limit, an answer may be as long as `most_tokens` of what is expected.
    ``find`` is asked what it finds in the whole reply, in each event of a stream: `Completion.found`.

    Raises: UsageError when the address is no http(s) URL or a header refers to a variable that is not set.
    """

    def __init__(
        self, settings: ChatSettings, environment: Mapping[str, str] | None = None, *, limit_answers: bool = False,
        find: Callable[[Any], list[Any]] | None = None,
    ) -> None:  # fmt: skip
        self._limit_answers = limit_answers
        self._find = find
        self._limit_name = "max_tokens"
        environment = os.environ if environment is None else environment
        self.settings = settings
        self._secrets = Secrets(environment)
        self._http = HttpClient(self._secrets)
        self._base_url = (settings.base_url or environment.get("OPENAI_BASE_URL") or _DEFAULT_URL).rstrip("/")
        try:
            self._url = self._secrets.expand(self._base_url) + "/chat/completions"
            headers = {name: self._secrets.expand(value) for name, value in settings.headers.items()}
        except MissingSecretError as error:
            message = (
                f"the environment variable {error.args[0]} is not set; the settings of {settings.model} refer to it"
            )
            raise UsageError(message) from None
        if not is_address(self._url):
            message = f"base_url is {self._secrets.mask(self._base_url)!r}; expected one like http://localhost:8000/v1"
            raise UsageError(message)
        for name, value in headers.items():
            if _may_hold_a_key(name):
                SECRETS_IN_USE.add(value.rpartition(" ")[2])
        self._key = self._secrets.get(settings.api_key_env)
        if self._key is not None:
            headers.setdefault("Authorization", f"Bearer {self._key}")
        self._headers = {"Content-Type": "application/json", **headers}
        self._encoder = msgspec.json.Encoder()
        self._decoder = msgspec.json.Decoder(_Reply)

    def __repr__(self) -> str:
        return f"OpenAIEndpoint({self.settings.model!r} at {self.description['base_url']!r})"

    @property
    def description(self) -> dict[str, Any]:
        """The settings as JSON; what comes from the environment stays a name."""
        results: dict[str, Any] = {
            name: msgspec.to_builtins(getattr(self.settings, name)) for name in ChatSettings.__struct_fields__
        }
        results["base_url"] = _without_password(self._base_url)
        results["headers"] = {
            name: value if REFERENCE.search(value) or not _may_hold_a_key(name) else MASK
            for name, value in self.settings.headers.items()
        }
        return results

    def identity(self, request: ChatRequest) -> dict[str, Any]:
        """See `turnmark.llm.protocol.ChatEndpoint.identity`: address, headers (variables by name) and whole body."""
        return {
            "url": self._base_url,
            "headers": self.settings.headers,
            "body": self._body(request, limited=False),
            "variation": request.variation,
        }

    async def send(self, request: ChatRequest, *, seconds: float) -> Completion:
        """See `turnmark.llm.protocol.ChatEndpoint.send`."""
        name = self._limit_name
        try:
            return await self._sent(request, seconds)
        except CallFailure as failure:
            renamed = failure.status == 400 and _NEWER_NAME in str(failure) and name != _NEWER_NAME
            if not renamed or self.settings.max_tokens is not None:
                raise
        self._limit_name = _NEWER_NAME
        return await self._sent(request, seconds)

    async def _sent(self, request: ChatRequest, seconds: float) -> Completion:
        body = self._encoder.encode(self._body(request))
        if self.settings.stream:
            return await self._streamed(body, seconds)
        reply = await self._http.fetch("POST", self._url, headers=self._headers, body=body, seconds=seconds)
        return self._completion(self._decoded(reply.body), self._found(reply.body))

    async def aclose(self) -> None:
        """See `turnmark.llm.protocol.ChatEndpoint.aclose`."""
        await self._http.aclose()

    def mask(self, text: str) -> str:
        """The text without the values that came from the environment."""
        return self._secrets.mask(text)

    def _body(self, request: ChatRequest, *, limited: bool = True) -> dict[str, Any]:
        """The body of a call. Not ``limited``: without the limit that is only a guard and shapes no whole answer."""
        settings = self.settings
        body: dict[str, Any] = {
            "model": settings.model,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
        }
        if settings.temperature is not None:
            body["temperature"] = settings.temperature
        if settings.seed is not None:
            body["seed"] = settings.seed + request.variation
        if settings.max_tokens is not None:
            body["max_tokens"] = settings.max_tokens
        elif limited and self._limit_answers and _NEWER_NAME not in settings.extra_body:
            body[self._limit_name] = most_tokens(request.output_tokens)
        if request.answer_schema is not None and settings.answer_format != "plain":
            body["response_format"] = _response_format(request, settings.answer_format)
        if settings.stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        return body | settings.extra_body

    async def _streamed(self, body: bytes, seconds: float) -> Completion:
        text: list[str] = []
        whole = _Reply()
        finish_reason = None
        found: list[Any] = []
        events = self._http.stream("POST", self._url, headers=self._headers, body=body, seconds=seconds)
        async with aclosing(events):  # type: ignore[type-var]  # an async generator, said to be an iterator
            async for event in events:
                if isinstance(event, HttpReply):
                    return self._completion(self._decoded(event.body), self._found(event.body))
                if event.data == _DONE:
                    break
                part = self._decoded(event.data.encode())
                found += self._found(event.data.encode()) or ()
                if part.error is not None:
                    raise self._said_error(part.error)
                whole.usage = part.usage or whole.usage
                whole.model = part.model or whole.model
                for choice in part.choices[:1]:
                    text.append(_content(choice.delta))
                    finish_reason = choice.finish_reason or finish_reason
            else:
                # Some servers leave out the last line; a finish_reason tells that the answer is whole all the same.
                if finish_reason is None:
                    message = f"the stream ended before {_DONE}, after {sum(map(len, text))} characters"
                    raise CallFailure(message, kind="connection", retryable=True)
        whole.choices = [_Choice(message=_Message("".join(text)), finish_reason=finish_reason)]
        return self._completion(whole, None if self._find is None else found)

    def _found(self, raw: bytes) -> list[Any] | None:
        return None if self._find is None else self._find(decoded_with_halves(raw))

    def _decoded(self, raw: bytes) -> _Reply:
        try:
            return self._decoder.decode(raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            excerpt = self._secrets.mask(raw[:_LONGEST_EXCERPT].decode("utf-8", "replace"))
            message = f"the reply is no chat completion: {error}; it begins {excerpt!r}"
            raise CallFailure(message, kind="invalid_reply", retryable=True) from None

    def _completion(self, reply: _Reply, found: list[Any] | None) -> Completion:
        if reply.error is not None:
            raise self._said_error(reply.error)
        if not reply.choices or reply.choices[0].message is None:
            message = "the reply is no chat completion: expected choices[0].message, found none"
            raise CallFailure(message, kind="invalid_reply", retryable=True)
        choice = reply.choices[0]
        usage = reply.usage or _Usage()
        return Completion(
            text=_content(choice.message),
            input_tokens=usage.prompt_tokens,
            output_tokens=usage.completion_tokens,
            finish_reason=choice.finish_reason,
            model=reply.model,
            found=None if found is None else tuple(found),
        )

    def _said_error(self, error: Any) -> CallFailure:
        """An error in a reply of status 200, as gateways send it."""
        said = error.get("message", error) if isinstance(error, dict) else error
        text = self._secrets.mask(" ".join(str(said).split())[: 2 * _LONGEST_EXCERPT])
        return CallFailure(f"the reply is an error: {text}", kind="invalid_reply", retryable=True)


def most_tokens(expected: int) -> int:
    """How many tokens an answer may take of which about ``expected`` are expected: room for thoughts, and an end."""
    return _SPARE_TOKENS + _TIMES_EXPECTED * expected


def _content(message: _Message | None) -> str:
    if message is None:
        return ""
    if isinstance(message.content, list):
        return "".join(part.text for part in message.content)
    return message.content or message.refusal or ""


def _response_format(request: ChatRequest, answer_format: str) -> dict[str, Any]:
    if answer_format == "json_object" or request.answer_schema is None:
        return {"type": "json_object"}
    schema = request.answer_schema
    return {"type": "json_schema", "json_schema": {"name": schema.name, "strict": True, "schema": schema.schema}}


def _may_hold_a_key(header: str) -> bool:
    return any(word in header.lower() for word in ("auth", "key", "token", "secret", "cookie"))


def _without_password(url: str) -> str:
    """The address without user, password and query values."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return MASK
    query = "&".join(f"{part.partition('=')[0]}={MASK}" for part in parts.query.split("&") if part)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, query, ""))
