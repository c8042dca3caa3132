"""``turnmark completion``."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from turnmark.cli.output import say

_SHELLS = ("bash", "zsh", "fish")
_VARIABLE = "_TURNMARK_COMPLETE"


@click.command("completion")
@click.argument("shell", type=click.Choice(_SHELLS))
@click.pass_context
def completion_command(ctx: click.Context, shell: str) -> int:
    """Print a script that completes verbs and options: `source <(turnmark completion bash)`.

    For fish: `turnmark completion fish | source`.
    """
    made = get_completion_class(shell)
    if made is None:  # the choice above names only those that click has
        raise click.UsageError(shell, ctx)
    say(made(ctx.find_root().command, {}, "turnmark", _VARIABLE).source())
    return 0
