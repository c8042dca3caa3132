"""``turnmark synth``."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from pathlib import Path
from typing import Any, Literal, get_args

import click

from turnmark.cli.endpoint import endpoint_config, endpoint_options
from turnmark.cli.exit_codes import SOME_FAILED
from turnmark.cli.language import say_problems
from turnmark.cli.named_values import named_values
from turnmark.cli.output import say, say_json
from turnmark.locale.texts import LANGUAGES, Texts, filled, texts_of
from turnmark.synth.rag import RagRequest, SynthReport, rag_cases, write_records
from turnmark.synth.rag_llm import rag_cases_by_model

_Language = Literal["en", "ko", "zh"]
_MOST_SHOWN = 50
_OF_DOCUMENT = ("file", "encoding", "language", "characters", "units", "facts")


@click.group("synth")
def synth_command() -> None:
    """Make candidate cases from your own material."""


@synth_command.command("clinical")
@click.option("--fhir-dir", required=True, type=click.Path(path_type=Path), help="Folder of FHIR bundles, *.json.")
@click.option("--out", required=True, type=click.Path(path_type=Path, dir_okay=False), help="Script file to write.")
@click.option("--lang", type=click.Choice(get_args(_Language)), default="ko", show_default=True, help="Of patients.")
@click.option("--max-patients", type=click.IntRange(min=1), help="Stop after so many; all when left out.")
@click.option("--seed", type=int, default=0, show_default=True, help="Chooses among wordings.")
@click.option(
    "--on",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Day on which ages are reckoned and the record is looked at; by default the last day of each record.",
)
def clinical_command(
    fhir_dir: Path,
    out: Path,
    lang: _Language,
    max_patients: int | None,
    seed: int,
    on: dt.datetime | None,
) -> int:
    """Write five-turn conversation scripts from FHIR bundles (R4, R4B, R5), one line a patient.

    Active conditions, current medication, latest vital signs and labs, procedures and age become the true slots of each
    patient. Turns 1 and 2 tell them, turns 3 (exercise) and 4 (diet) repeat nothing on purpose, turn 5 asks for a plan.

    Exits with 3 when a file or a value had to be left out; every one is named on standard error.
    """
    # The terminology takes its time, and the help page of turnmark asks every command for its first line.
    from turnmark.synth.clinical import clinical_scripts, write_scripts  # noqa: PLC0415

    day = on.date() if on else None
    count, problems = write_scripts(
        clinical_scripts(fhir_dir, lang, most_patients=max_patients, seed=seed, on=day), out
    )
    texts = texts_of(lang)
    say_problems(problems, texts, _MOST_SHOWN, err=True)
    say(filled(texts, "synth_scripts", path=out, count=count, problems=len(problems)))
    return SOME_FAILED if problems else 0


@synth_command.command("rag")
@click.option("--docs", required=True, type=click.Path(path_type=Path), help="Folder: .txt .md .html .pdf .docx.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="File of cases to write.")
@click.option("--n", "count", required=True, type=click.IntRange(min=1), help="Cases to make, at most.")
@click.option("--seed", type=int, default=0, show_default=True, help="Chooses among questions.")
@click.option("--lang", type=click.Choice(get_args(_Language)), help="Only documents in it; all when left out.")
@click.option("--personas", type=click.Path(path_type=Path), help="Who asks (YAML or JSON); some are shipped.")
@click.option("--config", type=click.Path(path_type=Path), help="YAML file that describes a model that writes.")
@endpoint_options
@click.option(
    "--model-option", "options", multiple=True, metavar="NAME=VALUE", callback=named_values,
    help="Any other setting of the configuration; may come many times.",
)  # fmt: skip
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def rag_command(  # noqa: PLR0913, PLR0917 - one parameter an option
    docs: Path,
    out: Path,
    count: int,
    seed: int,
    lang: _Language | None,
    personas: Path | None,
    config: Path | None,
    options: dict[str, Any],
    form: str,
    **overrides: Any,
) -> int:
    """Write questions with reference answers from a folder of documents, one RAG case a line.

    Single facts, numbers, comparisons, questions over two passages and questions that the documents do not answer, as
    many of each as there can be, in the language of each document. Every answer is supported by its passages according
    to the judge rules. Works offline by rules; with --model or --config a model writes instead, and its answers are
    judged in the same way. Needs the extra documents (and http for a model).

    Exits with 3 when a file could not be read; every one is named on standard error. Fewer cases than asked for are
    said with the reason.
    """
    request = RagRequest(docs, count, seed, lang, personas)
    given = {name: value for name, value in overrides.items() if value is not None}
    if config is not None or given or options:
        records, report = rag_cases_by_model(
            request, endpoint_config(config, {**options, **given}, "--model-option"), out
        )
    else:
        records, report = rag_cases(request)
    write_records(records, out)
    texts = texts_of(lang or _most_spoken(report))
    say_problems(report.problems, texts, _MOST_SHOWN, err=True)
    if form == "json":
        say_json(report)
    else:
        _print_rag(report, out, texts)
    return SOME_FAILED if report.problems else 0


def _most_spoken(report: SynthReport) -> str:
    """The language of most documents; English where there is none."""
    counts = Counter(document.language for document in report.documents)
    return next((name for name, _ in counts.most_common() if name in LANGUAGES), "en")


def _print_rag(report: SynthReport, out: Path, texts: Texts) -> None:
    for document in report.documents:
        named = {name: getattr(document, name) for name in _OF_DOCUMENT}
        say("  " + filled(texts, "synth_document", **named))
    kinds = ", ".join(f"{kind} {number}" for kind, number in report.by_kind.items())
    line = filled(texts, "synth_cases", path=out, count=report.cases, wanted=report.wanted)
    say(f"{line} ({kinds})" if kinds else line)
    if report.short:
        say(report.short)
    if report.spent is not None:
        cost = filled(texts, "judge_cost", cost=f"{report.spent.cost:.4f}") if report.spent.cost else ""
        say(filled(texts, "synth_calls", calls=report.spent.calls, cached=report.spent.cached, cost=cost))
    if report.stopped:
        say(filled(texts, "judge_stopped", what=report.stopped))
