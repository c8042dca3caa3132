"""What an agent is, what it may tell while it works, and how it says that it failed.

An **agent** talks in one dialogue. A factory makes one for each dialogue, so nothing leaks from one into another::

    class Parrot:
        def handle_turn(self, user_text: str) -> str:
            return f"You said: {user_text}"

    def make(dialog_id: str, observer: Observer) -> Parrot: ...

The factory is called with those of these keyword arguments that it accepts (``**kwargs`` accepts all): ``dialog_id``,
``observer``, ``session_id``, ``user_id``, ``memory_dir`` (a `pathlib.Path` of its own, empty), ``timeout_sec``
(seconds for one call of `Agent.handle_turn`), ``seed`` (int), ``case_contexts`` (the texts that a RAG case brings
along, where it does), and the options that the user gave for the agent.
Factory and agent may be sync or async. Sync ones run in a thread of their dialogue, async ones all in one event loop,
so that they may share a client.

Source: metrics contract v1, section 4; trace schema v1, sections 4.2 and 4.3.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, Literal, Protocol, runtime_checkable

import msgspec

FailureKind = Literal["timeout", "rate_limit", "http", "connection", "invalid_reply", "process", "agent"]
"""timeout: no answer in time; rate_limit: HTTP 429 or the like; http: another HTTP error; connection: refused, reset,
cut off; invalid_reply: an answer that is not what was agreed; process: a subprocess ended or could not start; agent:
anything else."""


class Usage(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Tokens that one reply took, as the endpoint counts them."""

    input_tokens: int = 0
    output_tokens: int = 0


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """A reply of an agent that knows more than the text.

    ``cost`` is money in the currency of the price list in use; ``retrieved_contexts`` are the passages that the answer
    rests on, best first; ``model`` is what the endpoint says answered; ``finish_reason`` why it ended, where the
    endpoint says so: "length" for a reply that was cut off at the limit of tokens.
    """

    text: str
    usage: Usage | None = None
    cost: float | None = None
    retrieved_contexts: Sequence[str] | None = None
    model: str | None = None
    finish_reason: str | None = None


class Agent(Protocol):
    """One dialogue's assistant. Turns come one after the other, never two at once.

    Two more members are optional. ``close()``, sync or async, is called once at the end of the dialogue.
    ``repeatable`` (bool, False when missing) promises that a call of `handle_turn` that failed or was cut off left the
    agent as it was, so that the same call may be made again also after a time-out; an `AgentFailure` with
    ``retryable`` promises it for itself.
    """

    def handle_turn(self, user_text: str) -> str | Reply | Awaitable[str | Reply]:
        """The reply to one user turn.

        Raises: AgentFailure. Any other exception becomes a turn of status error; one that holds an HTTP status after
        which the same call may succeed (429, 503 …), as SDKs raise them, is tried again like an `AgentFailure`.
        """
        ...


class Observer(Protocol):
    """What an agent may tell about the turn in hand; every call is optional and none ever raises.

    Payloads are the structs of the trace (`turnmark.schemas.trace`), mappings of the same form, or keyword arguments.
    Numbers and arrays of numpy, texts of classes of their own and the like are taken for what they stand for; a value
    that does not fit is left out and named in the warnings of the turn, and the rest kept. Calls may come from any
    thread.
    """

    def recall_done(self, payload: object = None, /, **fields: Any) -> None:
        """What memory put before the assistant: fields of `turnmark.schemas.trace.RecallTrace`."""

    def tool_called(self, payload: object = None, /, **fields: Any) -> None:
        """One call of a tool: fields of `turnmark.schemas.trace.ToolTrace`. May come many times in a turn."""

    def compliance_done(self, payload: object = None, /, **fields: Any) -> None:
        """The assistant's own compliance check: fields of `turnmark.schemas.trace.ComplianceTrace`."""

    def profile_snapshot(self, payload: object = None, /, **fields: Any) -> None:
        """What the assistant believes about the user: fields of `turnmark.schemas.trace.ProfileSnapshot`."""


class AgentFailure(Exception):  # noqa: N818 - the name of the contract between agents and the scheduler
    """Raised by an agent that knows what went wrong. The scheduler waits and calls again; an agent tries once.

    ``retryable``: the same call may succeed later, and this one left the agent as it was. ``retry_after``: seconds
    that the endpoint asks to wait. ``status``: the HTTP status, where there is one. The message says what was expected
    and found; it must not hold secrets.
    """

    def __init__(
        self,
        message: str,
        *,
        kind: FailureKind = "agent",
        retryable: bool = False,
        retry_after: float | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(message)
        self.kind: FailureKind = kind
        self.retryable = bool(retryable)
        # Agents hand in what their clients gave them, numbers of numpy among it.
        self.retry_after = None if retry_after is None else float(retry_after)
        self.status = None if status is None else int(status)


@runtime_checkable
class AgentSource(Protocol):
    """What ``--agent`` names once it is loaded: makes the agents of a run.

    ``description`` is JSON for the manifest: ``model_name`` (str) and every setting that shapes replies, secrets
    masked. It is compared when a run is resumed, so it must not differ from call to call. `aclose` is awaited at the
    end of the run in the event loop of the async agents.

    A scheme of ``--agent`` (``openai:``, ``http:`` …) is one function ``open(rest, options) -> AgentSource``, where
    ``rest`` is what follows the colon and ``options`` what the user gave as ``--agent-option NAME=VALUE`` (values read
    as YAML); it raises `turnmark.errors.UsageError` for an option that it does not know. The table is
    `turnmark.replay.agents.loading.SCHEMES`.
    """

    description: Mapping[str, Any]

    def make(self, **arguments: Any) -> Agent | Awaitable[Agent]:
        """The agent of one dialogue; the module says which arguments come (all of them, here)."""
        ...

    async def aclose(self) -> None:
        """Give shared things back, such as a client."""
        ...
