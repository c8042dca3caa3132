"""Files of an export, sent to the address that the environment names, and gone on with where that broke off.

What was sent stands in ``sent.jsonl`` beside the file: a line a request, written once the other side has answered. The
same command goes on behind it; a request whose answer was lost is sent again, and ids make that no second score. All
that is counted are records (scores, events), of which a line of the file may hold many.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

import msgspec

from turnmark.errors import DataError, UsageError
from turnmark.llm.http import HttpClient, HttpReply
from turnmark.llm.protocol import CallFailure
from turnmark.llm.retry import RetryPolicy
from turnmark.llm.secrets import Secrets
from turnmark.schemas.redaction import SECRETS_IN_USE

SENT = "sent.jsonl"
_SECONDS = 60.0


def _nothing_rejected(_: Any) -> tuple[int, list[str]]:
    return 0, []


def _all_sendable(_: bytes) -> bool:
    return True


def _one(_: bytes) -> int:
    return 1


class Destination(NamedTuple):
    """Where the lines of a file go: the address, what a request is made of, and what its reply rejects.

    ``at_once`` is how many lines are one request, ``records`` how many records a line holds, ``noun`` what a user calls
    them. ``rejected`` reads a reply (JSON, None where it is none) and gives the number of rejected records with what
    was said of them; what is said where none was rejected is a warning. Lines that are not ``sendable`` are left out.
    """

    url: str
    headers: Mapping[str, str]
    file: str
    at_once: int
    body: Callable[[Sequence[bytes]], bytes]
    rejected: Callable[[Any], tuple[int, list[str]]] = _nothing_rejected
    sendable: Callable[[bytes], bool] = _all_sendable
    records: Callable[[bytes], int] = _one
    noun: str = "scores"


@runtime_checkable
class Sender(Protocol):
    """A writer whose files can be sent."""

    def destination(self, secrets: Secrets) -> Destination:
        """Where to. Raises: UsageError when the environment does not say."""


class Sent(NamedTuple):
    """What became of the records of a file, those of earlier calls included.

    ``errors`` are reasons of rejections, ``warnings`` what was said though nothing was rejected.
    """

    accepted: int
    rejected: int
    left_out: int
    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    noun: str


class _Request(msgspec.Struct):
    """A line of ``sent.jsonl``: the last line of the file that the request held, and how many records became what.

    Versions that counted lines of the file in place of records wrote no ``warnings``.
    """

    sha256: str
    url: str
    until: int
    accepted: int
    rejected: int
    left_out: int
    errors: list[str] = []
    warnings: list[str] | msgspec.UnsetType = msgspec.UNSET


def wanted(secrets: Secrets, *names: str) -> str:
    """The value of the first variable that is set. Raises: UsageError naming them."""
    value = next((found for name in names if (found := secrets.get(name))), None)
    if value is None:
        message = f"--send: expected {' or '.join(names)} in the environment, found neither" if len(names) > 1 else (
            f"--send: expected {names[0]} in the environment, found none"
        )  # fmt: skip
        raise UsageError(message)
    return value


def send(
    folder: Path, writer: Sender, *, retry: RetryPolicy | None = None, pause: Callable[[float], Any] = time.sleep
) -> Sent:
    """Send what an export wrote, from the line on where an earlier call broke off.

    Refusals that may pass (429, 5xx, a broken connection) are tried again after what ``Retry-After`` asks.

    Raises: UsageError when the environment names no address; DataError when the file is another one than an earlier
    call has sent from; CallFailure, which says how far it came, when a request is refused for good.
    """
    secrets = Secrets()
    destination = writer.destination(secrets)
    path = folder / destination.file
    digest = _digest(path)
    done = _in_records(_done(folder / SENT, digest, destination), path, destination)
    client = HttpClient(secrets)
    policy = retry or RetryPolicy()
    with asyncio.Runner() as runner, (folder / SENT).open("ab") as log:
        try:
            for until, lines, records, left_out in _requests(path, destination, done[-1].until if done else 0):
                reply = None
                if lines:
                    call = _attempts(runner, client, destination, destination.body(lines), policy, pause)
                    reply = call(f"{digest}:{until}")
                request = _answered(destination, reply, digest, until, records, left_out)
                log.write(msgspec.json.encode(request) + b"\n")
                log.flush()
                os.fsync(log.fileno())
                done.append(request)
        except CallFailure as failure:
            accepted = sum(request.accepted for request in done)
            reached = f"{accepted} {destination.noun} accepted so far"
            message = f"{path}: {reached}; {failure}; the same command goes on from there"
            raise CallFailure(message, kind=failure.kind, status=failure.status) from None
        finally:
            runner.run(client.aclose())
    return Sent(
        sum(request.accepted for request in done),
        sum(request.rejected for request in done),
        sum(request.left_out for request in done),
        tuple(dict.fromkeys(error for request in done for error in request.errors)),
        tuple(dict.fromkeys(warning for request in done for warning in request.warnings or ())),
        destination.noun,
    )


def _answered(
    destination: Destination, reply: HttpReply | None, digest: str, until: int, records: int, left_out: int
) -> _Request:
    """What came of a request, as its answer says; more than was sent cannot be rejected."""
    said, reasons = destination.rejected(_json(reply))
    rejected = min(said, records)
    told = [SECRETS_IN_USE.text(reason)[:200] for reason in reasons]
    errors, warnings = (told, []) if rejected else ([], told)
    return _Request(digest, destination.url, until, records - rejected, rejected, left_out, errors, warnings)


def _attempts(
    runner: asyncio.Runner, client: HttpClient, destination: Destination, body: bytes, policy: RetryPolicy,
    pause: Callable[[float], Any],
) -> Callable[[str], HttpReply]:  # fmt: skip
    """A call of one request that goes on after refusals that may pass."""

    def call(name: str) -> HttpReply:
        headers = {"Content-Type": "application/json", **destination.headers}
        for attempt in range(1, policy.tries + 1):
            try:
                return runner.run(client.fetch("POST", destination.url, headers=headers, body=body, seconds=_SECONDS))
            except CallFailure as failure:
                if not failure.retryable or attempt == policy.tries:
                    raise
                wait = policy.wait(attempt, name, failure.retry_after)
                if wait > policy.deadline:
                    raise
                pause(wait)
        raise AssertionError

    return call


def _requests(path: Path, destination: Destination, begin: int) -> Iterator[tuple[int, list[bytes], int, int]]:
    """The lines behind ``begin`` by request: the number of the last one, those to send, their records, those left out.

    Raises: DataError for a line that holds no records.
    """
    lines: list[bytes] = []
    records = left_out = number = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if number <= begin:
                continue
            held = _held(line, path, number, destination)
            if destination.sendable(line):
                lines.append(line.rstrip(b"\n"))
                records += held
            else:
                left_out += held
            if len(lines) == destination.at_once:
                yield number, lines, records, left_out
                lines, records, left_out = [], 0, 0
    if lines or left_out:
        yield number, lines, records, left_out


def _held(line: bytes, path: Path, number: int, destination: Destination) -> int:
    """How many records a line holds. Raises: DataError for a line that holds none."""
    try:
        return destination.records(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        message = f"{path}:{number}: expected what an export writes ({error}); export the run anew"
        raise DataError(message) from error


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        message = f"{path}: expected the file of an export, found none ({error.strerror}); export the run anew"
        raise DataError(message) from error


def _done(path: Path, digest: str, destination: Destination) -> list[_Request]:
    """What earlier calls have sent. A last line that broke off was no answer. Raises: DataError."""
    if not path.is_file():
        return []
    results = []
    whole = path.read_bytes()
    for number, line in enumerate(whole.splitlines(keepends=True), 1):
        if not line.endswith(b"\n"):
            path.write_bytes(whole[: -len(line)])
            break
        try:
            request = msgspec.json.decode(line, type=_Request)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            message = f"{path}:{number}: expected what was sent ({error}); remove the file to send everything again"
            raise DataError(message) from error
        for field, found, now in (("sha256", request.sha256, digest), ("url", request.url, destination.url)):
            if found != now:
                message = (
                    f"{path}:{number}: $.{field}: expected {now}, found {found}: another file or address was sent to; "
                    "export into a new folder, or remove this file to send everything"
                )
                raise DataError(message)
        results.append(request)
    return results


def _in_records(done: list[_Request], path: Path, destination: Destination) -> list[_Request]:
    """What was sent, with requests that were counted in lines counted in records."""
    if all(request.warnings is not msgspec.UNSET for request in done):
        return done
    results, begin = [], 0
    with path.open("rb") as file:
        lines = enumerate(file, 1)
        for request in done:
            some = itertools.islice(lines, request.until - begin)
            held = sum(_held(line, path, number, destination) for number, line in some)
            results.append(_recounted(request, held) if request.warnings is msgspec.UNSET else request)
            begin = request.until
    return results


def _recounted(request: _Request, held: int) -> _Request:
    """A request of ``held`` records; what was said of one that rejected none is a warning."""
    sent = held - request.left_out
    rejected = min(request.rejected, sent)
    errors, warnings = (request.errors, []) if rejected else ([], request.errors)
    return msgspec.structs.replace(
        request, accepted=sent - rejected, rejected=rejected, errors=errors, warnings=warnings
    )


def _json(reply: HttpReply | None) -> Any:
    try:
        return None if reply is None else msgspec.json.decode(reply.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
