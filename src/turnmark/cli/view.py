"""``turnmark view``."""

from __future__ import annotations

import secrets
from pathlib import Path

import click

from turnmark.cli.output import say
from turnmark.errors import MissingExtraError, UsageError

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


@click.command("view")
@click.argument("runs", default="runs", type=click.Path(path_type=Path))
@click.option("--host", default="127.0.0.1", show_default=True, help="Elsewhere than here a token is needed.")
@click.option("--port", default=8321, show_default=True, type=click.IntRange(0, 65535), help="0: any that is free.")
@click.option("--labels", type=click.Path(path_type=Path), help="Where labels go; RUNS/labels when left out.")
@click.option("--token/--no-token", default=None, help="Ask for a token; by default only with another --host.")
def view_command(runs: Path, host: str, port: int, labels: Path | None, token: bool | None) -> None:
    """Browse, compare and label the scored runs below a folder, in a browser.

    Serves this machine only unless told otherwise; nothing is written but labels (and an index beside them).
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
    local = host in _LOOPBACK
    secret = secrets.token_urlsafe(24) if token or (token is None and not local) else None
    hosts = ("127.0.0.1", "localhost", "[::1]") if local else ("*",)
    app = make_app(ViewerSettings(runs, labels or runs / "labels", hosts, secret))
    config = uvicorn.Config(app, host=host, port=port, log_level="warning", access_log=False)
    server = uvicorn.Server(config)
    listener = config.bind_socket()
    listener.listen(config.backlog)  # who reads the address below may ask at once
    at = f"http://{'localhost' if local else host}:{listener.getsockname()[1]}/"
    say(f"{at}?token={secret}" if secret else at)
    server.run(sockets=[listener])
