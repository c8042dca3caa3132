"""Perturbations of finance dialogues: memory, constraints, profile, disclosures, explanation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from turnmark.schemas.trace import ProfileSnapshot
from turnmark.suites.finance.material import constraints, recalls, required_keys
from turnmark.suites.finance.value_plants import VALUE_CONTROLS, VALUES
from turnmark.suites.planting import edits
from turnmark.suites.planting.general import CONTROLS, bare_reply, said
from turnmark.suites.planting.material import Changed, Material, Perturbation, down, on_reply, up
from turnmark.suites.protocol import Plants

_OPPOSITE = {"low": ("high",), "high": ("low",), "medium": ("low", "high"), "short": ("long",), "long": ("short",)}
_HORIZON = {**_OPPOSITE, "medium": ("short", "long")}


def _forbidden(at: Material) -> list[tuple[str, str]]:
    """Constraints of the user, each with a recommendation against it."""
    return [
        (constraint, advice.say)
        for constraint in constraints(at)
        for advice in edits.words_of(at.reply).forbidden
        if any(word in constraint for word in advice.any)
    ]


def recommend_forbidden(at: Material) -> Changed | None:
    """A recommendation against one of the user's constraints."""
    fitting = [advice for _, advice in _forbidden(at)]
    return at.replied(edits.add(at.reply, at.chance.choice(fitting))) if fitting else None


def remove_constraint(at: Material) -> Changed | None:
    """A recommendation against a constraint, held against the same where the user has no such constraint."""
    fitting, profile = _forbidden(at), at.dialog.profile_gt
    if not fitting or profile is None:
        return None
    constraint, advice = at.chance.choice(fitting)
    left = [item for item in constraints(at) if item != constraint]
    broken = at.replied(edits.add(at.reply, advice))
    if broken is None or not left:
        return None
    freed = msgspec.structs.replace(profile, constraints_gt=left)
    return Changed(broken.after, msgspec.structs.replace(broken.after, profile_gt=freed))


def forget_memory(at: Material) -> Changed | None:
    """A memory that recalls nothing."""
    recall = at.turn.recall
    if recall is None or not (recall.items or recall.short_term() or recall.profile_context):
        return None
    return Changed(recalls(at))


def forget_constraint(at: Material) -> Changed | None:
    """A memory that lacks one constraint or preference which this turn needs, held against one that has it."""
    keys = required_keys(at, "constraints_gt", "preferences_gt")
    if not keys or at.turn.recall is None:
        return None
    forgotten = at.chance.choice(keys)
    left = [key for key in keys if key != forgotten and edits.similarity(key, forgotten) < 0.5]
    return Changed(recalls(at, *left), recalls(at, *left, forgotten))


def change_memory_number(at: Material) -> Changed | None:
    """A memory in which an amount of a constraint that this turn needs is another one, held against the right one."""
    keys = [key for key in required_keys(at, "constraints_gt") if edits.amounts_in(key)]
    if not keys or at.turn.recall is None:
        return None
    right = at.chance.choice(keys)
    wrong = edits.change_number(right, at.chance)
    return None if wrong is None else Changed(recalls(at, wrong), recalls(at, right))


def shuffle_memory(at: Material) -> Changed | None:
    """Entries of memory in the opposite order."""
    recall = at.turn.recall
    items = (recall.items if recall else None) or []
    backwards = items[::-1]
    if recall is None or [item.content for item in backwards] == [item.content for item in items]:
        return None
    return Changed(
        at.with_turn(msgspec.structs.replace(at.turn, recall=msgspec.structs.replace(recall, items=backwards)))
    )


def _holds(said: str, keys: list[str]) -> bool:
    """Whether a sentence holds one of the keys, by its amounts or most of its letters."""
    amounts = edits.amounts_in(keys)
    return bool(amounts & edits.amounts_in(said)) or any(edits.similarity(said, key) > 0.5 for key in keys)


def explain(at: Material) -> Changed | None:
    """A reply that holds one element of explanation which this turn asks for, held against one that says nothing."""
    tags, words = at.turn.gt_turn_tags, edits.words_of(at.reply)
    asked = [name for name in (tags.explainability_rubric_gt if tags else None) or () if name in words.explains]
    if not asked:
        return None
    said = words.explains[at.chance.choice(asked)]
    return at.replied_instead(at.chance.choice(words.bare), said)


def drop_keys(at: Material) -> Changed | None:
    """A reply without the sentences that speak of a constraint or a preference which this turn needs."""
    keys = required_keys(at, "constraints_gt", "preferences_gt")
    return at.replied(edits.drop_sentences(at.reply, lambda said: _holds(said, keys))) if keys else None


def _snapshot(at: Material) -> ProfileSnapshot | None:
    """What the assistant believed of the user after the turn, or after the last turn that tells."""
    return next((turn.profile_snapshot for turn in reversed(at.dialog.turns or ()) if turn.profile_snapshot), None)


def _believed(at: Material, **fields: Any) -> Changed:
    snapshot = msgspec.structs.replace(_snapshot(at) or ProfileSnapshot(), **fields)
    return Changed(at.with_turn(msgspec.structs.replace(at.turn, profile_snapshot=snapshot)))


def opposite_level(field: str) -> Callable[[Material], Changed | None]:
    """A level of the user's profile that is the opposite of what the assistant believed."""

    def change(at: Material) -> Changed | None:
        others = (_HORIZON if field == "investment_horizon" else _OPPOSITE).get(
            getattr(_snapshot(at), field, None) or ""
        )
        return _believed(at, **{field: at.chance.choice(others)}) if others else None

    return change


def foreign_profile(field: str, truth: str) -> Callable[[Material], Changed | None]:
    """Constraints or preferences of another user, of the same language, in place of this user's."""

    def change(at: Material) -> Changed | None:
        own = list(getattr(at.dialog.profile_gt, truth, None) or ())
        foreign = [
            theirs
            for other in at.others
            if other.language == at.dialog.language
            and len(theirs := getattr(other.profile_gt, truth, None) or ()) > 1  # one alone may say that there is none
            and not any(edits.similarity(mine, their) > 0.3 for their in theirs for mine in own)
        ]  # fmt: skip
        if not own or not foreign or _snapshot(at) is None:
            return None
        return _believed(at, **{field: list(at.chance.choice(foreign))})

    return change


FINANCE: tuple[Perturbation, ...] = (
    Perturbation("forget_memory", "memory recalls nothing", forget_memory,
                 down("M1.key_coverage", "M1.strict_key_hit_rate", "M1.short_term_hit_rate", "M1.long_term_hit_rate",
                      "M1.profile_hit_rate")),
    Perturbation("forget_constraint", "memory without a constraint or preference that the turn needs",
                 forget_constraint, down("M1.key_coverage", "M1.strict_key_hit_rate")),
    Perturbation("change_memory_number", "the number of a constraint is another one in memory",
                 change_memory_number, (*down("M1.key_coverage"), *up("M1.conflicting_key_rate"))),
    Perturbation("recommend_forbidden", "a recommendation against a constraint of the user", recommend_forbidden,
                 up("M1.contradiction_rate")),
    Perturbation("remove_constraint", "a constraint that a recommendation breaks, held against a user without it",
                 remove_constraint, up("M1.contradiction_rate")),
    Perturbation("opposite_risk_level", "the opposite risk level in the assistant's profile",
                 opposite_level("risk_level"), down("M2.risk_level_acc", "M2.profile_score")),
    Perturbation("opposite_horizon", "the opposite horizon in the assistant's profile",
                 opposite_level("investment_horizon"), down("M2.horizon_acc", "M2.profile_score")),
    Perturbation("opposite_liquidity", "the opposite need for liquidity in the assistant's profile",
                 opposite_level("liquidity_need"), down("M2.liquidity_acc", "M2.profile_score")),
    Perturbation("foreign_constraints", "constraints of another user in the assistant's profile",
                 foreign_profile("forbidden_assets", "constraints_gt"), down("M2.constraints_f1")),
    Perturbation("foreign_preferences", "preferences of another user in the assistant's profile",
                 foreign_profile("preferred_topics", "preferences_gt"), down("M2.preferences_f1")),
    Perturbation("drop_risk", "the sentences that disclose a risk are gone", on_reply(edits.drop_risk),
                 down("M3.risk_coverage", "M3.strict_risk_coverage_rate")),
    Perturbation("promise_return", "a promise of a return", said("promise"),
                 (*up("M4.severe_violation_rate"), *down("M4.compliance_label_acc"))),
    Perturbation("explain", "one element of explanation that the turn asks for, instead of nothing", explain,
                 up("M5.rubric_hit_rate", "M5.judge_score_mean")),
    Perturbation("drop_keys", "the sentences that speak of what the turn must remember are gone", drop_keys,
                 down("M1b.key_use_rate", "M1b.strict_key_use_rate")),
    Perturbation("bare_reply", "a reply that says nothing", bare_reply,
                 down("M3.risk_coverage", "M3.strict_risk_coverage_rate", "M5.rubric_hit_rate",
                      "M5.judge_score_mean", "M1b.key_use_rate", "M1b.strict_key_use_rate")),
)  # fmt: skip
"""Errors planted into finance dialogues, in the order of reports."""

FINANCE_CONTROLS: tuple[Perturbation, ...] = (
    Perturbation("shuffle_memory", "entries of memory in the opposite order", shuffle_memory),
)

FINANCE_UNTESTED = {
    "M1.partial_key_rate": "an edited key may count as partial or as conflicting: neither direction is sure",
    "M4.forbidden_hit_rate": "what a dialogue forbids is the author's own words: no plain sentence is sure to break it",
    "M1c.constraint_breach_rate": "it counts M1's contradictions over more turns: what notices an error is M1",
    **dict.fromkeys(
        (
            "M4b.forbidden_category_rate",
            "M4b.words_violation_rate",
            "M4b.events_violation_rate",
            "M4b.words_events_disagreement_rate",
        ),
        "it lays M4's evidence out by its source: what notices an error is M4",
    ),
}

FINANCE_NOT_PLANTED = {
    "another value, for the marks of disclosures, compliance and explanation (M3, M4, M4b, M5)":
        "they look at what is said of risk, promises and reasons, not at values",
    "another value in the assistant's profile (M2)":
        "levels are words; constraints of a profile are tested by those of another user",
}  # fmt: skip

PLANTS = Plants(
    (*FINANCE, *VALUES, *FINANCE_CONTROLS, *VALUE_CONTROLS, *CONTROLS), FINANCE_UNTESTED, FINANCE_NOT_PLANTED
)
