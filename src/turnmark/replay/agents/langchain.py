"""LangChain runnables and LangGraph graphs as agents.

``--agent langchain:module:name`` names a runnable, a compiled graph, or a function that makes one (with the arguments
of an agent factory that it accepts). Options: ``input`` says what is given to it:

- ``messages`` (the default): ``{"messages": [...]}``, as graphs and agents want it;
- ``chat``: the list of messages, as chat models and chains want it;
- a name: ``{name: user_text, "chat_history": [...]}``, as chains with a prompt want it;

and ``history: false`` says that it keeps the conversation itself, by the ``thread_id`` that it is given; a graph with a
checkpointer does. Tools that were called, retrieved documents and tokens are read from what it gives back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from turnmark.errors import MissingExtraError, UsageError
from turnmark.replay.agents.loading import described_scheme, named_object
from turnmark.replay.protocol import AgentFailure, Observer, Reply, Usage
from turnmark.replay.run.scheduler import accepted

_ANSWERS = ("output", "answer", "result", "response", "text")
_DOCUMENTS = ("context", "source_documents", "documents", "retrieved_contexts")
_FINISHED = ("finish_reason", "stop_reason", "done_reason")
_CUT = {"max_tokens": "length", "MAX_TOKENS": "length"}
"""What other vendors say of a reply that was cut off at the limit of tokens."""
_SHORTENED = 2_000
_NO_MESSAGES = "Must be a PromptValue, str, or list of BaseMessages"
_EXPECTED = re.compile(r"Input to \w+ is missing variables .*Expected: \[(.*?)\]", re.DOTALL)
"""What langchain-core says to a form of input that it does not take."""


class LangChainSource:
    """Makes one agent a dialogue around a runnable."""

    def __init__(self, rest: str, options: Mapping[str, Any]) -> None:
        self._messages = _library()
        self._named = named_object("--agent langchain", rest, or_with="invoke")
        self._options = dict(options)
        self.description: Mapping[str, Any] = described_scheme("langchain", rest, options)

    def make(self, *, observer: Observer, session_id: str, **arguments: Any) -> LangChainAgent:
        """The agent of one dialogue."""
        runnable = self._named
        if not hasattr(runnable, "invoke"):
            given = {"observer": observer, "session_id": session_id, **arguments}
            runnable = runnable(**accepted(runnable, given))
        if not hasattr(runnable, "ainvoke"):
            message = f"expected a runnable with ainvoke, found {type(runnable).__name__}"
            raise TypeError(message)
        keeps_itself = getattr(runnable, "checkpointer", None) not in (None, False)
        history = self._options.get("history", not keeps_itself)
        return LangChainAgent(runnable, observer, session_id, self._messages, self._options.get("input"), history)

    async def aclose(self) -> None:
        """Nothing is shared."""


class LangChainAgent:
    """One dialogue with a runnable."""

    def __init__(
        self, runnable: Any, observer: Observer, session_id: str, messages: Any, form: str | None, history: bool
    ) -> None:
        self._runnable = runnable
        self._observer = observer
        self._config = {"configurable": {"thread_id": session_id, "session_id": session_id}}
        self._messages = messages
        self._form = form or "messages"
        self._history = history
        self._said: list[Any] = []

    async def handle_turn(self, user_text: str) -> Reply:
        """Invoke the runnable with the conversation so far. Raises: AgentFailure when its answer has no text."""
        asked = self._messages.HumanMessage(content=user_text)
        sent = [*self._said, asked]
        given: Any = {"messages": sent}
        if self._form == "chat":
            given = sent
        elif self._form != "messages":
            given = {self._form: user_text, "chat_history": list(self._said)}
        try:
            result = await self._runnable.ainvoke(given, config=self._config)
        except (KeyError, ValueError) as error:
            hint = _hint(error, self._form)
            if hint is None:
                raise
            message = f"{hint} ({type(error).__name__}: {str(error).partition(chr(10))[0]})"
            raise AgentFailure(message, kind="invalid_reply") from error
        _refuse_interrupt(result)
        new = self._new_messages(result, asked)
        text = _text_of(new[-1] if new else result)
        self._tell_tools(new)
        contexts = _documents(result)
        if contexts is not None:
            self._observer.recall_done(query=user_text, items=[{"content": text} for text in contexts])
        if self._history:
            self._said += [asked, self._messages.AIMessage(content=text)]
        return Reply(text=text, usage=_usage(new), retrieved_contexts=contexts, finish_reason=_finish_reason(new))

    def _new_messages(self, result: Any, asked: Any) -> list[Any]:
        """The messages that came after the user's, of a result that holds messages or is one."""
        if hasattr(result, "content"):
            return [result]
        messages = result.get("messages") if isinstance(result, Mapping) else None
        if not isinstance(messages, list):
            return []
        for index in range(len(messages) - 1, -1, -1):
            if getattr(messages[index], "type", "") == "human" and messages[index].content == asked.content:
                return list(messages[index + 1 :])
        return list(messages[-1:])

    def _tell_tools(self, new: Iterable[Any]) -> None:
        calls: dict[str, Mapping[str, Any]] = {}
        for message in new:
            for call in getattr(message, "tool_calls", None) or ():
                calls[str(call.get("id"))] = call
            if getattr(message, "type", "") == "tool":
                call = calls.get(str(getattr(message, "tool_call_id", "")), {})
                failed = getattr(message, "status", "success") == "error"
                excerpt = _text_of(message)[:_SHORTENED]
                self._observer.tool_called(
                    tool_name=str(getattr(message, "name", None) or call.get("name") or "tool"),
                    args=dict(call.get("args") or {}),
                    result_excerpt=excerpt,
                    error=excerpt if failed else None,
                )


def _hint(error: Exception, form: str) -> str | None:
    """What option would have given a runnable what it wants; None where its error is about something else."""
    said = str(error)
    if isinstance(error, ValueError) and _NO_MESSAGES in said and form != "chat":
        return "this runnable takes the list of messages: --agent-option input=chat"
    wanted = _EXPECTED.search(said) if isinstance(error, KeyError) else None
    names = [name for name in re.findall(r"'([^']+)'", wanted[1]) if name != "chat_history"] if wanted else []
    if not names or names == [form]:
        return None
    more = f"; it is given the user's text alone, not {', '.join(names[1:])}" if len(names) > 1 else ""
    return f"this prompt asks for {', '.join(names)}: --agent-option input={names[0]}{more}"


def _refuse_interrupt(result: Any) -> None:
    """Raises: AgentFailure for a graph that stopped to ask a person, who is not there."""
    stopped = result.get("__interrupt__") if isinstance(result, Mapping) else None
    if not stopped:
        return
    asked = [str(getattr(each, "value", each))[:_SHORTENED] for each in stopped]
    message = (
        f"the graph stopped at interrupt() and asks: {'; '.join(asked)}. Nobody answers in a replay: name a function "
        "that makes the graph without this step, or an agent of your own that goes on by Command(resume=...)"
    )
    raise AgentFailure(message, kind="invalid_reply")


def _text_of(answer: Any) -> str:
    """The text of an answer in any of its usual forms. Raises: AgentFailure when there is none."""
    if isinstance(answer, str):
        return str.__str__(answer)  # LangChain's own class of texts has methods that no other text has
    content = getattr(answer, "content", None)
    if isinstance(content, str):
        return str.__str__(content)
    if isinstance(content, list):  # blocks, as models with several modes give them
        blocks = [block if isinstance(block, str) else block.get("text", "") for block in content]
        return "".join(str(block) for block in blocks)
    if isinstance(answer, Mapping):
        for name in _ANSWERS:
            if name in answer:
                return _text_of(answer[name])
    message = f"expected a text, a message or one of {', '.join(_ANSWERS)}, found {type(answer).__name__}"
    raise AgentFailure(message, kind="invalid_reply")


def _documents(result: Any) -> list[str] | None:
    """Texts of retrieved documents, where a result holds any."""
    for name in _DOCUMENTS:
        results = result.get(name) if isinstance(result, Mapping) else None
        if isinstance(results, list):
            return [str(getattr(document, "page_content", document)) for document in results]
    return None


def _finish_reason(new: Iterable[Any]) -> str | None:
    """Why the last model call of a turn ended, in the words of OpenAI's interface."""
    result = None
    for message in new:
        told = getattr(message, "response_metadata", None)
        if isinstance(told, Mapping):
            result = next((told[name] for name in _FINISHED if isinstance(told.get(name), str)), result)
    return _CUT.get(str(result), result)


def _usage(new: Iterable[Any]) -> Usage | None:
    """Tokens of all model calls of a turn."""
    counted = [usage for message in new if (usage := getattr(message, "usage_metadata", None))]
    if not counted:
        return None
    return Usage(
        input_tokens=sum(int(usage.get("input_tokens") or 0) for usage in counted),
        output_tokens=sum(int(usage.get("output_tokens") or 0) for usage in counted),
    )


def _library() -> Any:
    try:
        from langchain_core import messages  # noqa: PLC0415 - an extra, needed only for such agents
    except ImportError as error:
        message = "--agent langchain needs LangChain: pip install 'turnmark[langchain]'"
        raise MissingExtraError(message) from error
    return messages


def open_langchain(rest: str, options: Mapping[str, Any]) -> LangChainSource:
    """``langchain:module:name``. Raises: UsageError; MissingExtraError."""
    unknown = sorted(set(options) - {"input", "history"})
    if unknown:
        message = f"--agent-option: langchain takes input and history, found {', '.join(unknown)}"
        raise UsageError(message)
    if not isinstance(options.get("input", ""), str) or not isinstance(options.get("history", True), bool):
        message = "--agent-option: expected input to be a name and history to be true or false"
        raise UsageError(message)
    return LangChainSource(rest, options)
