"""What was found, in short: dialogues by their gravest fault, and the gravest quotes with the place they stand in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from turnmark.locale.texts import Texts, filled
from turnmark.report.view.counted import counting, counting_lines
from turnmark.report.view.data import ReportData, TurnView
from turnmark.report.view.quoted.quotes import worst_quotes
from turnmark.report.view.undecided import none_found, open_line
from turnmark.schemas.marks import FAULT_KINDS, FaultKind
from turnmark.schemas.results.summary import EvalSummary

_GRAVE = frozenset[FaultKind]({"severe", "forbidden", "contradiction"})
"""Kinds whose figures stand beside the findings even where every dialogue has a graver one."""


def found_in(data: ReportData) -> Mapping[str, int]:
    """Dialogues by their gravest fault; without the rows of the run, the turns that are shown."""
    return data.turns.faults if data.turns else Counter(view.reasons[0].kind for view in data.worst if view.reasons)


def counts(data: ReportData) -> list[tuple[FaultKind, int]]:
    """The same, gravest first."""
    return ranked(found_in(data))


def ranked(found: Mapping[str, int]) -> list[tuple[FaultKind, int]]:
    """Counts by kind of fault, the gravest kind first; kinds that are not there are left out."""
    return [(kind, found[kind]) for kind in FAULT_KINDS if found.get(kind)]


def kind_counted(kind: FaultKind, texts: Texts) -> str:
    """What a count of dialogues by their gravest fault calls a kind; a score that is not full is no fault by itself."""
    return texts["found_below"] if kind == "mark" else texts[f"kind_{kind}"]


def counted(found: Mapping[str, int], summary: EvalSummary, texts: Texts) -> list[str]:
    """Dialogues by their gravest fault in one line of words, and in another what was not decided."""
    told = " · ".join(f"{kind_counted(kind, texts)} {count}" for kind, count in ranked(found))
    lines = (f"{texts['found_dialogs']} {told}" if told else none_found(summary, texts), open_line(summary, texts))
    return [line for line in lines if line]


def kinds_found(found: Mapping[str, int], worst: Sequence[TurnView]) -> list[FaultKind]:
    """The kinds of fault that dialogues are counted under, and grave ones of the turns shown, gravest first."""
    shown = {fault.kind for view in worst for fault in view.reasons}
    return [kind for kind in FAULT_KINDS if found.get(kind) or (kind in shown and kind in _GRAVE)]


def found_lines(
    found: Mapping[str, int],
    worst: Sequence[TurnView],
    summary: EvalSummary,
    texts: Texts,
    altered: Sequence[str] = (),
) -> list[str]:
    """What was found, for a terminal: the counts, the figures that count it, the gravest quotes with their places.

    Files that are not as scoring left them are named first; that nothing was found is then not said.
    """
    result = [filled(texts, "altered_files", files=", ".join(altered))] if altered else []
    result += [texts["nothing_known"]] if altered and not ranked(found) else counted(found, summary, texts)
    quotes = worst_quotes(worst, texts)
    result += [f"  {line}" for line in counting_lines(counting(summary, kinds_found(found, worst)), texts)]
    for one in quotes:
        number = filled(texts, "turn", number=one.turn_pair_id) if texts["turn"] else ""
        where = texts["comma"].join(filter(None, (one.dialog_id, number)))
        said = "".join(f"[{piece.text}]" if piece.marked else piece.text for piece in one.pieces)
        about = filled(texts, "finding_about", about=one.about) if one.about and not one.is_against else ""
        against = f" ↔ {one.about}" if one.about and one.is_against else ""
        line = f"{texts[f'kind_{one.kind}']}{about}{texts['colon']}“{said}”{against} ({where})"
        result.append(f"  {' '.join(line.split())}")
    return result
