"""``turnmark view``."""

from __future__ import annotations

import secrets
import socket
from pathlib import Path

import click

from turnmark.cli.output import say
from turnmark.errors import MissingExtraError, UsageError

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_BACKLOG = 2048


@click.command("view")
@click.argument("runs", default="runs", type=click.Path(path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="Elsewhere than here a token is needed.")
@click.option("--port", default=8321, show_default=True, type=click.IntRange(0, 65535), help="0: any that is free.")
@click.option(
    "--also-known-as",
    "names",
    multiple=True,
    metavar="NAME",
    help="Another name by which browsers reach this machine (repeatable); addresses need none.",
)
@click.option("--labels", type=click.Path(path_type=Path), help="Where labels go; RUNS/labels when left out.")
@click.option("--token/--no-token", default=None, help="Ask for a token; by default only with another --host.")
def view_command(
    runs: Path, host: str, port: int, names: tuple[str, ...], labels: Path | None, token: bool | None
) -> None:
    """Browse, compare and label the scored runs below a folder, in a browser.

    Serves this machine only unless told otherwise; nothing is written but labels (and an index beside them),
    and overrides of reviewers into the run that they are of.
    """
    if not runs.is_dir():
        message = f"RUNS: expected a folder of runs, found none at {runs}"
        raise UsageError(message)
    try:
        import uvicorn  # noqa: PLC0415 - an extra

        from turnmark.viewer.app import ViewerSettings, make_app  # noqa: PLC0415 - needs the extra
    except ImportError as error:
        message = "the viewer needs a web server; pip install 'turnmark[view]'"
        raise MissingExtraError(message) from error
    if not host.strip():
        message = "--host: expected a name or an address, found none; leave it out for this machine only"
        raise UsageError(message)
    local = host in _LOOPBACK
    secret = secrets.token_urlsafe(24) if token or (token is None and not local) else None
    hosts = ("localhost", *names) if local else ("localhost", host, socket.gethostname(), socket.getfqdn(), *names)
    listener = _listener(host, port)
    app = make_app(ViewerSettings(runs, labels or runs / "labels", hosts, secret))
    for problem in app.state.problems:
        say(f"turnmark: {problem}", err=True)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False))
    name = f"[{host}]" if ":" in host else host
    at = f"http://{'localhost' if local else name}:{listener.getsockname()[1]}/"
    say(f"{at}?token={secret}" if secret else at)
    server.run(sockets=[listener])


def _listener(host: str, port: int) -> socket.socket:
    """A socket that listens: who reads the address afterwards may ask at once.

    Raises: UsageError when there is none to be had.
    """
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "no name of a machine"
        message = f"--host {host!r} --port {port}: cannot be listened at: {why or error}; choose another"
        raise UsageError(message) from error
