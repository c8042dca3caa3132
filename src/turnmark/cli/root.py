"""The root command, and how errors become messages and exit codes."""

from __future__ import annotations

import os
import sys

import click

from turnmark import __version__
from turnmark.cli.check import check_command
from turnmark.cli.report import report_command
from turnmark.cli.score import score_command
from turnmark.errors import TurnmarkError

FINDINGS = 1
MISUSE = 2
SOME_FAILED = 3
INTERRUPTED = 130


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="turnmark")
def root() -> None:
    """Mark every turn of a domain assistant, with the words that earned each mark.

    Exit codes: 0 fine, 1 findings, 2 misuse, 3 finished but some lines or rows failed, 130 interrupted.
    """


root.add_command(check_command)
root.add_command(score_command)
root.add_command(report_command)


def run(arguments: list[str] | None = None) -> None:
    """Run the command line and exit."""
    try:
        code = root.main(args=arguments, prog_name="turnmark", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(MISUSE)
    except TurnmarkError as error:
        for line in str(error).splitlines():
            click.echo(f"turnmark: {line}", err=True)
        sys.exit(MISUSE)
    except (KeyboardInterrupt, click.Abort):
        click.echo("turnmark: interrupted; nothing was left half written", err=True)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # The reader of the output went away (a pager was closed): nothing is wrong, and nothing more can be said.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    sys.exit(code if isinstance(code, int) else 0)
