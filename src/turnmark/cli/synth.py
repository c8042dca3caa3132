"""``turnmark synth``."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import get_args

import click

from turnmark.cli.root import SOME_FAILED
from turnmark.packs.terminology import Language
from turnmark.pipeline.synthesise import clinical_scripts, write_scripts

_MOST_SHOWN = 50


@click.group("synth")
def synth_command() -> None:
    """Make candidate cases from your own material."""


@synth_command.command("clinical")
@click.option("--fhir-dir", required=True, type=click.Path(path_type=Path), help="Folder of FHIR bundles, *.json.")
@click.option("--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="Script file to write.")
@click.option("--lang", type=click.Choice(get_args(Language)), default="ko", show_default=True, help="Of the patients.")
@click.option("--max-patients", type=click.IntRange(min=1), help="Stop after so many; all when left out.")
@click.option("--seed", type=int, default=0, show_default=True, help="Chooses among wordings.")
@click.option(
    "--on",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Day on which ages are reckoned and the record is looked at; by default the last day of each record.",
)
def clinical_command(
    fhir_dir: Path, out: Path, lang: Language, max_patients: int | None, seed: int, on: dt.datetime | None
) -> int:
    """Write five-turn conversation scripts from FHIR bundles (R4, R4B, R5), one line a patient.

    Active conditions, current medication, latest vital signs and labs, procedures and age become the true slots of each
    patient. Turns 1 and 2 tell them, turns 3 (exercise) and 4 (diet) repeat nothing on purpose, turn 5 asks for a plan.

    Exits with 3 when a file or a value had to be left out; every one is named on standard error.
    """
    day = on.date() if on else None
    count, problems = write_scripts(
        clinical_scripts(fhir_dir, lang, most_patients=max_patients, seed=seed, on=day), out
    )
    for problem in problems[:_MOST_SHOWN]:
        click.echo(f"{problem.severity}: {problem}", err=True)
    if len(problems) > _MOST_SHOWN:
        click.echo(f"… and {len(problems) - _MOST_SHOWN} more", err=True)
    click.echo(f"{out}: {count} scripts, {len(problems)} problems")
    return SOME_FAILED if problems else 0
