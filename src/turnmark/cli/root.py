"""The root command, and how errors become messages and exit codes."""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from io import StringIO

import click

from turnmark import __version__
from turnmark.cli.exit_codes import INTERRUPTED, MISUSE
from turnmark.cli.output import say, show_what_can_be_shown
from turnmark.errors import TurnmarkError

VERBS = {
    "agree": "Compare detectors or a judge with the labels of careful readers, with intervals.",
    "calibrate": "Refit the judge's weights on your own labels (a few hundred rows, as for `turnmark agree --suite "
    "rag`).",
    "check": "Check files line by line: traces, datasets, scripts, events, labels, packs, and whatever lies in a run "
    "folder.",
    "compare": "Compare scored runs turn by turn: RUN is a folder, or FOLDER@SYSTEM where one run holds several "
    "systems.",
    "completion": "Print a script that completes verbs and options: `source <(turnmark completion bash)`.",
    "convert": "Write a table, a chat log or another tool's export in turnmark's own form: cases, events or dialogues.",
    "correct": "Correct a run's figures by people's labels on a sample of its turns; raw figures stay beside them.",
    "export": "Write scored runs as files of other tools, or into MLflow (extra mlflow).",
    "gate": "Hold a scored run against rules: thresholds, and no loss against a baseline.",
    "judge": "Judge recorded answers by a language model and write its judgements.",
    "replay": "Play a dataset with an agent and write what it said, as a trace.",
    "report": "Write report.md and report.html of scored runs again, from the files in their folders.",
    "run": "Play a dataset with an agent, score what it said and write the report, all into one run folder.",
    "score": "Score recorded dialogues (trace v1, plain, .gz or .zst) and write rows, evidence, summary and report.",
    "selftest": "Plant errors in turns of RUN and see which measures notice them.",
    "view": "Browse, compare and label the scored runs below a folder, in a browser.",
    "synth": "Make candidate cases from your own material.",
}
"""Each verb with the first sentence of its own help, so that the list of them loads none."""


_NEW_OBJECTS = 300_000
"""After how many the collector looks for cycles: what is loaded at the start has none, and is most of a small run."""


class LazyVerbs(click.Group):
    """The verbs, each loaded when it is called: ``turnmark check`` should not wait for what only ``score`` needs."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the library's signature
        """The names of all verbs, in the order of the help page."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        """The verb of a name; None when there is none."""
        if cmd_name not in VERBS:
            return None
        command: click.Command = getattr(import_module(f"turnmark.cli.{cmd_name}"), f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        """The list of all verbs, from what is said of them here."""
        width = formatter.width - 6 - max(map(len, VERBS))
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, click.Command(name, help=line).get_short_help_str(width)) for name, line in VERBS.items()]
            )


@click.group(cls=LazyVerbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="turnmark")
def root() -> None:
    """Mark every turn of a domain assistant, with the words that earned each mark.

    Exit codes: 0 fine, 1 findings, 2 misuse, 3 finished but some lines or rows failed, 130 interrupted.
    """


def run(arguments: list[str] | None = None) -> None:
    """Run the command line and exit."""
    gc.set_threshold(_NEW_OBJECTS)
    for stream in (sys.stdout, sys.stderr):
        show_what_can_be_shown(stream)
    try:
        code = root.main(args=arguments, prog_name="turnmark", standalone_mode=False)
    except click.ClickException as error:
        shown = StringIO()
        error.show(shown)
        say(shown.getvalue(), err=True, nl=False)
        sys.exit(MISUSE)
    except TurnmarkError as error:
        for line in str(error).splitlines():
            say(f"turnmark: {line}", err=True)
        sys.exit(MISUSE)
    except (KeyboardInterrupt, click.Abort):
        say("turnmark: interrupted; nothing was left half written", err=True)
        sys.exit(INTERRUPTED)
    except SystemExit:
        # click and rich end so when the reader of the output went away (a pager was closed): nothing is wrong.
        sys.exit(0)
    except OSError as error:
        say(f"turnmark: cannot go on: {error}", err=True)
        sys.exit(MISUSE)
    sys.exit(code if isinstance(code, int) else 0)
