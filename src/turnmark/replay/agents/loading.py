"""From what ``--agent`` says to the source of agents that it names."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from turnmark.errors import TurnmarkError, UsageError
from turnmark.replay.masking import masked
from turnmark.replay.protocol import Agent, AgentSource
from turnmark.replay.run.scheduler import accepted

SCHEMES: dict[str, tuple[str, str]] = {
    "demo": ("turnmark.replay.demo.source", "open_demo"),
    "demo-plain": ("turnmark.replay.demo.source", "open_plain"),
    "exec": ("turnmark.replay.agents.process", "open_exec"),
    "trace": ("turnmark.replay.agents.recorded", "open_trace"),
    "openai": ("turnmark.replay.agents.http_chat", "open_chat"),
    "http": ("turnmark.replay.agents.http_generic", "open_http"),
    "langchain": ("turnmark.replay.agents.langchain", "open_langchain"),
    "memory": ("turnmark.replay.agents.memory", "open_memory"),
}
"""What may stand before the colon of ``--agent``, and the function that opens it; loaded when it is asked for."""

_BY_KEYWORD = frozenset(
    {"dialog_id", "observer", "session_id", "user_id", "memory_dir", "timeout_sec", "seed", "case_contexts"}
)


def load_agent(spec: str, options: Mapping[str, Any] | None = None) -> AgentSource:
    """The source of agents that a text names, such as ``demo``, ``trace:PATH``, ``exec:COMMAND`` or ``module:factory``.

    Raises: UsageError when there is no such thing or an option does not fit; MissingExtraError when a part is not
    installed.
    """
    scheme, _, rest = spec.partition(":")
    if scheme in SCHEMES:
        module, name = SCHEMES[scheme]
        opened: AgentSource = getattr(import_module(module), name)(rest, dict(options or {}))
        return opened
    if not scheme or not rest:
        message = f"--agent: expected {', '.join(SCHEMES)} or module:factory, found {spec!r}"
        raise UsageError(message)
    return FactorySource(named_object("--agent", spec), spec, options)


class FactorySource:
    """Agents that a Python function or class makes."""

    def __init__(self, factory: Callable[..., Any], name: str, options: Mapping[str, Any] | None = None) -> None:
        self._factory = factory
        self._options = dict(options or {})
        self._refuse_unknown(name)
        self.description: Mapping[str, Any] = {
            "model_name": str(getattr(factory, "model_name", name)),
            "agent": name,
            "options": masked(self._options),
        }
        self.source_sha256 = _source_digest(factory)
        """Digest of the file that the factory stands in, where it is known; for the manifest."""

    def make(self, **arguments: Any) -> Agent | Awaitable[Agent]:
        """The agent of one dialogue, made with what the factory accepts."""
        made: Agent | Awaitable[Agent] = self._factory(**accepted(self._factory, arguments | self._options))
        return made

    async def aclose(self) -> None:
        """Nothing is shared."""

    def _refuse_unknown(self, name: str) -> None:
        clash = sorted(_BY_KEYWORD & set(self._options))
        unknown = sorted(set(self._options) - set(accepted(self._factory, self._options)))
        if clash or unknown:
            message = f"--agent-option: {name} takes no option {', '.join(clash + unknown)}"
            raise UsageError(message)


def named_object(option: str, spec: str, *, or_with: str = "") -> Callable[..., Any]:
    """The function or class that ``module:name`` or ``path/to/file.py:name`` says, or an object with this method.

    Modules are looked for in the working folder first. Raises: UsageError, whatever is wrong with it.
    """
    where, _, name = spec.rpartition(":")
    module = _module(option, where)
    result: Any = module
    for part in name.split("."):
        if not hasattr(result, part):
            offered = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
            message = f"{option} {spec}: expected {name!r} in {where}, found {', '.join(offered[:20]) or 'no function'}"
            raise UsageError(message)
        result = getattr(result, part)
    if not callable(result) and not (or_with and hasattr(result, or_with)):
        message = f"{option} {spec}: expected a function or class, found {type(result).__name__}"
        raise UsageError(message)
    factory: Callable[..., Any] = result
    return factory


def _module(option: str, where: str) -> ModuleType:
    try:
        if where.endswith(".py"):
            return _from_file(Path(where))
        if "" not in sys.path and str(Path.cwd()) not in sys.path:
            sys.path.insert(0, str(Path.cwd()))
        return importlib.import_module(where)
    except TurnmarkError:
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        message = f"{option} {where}: expected a module that can be imported, found {type(error).__name__}: {error}"
        raise UsageError(message) from error


def _from_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        message = "no such file"
        raise FileNotFoundError(message)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _source_digest(factory: Callable[..., Any]) -> str | None:
    try:
        path = inspect.getsourcefile(factory)
        return hashlib.sha256(Path(path).read_bytes()).hexdigest() if path else None
    except (TypeError, OSError):
        return None


def described_scheme(name: str, rest: str, options: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A description for the manifest of an agent of a scheme."""
    return masked({"model_name": name, "agent": f"{name}:{rest}" if rest else name, "options": dict(options), **more})  # type: ignore[no-any-return]
