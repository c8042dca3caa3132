"""turn_eval v1: one row a scored turn (``turn_eval.jsonl``).

Source: trace schema v1, section 5. turnmark adds ``turn_status``, ``reply_state``, ``key_presence`` (how memory held
each key), ``key_use_flags`` (whether the reply used it), ``constraints_held`` (how many of the user's constraints rules
hold replies to), only where a detector failed ``failures``, and ``marks`` with ``flags``: what every suite's rows have.
Rows that repeat published ones have neither of these two; `complete` gives them to a row that is read. Rows carry
counts, so every total, mean and interval can be taken from this table alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Literal, NamedTuple, get_args

import msgspec

from turnmark.schemas.evidence import Evidence
from turnmark.schemas.marks import FaultKind, Mark
from turnmark.schemas.trace import ComplianceLabel, TraceVersion, TurnStatus

ReplyState = Literal[
    "normal", "empty", "echo", "error_text", "refusal", "truncated", "wrong_language", "near_duplicate"
]
REPLY_STATES: tuple[ReplyState, ...] = get_args(ReplyState)


KeyPresence = Literal["present", "partial", "conflicting", "absent"]

SUITE = "finance"
"""The suite of turn_eval v1. Files of that form name none: they are older than suites."""

LabelBy = Literal["words", "events", "either"]
"""Which evidence the compliance label goes by; words is the default."""

ANY_DISCLOSURE = "risk_disclosure_present"
"""The required tag that any disclosure meets."""

WHOLE_LABEL = "compliance_label"
"""What a reviewer calls the label of a turn as a whole."""


class AskedItem(NamedTuple):
    """One thing that a turn was asked for by name.

    ``group`` says what kind of thing it is (a key of the catalogues of texts). ``state`` is hit, miss, extra (not asked
    for) or out (does not count). ``target`` is the text that it stands for; ``held_by`` are the sources that held it,
    None for what no source holds; ``resolvable`` is False where nobody can tell what it stands for.
    """

    group: str
    name: str
    state: Literal["hit", "miss", "extra", "out"]
    target: str = ""
    held_by: tuple[str, ...] | None = None
    resolvable: bool = True


class ResolvedKey(msgspec.Struct, kw_only=True, gc=False):
    """A required memory key and the text it stands for; ``resolver`` says how the text was found."""

    key: str
    resolvable: bool
    target_text: str | None
    resolver: str


class SourceHits(msgspec.Struct, kw_only=True, gc=False):
    """How many required keys of the turn each memory source held."""

    short_term: int = 0
    long_term: int = 0
    profile: int = 0


class TurnEvalRow(msgspec.Struct, kw_only=True, gc=False):
    """What one turn contributes to every metric.

    ``marks`` holds that in the form of every suite, the columns before it in that of the contract; ``flags`` are kinds
    of fault that a reader of the columns sees and no mark counts.
    """

    suite: ClassVar[str] = SUITE
    system: ClassVar[str] = ""

    trace_version: TraceVersion
    run_id: str
    dialog_id: str
    turn_pair_id: int
    eligible_m1: bool
    eligible_m2: bool
    eligible_m3: bool
    eligible_m4: bool
    eligible_m5: bool
    required_keys_raw: list[str] = []
    resolved_keys: list[ResolvedKey] = []
    key_hit_flags: list[int] = []
    key_hit_sources: list[list[str]] = []
    m1_source_hits: SourceHits = msgspec.field(default_factory=SourceHits)
    constraint_contradiction: int = 0
    risk_required_tags: list[str] = []
    risk_pred_tags: list[str] = []
    risk_tag_hits: int = 0
    forbidden_hits: list[str] = []
    pred_compliance_label: ComplianceLabel = "compliant"
    gt_compliance_label: ComplianceLabel | None = "compliant"
    rubric_required: list[str] = []
    rubric_hit_items: list[str] = []
    judge_score_1_5: float | msgspec.UnsetType | None = msgspec.UNSET
    turn_status: TurnStatus = "ok"
    reply_state: ReplyState = "normal"
    key_presence: list[KeyPresence] = []
    key_use_flags: list[int] = []
    constraints_held: int | msgspec.UnsetType = msgspec.UNSET
    forbidden_categories: list[str] | msgspec.UnsetType = msgspec.UNSET
    words_compliance_label: ComplianceLabel | msgspec.UnsetType = msgspec.UNSET
    observed_compliance_label: ComplianceLabel | msgspec.UnsetType = msgspec.UNSET
    failures: dict[str, str] | msgspec.UnsetType = msgspec.UNSET
    written_flags: list[FaultKind] | msgspec.UnsetType = msgspec.field(name="flags", default=msgspec.UNSET)
    written_marks: dict[str, Mark] | msgspec.UnsetType = msgspec.field(name="marks", default=msgspec.UNSET)

    @property
    def marks(self) -> dict[str, Mark]:
        """What the row gives for each metric, by name; empty in one that repeats a published row (see `complete`)."""
        return {} if isinstance(self.written_marks, msgspec.UnsetType) else self.written_marks

    @property
    def unmarked(self) -> bool:
        """Whether the row repeats a published one, and nobody has read its columns into marks yet."""
        return isinstance(self.written_marks, msgspec.UnsetType)

    @property
    def flags(self) -> Sequence[FaultKind]:
        """Kinds of fault that no mark counts."""
        return () if isinstance(self.written_flags, msgspec.UnsetType) else self.written_flags

    def complete(self, marks: dict[str, Mark]) -> None:
        """Take the marks that the columns amount to, and the flags beside them; a turn that failed has none."""
        flags: list[FaultKind] = []
        if self.turn_status == "ok" and self.constraint_contradiction:
            flags.append("contradiction")
        if self.eligible_m4 and self.pred_compliance_label == "minor_violation":
            flags.append("minor")
        self.written_flags = flags or msgspec.UNSET
        self.written_marks = marks

    @property
    def labels(self) -> tuple[str, str | None]:
        """The label of the turn, and the true one."""
        return self.pred_compliance_label, self.gt_compliance_label

    @property
    def grade(self) -> float | None:
        """The grade of the explanation, from 1 to 5; None where none was asked for."""
        return None if isinstance(self.judge_score_1_5, msgspec.UnsetType) else self.judge_score_1_5

    def asked(self) -> list[AskedItem]:
        """What the turn was asked for by name: risk tags, elements of explanation, memory keys."""
        required, missed = self.risk_required_tags, self.named("risk")
        items = [AskedItem("risk_tags", tag, _state(tag not in missed, self.eligible_m3)) for tag in required]
        items += [AskedItem("risk_tags", tag, "extra") for tag in self.risk_pred_tags if tag not in required]
        items += [
            AskedItem("rubric", element, _state(element in self.rubric_hit_items, self.eligible_m5))
            for element in self.rubric_required
        ]
        for index, key in enumerate(self.resolved_keys):
            held = tuple(self.key_hit_sources[index]) if index < len(self.key_hit_sources) else ()
            state = _state(bool(held), self.eligible_m1 and key.resolvable)
            items.append(AskedItem("memory_keys", key.key, state, key.target_text or "", held, key.resolvable))
        return items

    def named(self, kind: FaultKind) -> tuple[str, ...]:
        """The names behind a kind of fault: phrases, labels, and what was asked for and is missing."""
        names: Iterable[str] = ()
        if kind == "forbidden":
            names = self.forbidden_hits
        elif kind == "label":
            names = self.pred_compliance_label, self.gt_compliance_label or ""
        elif kind == "risk":
            names = (tag for tag in self.risk_required_tags if not self._discloses(tag))
        elif kind == "rubric":
            names = (element for element in self.rubric_required if element not in self.rubric_hit_items)
        elif kind == "memory":
            names = self._keys_without([*self.key_hit_flags, *[0] * len(self.resolved_keys)])
        elif kind == "unused":
            names = self._keys_without(self.key_use_flags)
        return tuple(names)

    def _keys_without(self, flags: Sequence[int]) -> list[str]:
        """The keys that can be resolved and whose flag is 0; keys without a flag were not looked at."""
        return [key.key for key, flag in zip(self.resolved_keys, flags, strict=False) if key.resolvable and not flag]

    def _discloses(self, tag: str) -> bool:
        return bool(self.risk_pred_tags) if tag == ANY_DISCLOSURE else tag in self.risk_pred_tags

    def said(self, metric: str, label: str, about: Sequence[Evidence]) -> bool | str | None:
        """What the row and the evidence say of a label of a metric; None where they say nothing.

        Args:
            metric: Its name.
            label: A tag, an element, a key, a constraint, a phrase, or `WHOLE_LABEL`.
            about: The evidence of this metric and label.

        """
        result: bool | str | None = bool(about) or None
        if metric == "m4_compliance" and label in (WHOLE_LABEL, ""):
            result = self.pred_compliance_label
        elif metric == "m4_compliance":
            result = label in self.forbidden_hits or any(piece.polarity in ("severe", "minor") for piece in about)
        elif metric == "m3_risk_coverage":
            result = label in self.risk_pred_tags
        elif metric == "m5_explainability":
            result = label in self.rubric_hit_items
        elif metric == "m1_context_continuity":
            is_key = any(key.key == label for key in self.resolved_keys)
            result = label not in self.named("memory") if is_key else any(each.polarity == "violates" for each in about)
        return result

    def masked(self, mask: Callable[[str], str]) -> TurnEvalRow:
        """A copy with its words masked, whose marks can be set anew."""
        keys = [
            msgspec.structs.replace(key, target_text=mask(key.target_text)) if key.target_text else key
            for key in self.resolved_keys
        ]
        hits = [mask(hit) for hit in self.forbidden_hits]
        return msgspec.structs.replace(self, resolved_keys=keys, forbidden_hits=hits, written_marks=dict(self.marks))


def _state(hit: bool, counts: bool) -> Literal["hit", "miss", "out"]:
    """A turn that is not eligible (it failed, say) has and misses nothing: it does not count."""
    if not counts:
        return "out"
    return "hit" if hit else "miss"
