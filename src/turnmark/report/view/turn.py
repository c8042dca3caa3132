"""One turn as a page shows it: its marked reply, what was asked of it, and why it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from turnmark.language.script import detect_language
from turnmark.locale.texts import Texts, filled, named, worded_reason
from turnmark.metrics.definition import Measure, Metric
from turnmark.metrics.marked import reason_of
from turnmark.report.view.claims import (
    ClaimTable,
    Material,
    claim_tables,
    is_verdict,
    marked_reply,
    materials,
    traits,
)
from turnmark.report.view.data import Fault, RuleSource, TurnView, spoken_rule
from turnmark.report.view.lost import lost
from turnmark.report.view.names import worded_name, worded_source
from turnmark.report.view.quoted.behind import against, behind, breach, words_of
from turnmark.report.view.quoted.clipping import clipped
from turnmark.report.view.quoted.highlight import Highlighted, highlighted, said, source_name
from turnmark.report.view.tables import known_metric
from turnmark.report.view.undecided import OpenClaim, open_claims
from turnmark.schemas.marked_turn import Row
from turnmark.schemas.turn_eval import AskedItem

MOST_CHARACTERS = 20_000
MOST_QUOTED = 240
_TEASER = 90
_TAG = 20


class Reason(NamedTuple):
    """Why the turn is shown: kind, its name, and the words that say what exactly."""

    kind: str
    name: str
    details: tuple[str, ...]


class Item(NamedTuple):
    """One thing that was asked for.

    ``state`` is hit, miss, extra (not asked for) or out (does not count); of a mark it is best, low or out.
    """

    name: str
    state: str
    note: str = ""


class Quote(NamedTuple):
    """Evidence that is not marked in the reply."""

    about: str
    source: str
    quote: str


class Rules(NamedTuple):
    """Rules that fired and follow the same text: its name (empty when none is recorded), where it holds, the rules."""

    source: str
    jurisdiction: str
    as_scored: bool
    rules: tuple[tuple[str, str], ...]


class TurnPage(NamedTuple):
    """What the template shows of one turn."""

    view: TurnView
    kinds: tuple[str, ...]
    reasons: tuple[Reason, ...]
    teaser: str
    scenario: str
    user_language: str
    reply_language: str
    user_text: str
    reply: Highlighted
    clipped: int
    labels: tuple[str, str | None] | None
    judge_score: float | None
    asked: tuple[tuple[str, tuple[Item, ...]], ...]
    elsewhere: tuple[Quote, ...]
    rules: tuple[Rules, ...]
    href: str
    claims: tuple[ClaimTable, ...] = ()
    materials: tuple[Material, ...] = ()
    possible: tuple[Quote, ...] = ()


def turn_page(view: TurnView, texts: Texts, sources: Mapping[str, RuleSource], href: str = "") -> TurnPage:
    """Arrange one turn; ``href`` is the page of its dialogue. Texts beyond `MOST_CHARACTERS` are cut and say so."""
    row = view.row
    reply = highlighted(view.reply[:MOST_CHARACTERS], view.evidence, texts=texts)
    tables, left_open = claim_tables(view, texts), open_claims(view, texts)
    judged = marked_reply(view, texts) if len(view.reply) <= MOST_CHARACTERS else None
    if judged is not None:
        reply = reply._replace(markup=judged, metrics=())
    elsewhere = [piece for piece in reply.elsewhere if piece.quote and not is_verdict(piece)]
    return TurnPage(
        view=view,
        kinds=(*(fault.kind for fault in view.reasons), *(("undecided",) if left_open else ()), *traits(view)),
        reasons=(*(_reason(fault, view, texts) for fault in view.reasons), *_not_decided(left_open, texts)),
        teaser=clipped(" ".join(view.user_text.split()), _TEASER),
        scenario="" if view.scenario == row.suite else clipped(worded_name(view.scenario, texts), _TAG),
        user_language=_language(view.user_text, view.language),
        reply_language=_language(view.reply, view.language),
        user_text=view.user_text[:MOST_CHARACTERS],
        reply=reply,
        clipped=max(len(view.reply), len(view.user_text), MOST_CHARACTERS) - MOST_CHARACTERS,
        labels=_labels(row, texts),
        judge_score=row.grade,
        asked=tuple((title, tuple(items)) for title, items in _asked(view, texts) if items),
        elsewhere=tuple(
            Quote(said(piece, texts), source_name(piece.source, texts), clipped(words_of(piece, view), MOST_QUOTED))
            for piece in elsewhere
        ),
        rules=tuple(_rules(view, sources, texts)),
        href=href,
        claims=tables,
        materials=materials(view, texts),
        possible=tuple(
            Quote(worded_name(piece.label, texts), piece.rule, clipped(words_of(piece, view), MOST_QUOTED))
            for piece in view.possible
        ),
    )


def _labels(row: Row, texts: Texts) -> tuple[str, str | None] | None:
    """The label that was predicted and the one that was expected, in words."""
    if row.labels is None:
        return None
    predicted, expected = row.labels
    return worded_name(predicted, texts), None if expected is None else worded_name(expected, texts)


def _rules(view: TurnView, sources: Mapping[str, RuleSource], texts: Texts) -> list[Rules]:
    """The rules that fired, each once, gathered under the text that they follow; those without one come last."""
    grouped: dict[tuple[str, str, bool], dict[str, str]] = {}
    language = detect_language(view.reply)
    for rule in dict.fromkeys(piece.rule for piece in view.evidence if not is_verdict(piece)):
        source = sources.get(spoken_rule(rule, language))
        key = (worded_source(source, texts), source.jurisdiction, source.as_scored) if source else ("", "", True)
        grouped.setdefault(key, {})[rule] = source.version if source else ""
    ordered = sorted(grouped.items(), key=lambda item: item[0][0] == "")
    return [Rules(*key, tuple(rules.items())) for key, rules in ordered]


def _language(text: str, declared: str) -> str:
    """The language of a text as its script tells it; the dialogue's own where that says nothing."""
    result = detect_language(text)
    return declared if result == "und" and declared else result


def _reason(fault: Fault, view: TurnView, texts: Texts) -> Reason:
    details = fault.details
    if fault.kind in ("severe", "minor"):
        details = tuple(dict.fromkeys(breach(piece, view, texts) for piece in behind(fault.kind, view)))
    elif fault.kind == "contradiction":
        details = against(view, texts)
    elif fault.kind == "reply_state":
        details = tuple(named(texts, "state", state) for state in details)
    elif fault.kind == "failed":
        details = tuple(named(texts, "turn_status", status) for status in details)
        details += tuple(f"{metric}{texts['colon']}{worded_reason(texts, why)}" for metric, why in fault.failures)
    elif fault.kind == "label":
        predicted, expected = details
        told = [worded_name(name, texts) for name in (predicted, expected)]
        details = (filled(texts, "predicted_expected", predicted=told[0], expected=told[1]),)
    elif fault.kind == "mark":
        details = _low_marks(details, view, texts)
    elif fault.kind in _NAMED:
        details = tuple(worded_name(name, texts) for name in details)
    return Reason(fault.kind, texts[f"kind_{fault.kind}"], tuple(clipped(detail, MOST_QUOTED) for detail in details))


def _value(value: float, measure: Measure | None, texts: Texts) -> str:
    """A score as it is; what is taken off is said to be that, since less of it is better."""
    if measure is None or measure.upward:
        return f"{value:.2f}"
    return filled(texts, "mark_taken_off", value=f"{value:.2f}") if value else texts["mark_nothing_off"]


def _not_decided(claims: Sequence[OpenClaim], texts: Texts) -> list[Reason]:
    """That something was not decided, which is no fault, with the first claims that are it."""
    told = [f"{claim.claim or claim.metrics}{f' ({claim.why})' if claim.why else ''}" for claim in claims]
    details = tuple(told[:_MOST_OPEN]) + (("…",) if len(told) > _MOST_OPEN else ())
    return [Reason("undecided", texts["kind_undecided"], details)] if claims else []


_MOST_OPEN = 3
_NAMED = frozenset({"forbidden", "risk", "rubric", "memory", "unused"})
"""Kinds of fault whose details are names of what was asked for."""


def _low_marks(details: Sequence[str], view: TurnView, texts: Texts) -> tuple[str, ...]:
    """Codes and values of low marks with the names of the metrics in place of their codes, and what took points off."""
    by_code = {known.code: known for name in view.row.marks if (known := known_metric(name))}
    parts = (detail.rpartition(" ") for detail in details)
    return tuple(_low_mark(by_code[code], float(value), view, texts) for code, _, value in parts)


def _low_mark(metric: Metric, value: float, view: TurnView, texts: Texts) -> str:
    measure = next((measure for measure, kind in metric.faults() if kind == "mark"), None)
    mark = f"{named(texts, 'metric', metric.name)} {_value(value, measure, texts)}"
    why = lost(metric.name, view, texts)
    return mark + filled(texts, "finding_about", about=why) if why else mark


def _asked(view: TurnView, texts: Texts) -> list[tuple[str, list[Item]]]:
    """The marks of the turn, what was asked of it by name, and the limits that it speaks of, under their titles."""
    groups: dict[str, list[Item]] = {"marks": _marks(view, texts)}
    for asked in view.row.asked():
        groups.setdefault(asked.group, []).append(_item(asked, texts))
    groups["user_limits"] = _limits(view)
    return list(groups.items())


def _limits(view: TurnView) -> list[Item]:
    """The limits of the user that words of the reply keep or break; of others the reply says nothing that shows it."""
    return [
        Item(piece.label, _LIMIT_STATES[piece.polarity], f"“{clipped(words_of(piece, view), _TEASER)}”")
        for piece in view.evidence
        if piece.polarity in _LIMIT_STATES and piece.metric == _LIMITS_METRIC
    ]


_LIMIT_STATES = {"respects": "kept", "violates": "broken"}
_LIMITS_METRIC = "m1_context_continuity"


def _item(asked: AskedItem, texts: Texts) -> Item:
    name = worded_name(asked.name, texts)
    name = f"{name}{texts['colon']}{clipped(worded_name(asked.target, texts), _TEASER)}" if asked.target else name
    if not asked.resolvable:
        return Item(name, asked.state, texts["unresolvable"])
    if asked.held_by is None:
        return Item(name, asked.state)
    held = texts["comma"].join(named(texts, "source", source) for source in asked.held_by)
    return Item(name, asked.state, filled(texts, "held_by", sources=held) if held else texts["held_by_none"])


def _marks(view: TurnView, texts: Texts) -> list[Item]:
    """Each mark of a row: the value of its first measure; those that have none come last, gathered by why.

    Metrics by which no turn is at fault have no full score, and are left out; so are those that count something else
    of the turn than their first measure does.
    """
    items = []
    without: dict[str, list[str]] = {}
    for name, mark in view.row.marks.items():
        known = known_metric(name)
        measure = known.measures[0].name if known else next(iter(mark.measures), "")
        hits, total = mark.measures.get(measure, (0.0, 0.0))
        code = texts.get(f"metric_{name}", known.title if known else name)
        rest = mark.undecided.get(measure, 0.0)
        if known and (not known.faults() or (not total and known.extra)):
            continue
        if not total and rest:
            items.append(Item(f"{code} {texts['not_decided']}", "out"))
            continue
        if not total and any(counted for _, counted in mark.measures.values()):
            continue
        if not total:
            without.setdefault(worded_reason(texts, reason_of(mark)), []).append(code)
            continue
        missing = known.measures[0].shortfall(hits, total) if known else None
        shown = _value(hits / total, known.measures[0] if known else None, texts)
        items.append(Item(f"{code} {shown}", "low" if missing else "best", lost(name, view, texts) if missing else ""))
    return [*items, *(Item(texts["comma"].join(names), "out", why) for why, names in without.items())]
