"""Replay: a dataset and an agent in, a run folder with the trace out; killed runs go on where they were."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import platform
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark import __version__
from turnmark.errors import DataError, UsageError
from turnmark.llm.retry import RetryPolicy
from turnmark.pipeline.playing.noted import Noted, Notes
from turnmark.pipeline.playing.request import ReplayRequest, check_request
from turnmark.readers.characters import empty_said, is_empty
from turnmark.replay.agents.loading import load_agent
from turnmark.replay.inputs import Kind, Script, scripts
from turnmark.replay.masking import use_secrets
from turnmark.replay.protocol import AgentSource
from turnmark.replay.run.journal import Journal
from turnmark.replay.run.progress import Listener, ProgressLog, progress_path
from turnmark.replay.run.scheduler import ReplaySettings, Scheduler
from turnmark.runs.clock import now
from turnmark.runs.folder import PROBLEMS, RunWriter, artifact_of, read_manifest
from turnmark.runs.lock import locked
from turnmark.schemas.problems import Problem, readable
from turnmark.schemas.trace import TRACE_VERSION
from turnmark.suites.file_kinds import played_kind, played_kinds

JOURNAL = Path("logs") / "replay_journal.jsonl"
_MEMORY = ".memory"
_FAULTS_SHOWN = 5
_PACKAGES = ("msgspec", "aiohttp", "langchain-core", "langgraph")

_IDENTITY = ("run_id", "dataset_sha256", "agent", "seed")
_SHAPING = (*_IDENTITY, "timeout_sec", "tries")
_COUNTERS = (
    "total_dialogs", "valid_dialogs", "skipped_dialogs", "failed_dialogs", "partial_dialogs", "total_turn_pairs",
    "ok_turns", "timeout_turns", "error_turns",
)  # fmt: skip


class ReplayResult(NamedTuple):
    """Where the run lies, its name, the artifact that holds what was played, and the counters of its manifest.

    ``noted`` says what a reader must know beside them.
    """

    folder: Path
    run_id: str
    artifact: Path
    kind: str
    counters: dict[str, int]
    rejected_lines: int
    noted: Noted = Noted()


def replay(request: ReplayRequest, listener: Listener | None = None) -> ReplayResult:
    """Play a dataset and write the run folder.

    ``listener`` is told the events of the progress log and, first, ``run_started`` with the number of dialogues and of
    those that are done already. What agents do wrong is written into the trace; lines that cannot be read go to
    ``problems.jsonl``.

    Raises: UsageError for wrong settings (all of them at once), a folder that another run holds, or one whose run does
    not fit; DataError when the dataset cannot be read; OSError when the disk does not take more.
    """
    check_request(request)
    if is_empty(request.dataset):
        raise DataError(empty_said(request.dataset))
    kind = played_kind(request.dataset, dict(request.columns))
    if kind is None:
        message = (
            f"{request.dataset}: expected lines of {' or '.join(kind.described for kind in played_kinds())}; found none"
        )
        raise DataError(message)
    use_secrets(request.options)
    source = load_agent(request.agent, request.options) if isinstance(request.agent, str) else request.agent
    run = _Run(request, kind, source)
    with locked(run.folder):
        return run.play(listener)


class _Run:
    """One process at work on one run."""

    def __init__(self, request: ReplayRequest, kind: Kind, source: AgentSource) -> None:
        self._request = request
        self._kind = kind
        self._source = source
        shaping = {
            "dataset_sha256": artifact_of(request.dataset).sha256,
            "agent": dict(source.description),
            "seed": request.seed,
            "timeout_sec": float(request.timeout_sec),
            "tries": request.retries + 1,
        }
        # In the form in which a journal gives it back, so that the two can be compared.
        self._shaping: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(shaping))
        self._stopped: str | None = None
        self._run_id = request.run_id or self._default_run_id()
        self.folder = request.out or Path("runs") / self._run_id

    def play(self, listener: Listener | None) -> ReplayResult:
        """Play what is not done yet, then write the artifacts."""
        path = self.folder / JOURNAL
        if self._request.overwrite:
            path.unlink(missing_ok=True)
        journal = Journal(path)
        self._fit(journal)
        pending = self._pending(journal)
        if not pending and not journal.settings:
            found = (str(each) for each in scripts(self._request.dataset, self._kind) if isinstance(each, Problem))
            message = f"{self._request.dataset}: expected at least one line to play, found none"
            raise DataError("\n".join([message, *itertools.islice(found, _FAULTS_SHOWN)]))
        if journal.settings and not pending and (manifest := read_manifest(self.folder)):
            return self._nothing_to_do(manifest)
        with journal:
            progress = ProgressLog(progress_path(self.folder, self._run_id), listener)
            if listener is not None:
                listener("run_started", {"dialogs": len(pending) + len(journal.ended), "pending": len(pending)})
            try:
                asyncio.run(self._schedule(journal, progress, pending))
            finally:
                progress.close()
                with contextlib.suppress(OSError):  # a call that never came back may still hold a file in there
                    (self.folder / _MEMORY).rmdir()
        return self._finish(journal)

    async def _schedule(self, journal: Journal, progress: ProgressLog, pending: set[int]) -> None:
        await journal.begin(self._session())
        settings = ReplaySettings(
            run_id=self._run_id,
            timeout_sec=self._request.timeout_sec,
            workers=self._request.workers,
            heartbeat_sec=self._request.heartbeat_sec,
            seed=self._request.seed,
            policy=RetryPolicy(tries=self._request.retries + 1, seed=self._request.seed),
            requests_per_minute=self._request.requests_per_minute,
            tokens_per_minute=self._request.tokens_per_minute,
        )
        scheduler = Scheduler(
            self._source, settings, journal,
            memory=(self.folder / _MEMORY).absolute(), progress=progress, listeners=self._request.listeners,
        )  # fmt: skip
        await scheduler.play(script for script in self._scripts() if script.place in pending)
        self._stopped = scheduler.outage.why

    def _scripts(self) -> Iterator[Script]:
        for script in scripts(self._request.dataset, self._kind):
            if not isinstance(script, Problem):
                yield script

    def _pending(self, journal: Journal) -> set[int]:
        """Places of the dialogues to play."""
        again = {"failed", "partial"} if self._request.retry_failed else set()
        return {
            script.place
            for script in self._scripts()
            if script.place not in journal.ended or journal.ended[script.place].status in again
        }

    def _default_run_id(self) -> str:
        """A name made of what shapes the run, so that the same run has the same name everywhere."""
        agent = str(self._source.description.get("model_name", "agent"))
        names = f"{agent}_{readable(self._request.dataset.name).partition('.')[0]}"
        return f"{re.sub(r'[^0-9A-Za-z_.-]+', '-', names)[:80].strip('.-')}_{self._fingerprint()[:8]}"

    def _fingerprint(self) -> str:
        return hashlib.sha256(msgspec.json.encode(self._shaping, order="sorted")).hexdigest()[:16]

    def _session(self) -> dict[str, Any]:
        """What this process works with; one line of the journal."""
        request = self._request
        return {
            "run_id": self._run_id,
            **self._shaping,
            "started_at": now(),
            "mode": "retry_failed" if request.retry_failed else "resume" if request.resume else "start",
            "workers_dialog": request.workers,
            "workers_judge": request.judge_workers,
            "heartbeat_sec": request.heartbeat_sec,
            "requests_per_minute": request.requests_per_minute,
            "tokens_per_minute": request.tokens_per_minute,
            "turnmark_version": __version__,
            "agent_source_sha256": getattr(self._source, "source_sha256", None),
        }

    def _fit(self, journal: Journal) -> None:
        """Whether this request may work on what the folder holds. Raises: UsageError."""
        if not journal.settings:
            return
        request, before = self._request, journal.settings[-1]
        if not (request.resume or request.retry_failed):
            message = (
                f"--out {self.folder}: expected an empty folder, found the run {before['run_id']!r}; go on with it by "
                "--resume, redo what failed by --retry-failed, start anew by --overwrite"
            )
            raise UsageError(message)
        if request.run_id is None:
            self._run_id = before["run_id"]
        current = {"run_id": self._run_id, **self._shaping}
        fields = _IDENTITY if request.retry_failed else _SHAPING
        wrong = [
            f"{self.folder}: {name}: the run was started with {_short(then)}, found {_short(given)}"
            for field in fields
            for name, then, given in _differences(field, before.get(field), current[field])
        ]
        if wrong:
            raise UsageError("\n".join([*wrong, "give the same settings, or start a new run in another folder"]))

    def _nothing_to_do(self, manifest: dict[str, object]) -> ReplayResult:
        replayed: Any = manifest.get("replay") or {}
        counters: Any = replayed.get("counters") or manifest.get("counters") or {}
        rejected = int(replayed.get("rejected_lines") or 0)
        return ReplayResult(
            self.folder, self._run_id, self.folder / self._kind.artifact, self._kind.name, dict(counters), rejected,
            msgspec.convert(replayed.get("noted") or {}, Noted),
        )  # fmt: skip

    def _finish(self, journal: Journal) -> ReplayResult:
        """Write artifact, problems and manifest from the journal."""
        counters: Counter[str] = Counter(dict.fromkeys(_COUNTERS, 0))
        used: Counter[str] = Counter()
        problems: list[Problem] = []
        notes = Notes()
        encoder = msgspec.json.Encoder()
        with RunWriter(self.folder) as writer:
            artifact = writer.open(self._kind.artifact)
            traces = journal.dialogs()
            for script in scripts(self._request.dataset, self._kind):
                if isinstance(script, Problem):
                    problems.append(script)
                    continue
                if script.place not in journal.ended:
                    notes.unplayed += 1
                    continue
                trace = next(traces)
                notes.add(trace)
                _count(trace, counters, used)
                if self._request.system is not None:
                    trace["system"] = self._request.system
                for record in self._kind.result(script.source, trace):
                    artifact.write(encoder.encode(record) + b"\n")
            if problems:
                listed = writer.open(PROBLEMS)
                for problem in problems:
                    listed.write(encoder.encode(problem) + b"\n")
            rejected = len({problem.line for problem in problems if problem.severity == "error"})
            noted = notes.noted(self._stopped)
            writer.finish(self._manifest(journal, counters, used, rejected, noted))
        return ReplayResult(
            self.folder,
            self._run_id,
            self.folder / self._kind.artifact,
            self._kind.name,
            dict(counters),
            rejected,
            noted,
        )

    def _manifest(
        self, journal: Journal, counters: Mapping[str, int], used: Mapping[str, float], rejected: int, noted: Noted
    ) -> dict[str, object]:
        request = self._request
        return {
            "trace_version": TRACE_VERSION,
            "run_id": self._run_id,
            "dataset_path": readable(request.dataset),
            "started_at": journal.settings[0]["started_at"],
            "ended_at": now(),
            "model_name": str(self._source.description.get("model_name", "unknown")),
            "workers_dialog": request.workers,
            "workers_judge": request.judge_workers,
            "counters": dict(counters),
            "turnmark_version": __version__,
            "config_fingerprint": self._fingerprint(),
            "replay": {
                "kind": self._kind.name,
                "fingerprint": self._fingerprint(),
                **self._shaping,
                "counters": dict(counters),
                "rejected_lines": rejected,
                "noted": msgspec.to_builtins(noted),
                "used": {name: used[name] for name in sorted(used)},
                "sessions": journal.settings,
                "environment": _environment(),
            },
        }


def _count(trace: Mapping[str, Any], counters: Counter[str], used: Counter[str]) -> None:
    counters["total_dialogs"] += 1
    counters["valid_dialogs" if trace["valid_dialog"] else "skipped_dialogs"] += 1
    if trace["dialog_status"] in {"failed", "partial"}:
        counters[f"{trace['dialog_status']}_dialogs"] += 1
    for turn in trace["turns"]:
        counters["total_turn_pairs"] += 1
        counters[f"{turn['turn_status']}_turns"] += 1
        more = turn.get("replay") or {}
        for name, value in (more.get("usage") or {}).items():
            used[name] += value
        used["retries"] += more.get("attempts", 1) - 1
        if "cost" in more:
            used["cost"] += more["cost"]


def _environment() -> dict[str, Any]:
    """What the replies may depend on besides the settings."""
    packages = {}
    for name in _PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            continue
    return {"python": platform.python_version(), "platform": platform.platform(), "packages": packages}


def _differences(name: str, then: Any, given: Any) -> Iterator[tuple[str, Any, Any]]:
    """Settings that differ, each by its path, such as ``agent.options.temperature``."""
    if isinstance(then, dict) and isinstance(given, dict):
        for inner in sorted(then.keys() | given.keys()):
            yield from _differences(f"{name}.{inner}", then.get(inner), given.get(inner))
    elif then != given:
        yield name, then, given


def _short(value: Any) -> str:
    text = msgspec.json.encode(value, order="sorted").decode() if isinstance(value, dict) else repr(value)
    return text if len(text) <= 300 else f"{text[:300]}…"
