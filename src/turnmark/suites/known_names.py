"""Names that a ground truth uses and nothing knows: a typo in a tag would count against every system in silence."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, get_args

from turnmark.packs.risk_tags import known_tags
from turnmark.packs.rules import RulePack
from turnmark.schemas.jsonl import Line
from turnmark.schemas.labels.finance import RISK_TAGS, RUBRIC_ELEMENTS
from turnmark.schemas.problems import Problem, shown
from turnmark.schemas.trace import ComplianceLabel, TurnTags

_KEY = re.compile(
    r"profile_gt\.(?:risk_level_gt|horizon_gt|liquidity_need_gt|(?:constraints_gt|preferences_gt)\[[0-9]{1,9}\])"
    r"|history_turn_index:[0-9]{1,9}"
)
_KEYS = (
    "profile_gt.risk_level_gt", "profile_gt.horizon_gt", "profile_gt.liquidity_need_gt", "profile_gt.constraints_gt[0]",
    "profile_gt.preferences_gt[0]", "history_turn_index:1",
)  # fmt: skip

_MEANWHILE = {
    "risk_disclosure_required_gt": "its own words are looked for; a pack with a rule of this label makes it known",
    "explainability_rubric_gt": "its own words are looked for; a pack with a rule of this label makes it known",
    "memory_required_keys_gt": "it stands for nothing and is left out",
    "compliance_label_gt": "the turn counts as unlabelled",
}


class Doubt(NamedTuple):
    """A name of a ground truth at a JSON path that nothing knows: what would be known, and what becomes of it."""

    field: str
    name: str
    expected: str
    advice: str

    def at(self, line: Line) -> Problem:
        """The warning about a line."""
        return Problem(
            file=line.file,
            line=line.number,
            field=self.field,
            expected=self.expected,
            found=shown(self.name),
            advice=self.advice,
            severity="warning",
        )


LIMIT_ELSEWHERE = "limits where replies are held to them: $.profile_gt.constraints_gt"
"""What is expected where a user states a limit in the chat and the dialogue has no profile."""


def limit_in_chat(index: int, sentence: str) -> Doubt:
    """The doubt about a dialogue whose user states a limit in the chat only, in the turn of that index."""
    return Doubt(
        f"$.turns[{index}].user_text", sentence, LIMIT_ELSEWHERE,
        "not checked; write dialogues with `turnmark convert FILE --out NEW.jsonl` and give each its "
        '"profile_gt": {"constraints_gt": ["…"]}',
    )  # fmt: skip


class UnreadDoubt(NamedTuple):
    """A constraint of a user that no rule reads, at a JSON path, with what is understood of it ("" for nothing)."""

    field: str
    text: str
    understood: str

    def at(self, line: Line) -> Problem:
        """The warning about a line."""
        return Doubt(
            self.field,
            self.text,
            "a constraint that a rule reads: what is limited or ruled out and, of a limit, its number",
            f"not read ({self.understood or 'nothing understood'}): replies are not checked against it; word it "
            "otherwise, or let a pack of your own name its kind",
        ).at(line)


def unread_constraints(
    texts: Iterable[str], read: Callable[[str], str | None], told: set[str]
) -> Iterator[UnreadDoubt]:
    """A doubt for each constraint of a profile that no rule reads, once each.

    Args:
        texts: The constraints, as the ground truth lists them.
        read: What is understood of one that is not read; None for one that is.
        told: Those asked about before, which get none; grows.

    """
    for index, text in enumerate(texts):
        if text in told or not text.strip():
            continue
        told.add(text)
        understood = read(text)
        if understood is not None:
            yield UnreadDoubt(f"$.profile_gt.constraints_gt[{index}]", text, understood)


class KnownNames(NamedTuple):
    """The names that are understood: risk tags with their aliases, rubric elements, compliance labels."""

    tags: frozenset[str]
    elements: frozenset[str]
    labels: frozenset[str]


def known_names(packs: Sequence[RulePack] = ()) -> KnownNames:
    """The shipped names, and those that rules of the user's packs conclude."""
    tags = known_tags() | frozenset(RISK_TAGS)
    elements = frozenset(RUBRIC_ELEMENTS)
    for pack in packs:
        own = frozenset(rule.label for rule in pack.rules)
        if pack.detector == "finance.risk":
            tags |= own
        elif pack.detector == "finance.rubric":
            elements |= own
    return KnownNames(tags, elements, frozenset(get_args(ComplianceLabel)))


def unknown_names(turns: Iterable[tuple[str, TurnTags | None]], known: KnownNames) -> Iterator[Doubt]:
    """A doubt for each name of a dialogue that nothing knows, once each, with the nearest known one.

    Args:
        turns: The JSON path of the tags of each turn, and the tags.
        known: What is understood.

    """
    seen: set[tuple[str, str]] = set()
    for path, tags in turns:
        if tags is None:
            continue
        for field, names, understood in (
            ("risk_disclosure_required_gt", tags.risk_disclosure_required_gt, known.tags),
            ("explainability_rubric_gt", tags.explainability_rubric_gt, known.elements),
            ("memory_required_keys_gt", tags.memory_required_keys_gt, frozenset(_KEYS)),
            ("compliance_label_gt", [tags.compliance_label_gt] if tags.compliance_label_gt else [], known.labels),
        ):
            for name in names or ():
                if (field, name) in seen or _understood(field, name, understood):
                    continue
                seen.add((field, name))
                near = difflib.get_close_matches(name.strip(), sorted(understood), 1, 0.3) or sorted(understood)[:1]
                yield Doubt(
                    f"{path}.{field}",
                    name,
                    f"a known name; the nearest is {near[0]!r}",
                    f"{_MEANWHILE[field]}; docs/formats.md lists the names",
                )


def _understood(field: str, name: str, known: frozenset[str]) -> bool:
    if field == "memory_required_keys_gt":
        return _KEY.fullmatch(name) is not None
    return name.strip() in known or name.strip().lower() in known
