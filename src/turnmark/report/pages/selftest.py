"""What a self-test found, for people: Markdown."""

from __future__ import annotations

from turnmark.locale.texts import ENGLISH, Texts, filled, named
from turnmark.report.pages.markdown import escaped, table
from turnmark.schemas.results.selftest import LanguageTest, PerturbationTest, SelfTest, Share, Surprise

LANGUAGES = ("zh", "ko", "en")
FEW = 5
"""Fewer turns than this say nothing about an error or a language."""
SHOWN = 20
"""Surprises that are shown; ``selftest.json`` holds all."""


def shown(share: Share, texts: Texts = ENGLISH) -> str:
    """``0.93 (0.85 to 0.98), 41 of 44``; a dash where nothing could be tested."""
    if share.value is None:
        return "—"
    value = f"{share.value:.2f}"
    if share.interval:
        value += f" ({filled(texts, 'range', low=f'{share.interval[0]:.2f}', high=f'{share.interval[1]:.2f}')})"
    return filled(texts, "selftest_share", share=value, hits=share.hits, total=share.total)


def render_selftest(result: SelfTest) -> str:
    """The measures, the perturbations behind them, the controls, and the marks that did not do as they should."""
    lines = [
        f"# Self-test of {escaped(result.run)}\n",
        (
            f"Suite `{result.suite}`, detectors `{result.detect}`, {result.turns} turns of {result.dialogs} dialogues, "
            f"seed {result.seed}.\n"
        ),
        *measure_table(result),
        *language_table(result),
        *weak(result),
        *untested(result),
        "\n## Planted errors\n",
        *table(
            ("error", "measure", "must", "turns", "no room", "moved", "not decided"),
            [
                [escaped(item.meaning), f"`{item.measure}`", "fall" if item.direction == "down" else "rise",
                 str(item.applied), str(item.no_room), shown(item.moved), str(item.not_decided or 0)]
                for item in result.perturbations
            ],
            numbers_from=3,
        ),
        "\n## Controls\n",
        *table(
            ("change", "turns", "some mark moved"),
            [[escaped(item.meaning), str(item.applied), shown(item.moved)] for item in result.controls],
        ),
    ]  # fmt: skip
    unseen = [item for item in result.surprises if item.expected != "same"]
    moved = [item for item in result.surprises if item.expected == "same"]
    for title, surprises in (("Missed errors", unseen), ("Moved by controls", moved)):
        if surprises:
            lines += [f"\n## {title}\n", *_surprises(surprises)]
    return "\n".join([*lines, ""])


def language_table(result: SelfTest, level: int = 2) -> list[str]:
    """Sensitivity and specificity by language under a heading of this level; empty for a run of one language."""
    spoken = sorted({part.language for measure in result.measures for part in measure.languages}, key=LANGUAGES.index)
    if len(spoken) < 2:
        return []
    rows = []
    for measure in result.measures:
        parts = {part.language: part for part in measure.languages}
        if measure.sensitivity.total:
            rows.append([f"`{measure.measure}`", *(_both(parts.get(language)) for language in spoken)])
    return [
        f"\n{'#' * level} By language\n",
        "Sensitivity / specificity, each with the number of turns.\n",
        *table(("measure", *spoken), rows, numbers_from=4),
    ]


def _both(part: LanguageTest | None) -> str:
    return " / ".join(_short(share) for share in (part.sensitivity, part.specificity)) if part else "—"


def _short(share: Share) -> str:
    return "—" if share.value is None else f"{share.value:.2f} ({share.total})"


def missed(result: SelfTest) -> list[PerturbationTest]:
    """Planted errors that a measure misses more often than it may, on enough turns to say so."""
    return [
        item
        for item in result.perturbations
        if item.moved.value is not None and item.moved.total >= FEW and item.moved.value < result.at_least
    ]


def weak(result: SelfTest, level: int = 2) -> list[str]:
    """The planted errors that measures miss, under a heading of this level; empty where there are none."""
    rows = [
        [escaped(item.meaning), f"`{item.measure}`", shown(item.moved), str(item.not_decided or 0)]
        for item in missed(result)
    ]
    if not rows:
        return []
    return [
        f"\n{'#' * level} Errors that are missed\n",
        (
            f"Noticed in less than {result.at_least:g} of their turns, where there are {FEW} of these or more. What is "
            "not decided is missed, but nothing wrong is said of it.\n"
        ),
        *table(("error", "measure", "noticed", "not decided"), rows, numbers_from=3),
    ]


def untested(result: SelfTest, level: int = 2) -> list[str]:
    """What was not tested and why, and where nothing was decided, under headings of this level."""
    reasons: dict[str, list[str]] = {}
    for measure in result.measures:
        if measure.note:
            reasons.setdefault(measure.note, []).append(f"`{measure.measure}`")
    for error, reason in result.not_planted.items():
        reasons.setdefault(reason, []).append(escaped(error))
    lines = [f"- {'; '.join(names)}: {escaped(reason)}" for reason, names in reasons.items()]
    lines = [f"\n{'#' * level} Not tested\n", *lines] if lines else []
    rest = [
        f"- `{measure.measure}`: {measure.not_decided} changed turns"
        for measure in result.measures
        if measure.not_decided
    ]
    return [*lines, *([f"\n{'#' * level} Not decided after the change\n", *rest] if rest else [])]


def measure_table(result: SelfTest) -> list[str]:
    """The lines of the table of measures."""
    return table(
        ("measure", "sensitivity", "specificity", f"both at least {result.at_least:g}"),
        [
            [
                f"`{measure.measure}`",
                shown(measure.sensitivity),
                shown(measure.specificity),
                named(ENGLISH, "selftest", measure.verdict),
            ]
            for measure in result.measures
        ],
        numbers_from=4,
    )


def _surprises(surprises: list[Surprise]) -> list[str]:
    rows = [
        [
            f"`{surprise.perturbation}`",
            f"`{surprise.measure}`",
            f"{escaped(surprise.dialog_id)}:{surprise.turn_pair_id}",
            f"{_number(surprise.before)} → {_number(surprise.after)}",
            escaped(surprise.removed),
            escaped(surprise.added),
        ]
        for surprise in surprises[:SHOWN]
    ]
    lines = table(("change", "measure", "turn", "mark", "removed", "added"), rows, numbers_from=6)
    left = len(surprises) - len(rows)
    return [*lines, f"\n{left} more in `selftest.json`."] if left else lines


def _number(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.2f}"
