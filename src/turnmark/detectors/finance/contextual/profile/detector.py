"""M2 evidence: what an assistant took the user to be, over a whole dialogue, beside the ground truth.

Field by field the last snapshot that says anything wins ("unknown" and empty say nothing). Where all snapshots are
silent on a level or horizon, the last statement of a reply about this user takes its place; what replies say of the
user's constraints and preferences joins those of the snapshots. Nothing is predicted that was not attributed to the
user. Source: metrics specification, section 3.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from turnmark.detectors.finance.contextual.profile.text import ProfileText, Statement
from turnmark.detectors.finance.contextual.profile.words import ProfileWords
from turnmark.detectors.finance.protocol import PredictedProfile, TrueProfile
from turnmark.language.computed import ByName
from turnmark.language.script import detect_language
from turnmark.packs.profile import ProfilePack, profile_pack
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.trace import DialogTrace, ProfileSnapshot, TurnTrace

METRIC = "m2_profile_accuracy"
LANGUAGES = ("zh", "ko", "en")
_VERSION = "1.0.0"


class ProfileDetector:
    """Finds profile values in snapshots and replies.

    Args:
        packs: Profile packs, one a language; the shipped ones when None.

    """

    def __init__(self, packs: Sequence[ProfilePack] | None = None) -> None:
        known = list(packs) if packs is not None else [profile_pack(language)[0] for language in LANGUAGES]
        self._words = ProfileWords(known)
        by_language = {pack.language: pack for pack in known}
        self._texts = ByName(by_language, lambda language: ProfileText(by_language[language]))

    def detect(self, dialog: DialogTrace) -> tuple[PredictedProfile, TrueProfile, list[Evidence]]:
        """The predicted and the true profile, and the words that the prediction rests on."""
        turns = list(dialog.turns or ())
        words = self._words
        said = list(self._statements(turns))
        evidence: list[Evidence] = []
        levels: dict[str, str | None] = {}
        for field, attribute, read in (
            ("risk", "risk_level", words.risk),
            ("horizon", "investment_horizon", words.horizon),
            ("liquidity", "liquidity_need", words.liquidity),
        ):
            last_said = _last_stated(turns, attribute, read) or _last_said(said, field)
            evidence += [last_said] if last_said else []
            levels[field] = last_said.label if last_said else None
        constraints = [*self._forbidden(turns), *_said(said, "constraints")]
        preferences = [*_listed(turns, "preferred_topics", words.preference), *_said(said, "preferences")]
        predicted = PredictedProfile(**levels, constraints=_labels(constraints), preferences=_labels(preferences))
        evidence += _once(constraints) + _once(preferences)
        return predicted, self._true(dialog), evidence

    def _true(self, dialog: DialogTrace) -> TrueProfile:
        truth, words = dialog.profile_gt, self._words
        if truth is None:
            return TrueProfile(None, None, None, frozenset(), frozenset())
        return TrueProfile(
            words.risk(truth.risk_level_gt),
            words.horizon(truth.horizon_gt),
            words.liquidity(truth.liquidity_need_gt),
            frozenset(filter(None, map(words.constraint, truth.constraints_gt or ()))),
            frozenset(filter(None, map(words.preference, truth.preferences_gt or ()))),
        )

    def _forbidden(self, turns: Sequence[TurnTrace]) -> list[Evidence]:
        """The constraints of the last snapshots: what is forbidden, and the loss that is acceptable at most."""
        result = _listed(turns, "forbidden_assets", self._words.constraint)
        limit = _last_stated(turns, "max_acceptable_loss", self._words.loss_limit)
        return [*result, limit] if limit else result

    def _statements(self, turns: Iterable[TurnTrace]) -> Iterator[tuple[int, str, Statement]]:
        """What the replies say of the user, as (turn, reply, statement)."""
        for index, turn in enumerate(turns):
            reply = turn.pred_assistant_text
            if not reply:
                continue
            text = self._texts.get(detect_language(reply))
            if text is not None:
                for statement in text.statements(reply):
                    yield index, reply, statement


def _snapshots(turns: Sequence[TurnTrace]) -> Iterator[tuple[int, ProfileSnapshot]]:
    """The snapshots, the last one first."""
    for index in range(len(turns) - 1, -1, -1):
        snapshot = turns[index].profile_snapshot
        if snapshot is not None:
            yield index, snapshot


def _last_stated(turns: Sequence[TurnTrace], attribute: str, read: Callable[[Any], str | None]) -> Evidence | None:
    """The last value of a snapshot field that says anything."""
    for index, snapshot in _snapshots(turns):
        stated = getattr(snapshot, attribute)
        value = read(stated)
        if value is not None:
            source = f"turns[{index}].profile_snapshot.{attribute}"
            return _evidence(f"snapshot.{attribute}", value, source, str(stated))
    return None


def _listed(turns: Sequence[TurnTrace], attribute: str, read: Callable[[str], str | None]) -> list[Evidence]:
    """The entries of the last snapshot whose list says anything."""
    for index, snapshot in _snapshots(turns):
        source = f"turns[{index}].profile_snapshot.{attribute}"
        pieces = [
            _evidence(f"snapshot.{attribute}", value, f"{source}[{position}]", entry)
            for position, entry in enumerate(getattr(snapshot, attribute) or ())
            if (value := read(entry)) is not None
        ]
        if pieces:
            return pieces
    return []


def _said(said: Sequence[tuple[int, str, Statement]], field: str) -> list[Evidence]:
    return [
        _evidence(f"text.{field}", statement.value, f"turns[{index}].reply", reply, statement.start, statement.end)
        for index, reply, statement in said
        if statement.field == field
    ]


def _last_said(said: Sequence[tuple[int, str, Statement]], field: str) -> Evidence | None:
    result = _said(said, field)
    return result[-1] if result else None


def _labels(found: Iterable[Evidence]) -> frozenset[str]:
    return frozenset(piece.label for piece in found)


def _once(found: Iterable[Evidence]) -> list[Evidence]:
    """The first piece of evidence for each value."""
    kept: dict[str, Evidence] = {}
    for piece in found:
        kept.setdefault(piece.label, piece)
    return list(kept.values())


def _evidence(rule: str, label: str, source: str, text: str, start: int = 0, end: int | None = None) -> Evidence:
    end = len(text) if end is None else end
    return Evidence(
        metric=METRIC, rule=f"finance.profile.{rule}@{_VERSION}", label=label, source=source, quote=text[start:end],
        start=start, end=end,
    )  # fmt: skip
