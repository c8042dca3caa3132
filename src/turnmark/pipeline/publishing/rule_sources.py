"""Where the rules behind evidence come from: the regulation or guideline that each rule, or its pack, names.

Packs are read only when a rule of theirs is shown, each detector's once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from turnmark.errors import PackError
from turnmark.language.script import detect_language
from turnmark.packs import loading
from turnmark.packs.literal import LiteralPack
from turnmark.packs.methods import method_of
from turnmark.packs.rule_packs import shipped_packs
from turnmark.packs.rules import RulePack
from turnmark.report.view.data import RuleSource, TurnView, spoken_rule
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.results.summary import EvalSummary
from turnmark.suites.protocol import Rules
from turnmark.suites.recorded import is_judgements
from turnmark.suites.registry import suite_definition, suite_names


class _Whole(NamedTuple):
    """A pack as the source of rules that it does not list: the beginnings of their ids, its language and sources."""

    source: RuleSource
    prefixes: tuple[str, ...]
    language: str
    sources: Mapping[str, str]


class RuleSources:
    """Looks rules up by id. ``packs`` are the user's, laid over the shipped ones as in scoring."""

    def __init__(self, summary: EvalSummary, packs: Sequence[Path] = ()) -> None:
        self._scored = summary.signature.packs if summary.signature else {}
        # Packs of the other suites are weights or folders of another form; judgements hold no rules.
        known = suite_definition(summary.suite_name).rule_tables() if summary.suite_name in suite_names() else None
        self._tables = known or Rules()
        rules = [path for path in packs if not is_judgements(path)] if self._tables.packs else []
        self._users = [_user_pack(path) for path in rules]
        self._rules: dict[str, dict[str, RuleSource]] = {}
        self._whole: dict[str, list[_Whole]] = {}

    def of_views(self, views: Iterable[TurnView]) -> dict[str, RuleSource]:
        """The source of every rule in the evidence of turns, by `spoken_rule`."""
        results: dict[str, RuleSource] = {}
        for view in views:
            language = detect_language(view.reply)
            for rule, source in self.of(view.evidence, language).items():
                results.setdefault(spoken_rule(rule, language), source)
        return results

    def of(self, evidence: Iterable[Evidence], language: str = "") -> dict[str, RuleSource]:
        """The source of every rule in the evidence: its own, its pack's, or the page that lays its method down.

        ``language`` is that of the reply: some rules are of several packs, each of which follows the law where its
        language is spoken.
        """
        results: dict[str, RuleSource] = {}
        for piece in evidence:
            if piece.rule not in results and (source := self._find(piece, language)):
                results[piece.rule] = source
        return results

    def _find(self, piece: Evidence, language: str) -> RuleSource | None:
        name = piece.rule.partition("@")[0].removesuffix(".forbidden")
        other = self._tables.other and self._tables.other(name, piece.metric, self._as_scored)
        if other:
            return other
        shared = next((detector for detector in self._tables.shared if name.startswith(f"{detector}.")), None)
        if shared and (source := self._pack_source(shared, name, piece.label, language)):
            return source
        if method := method_of(name):
            return RuleSource(method.rules, method.version, method.source)
        detector = self._tables.detectors.get(piece.metric)
        return None if detector is None else self._pack_source(detector, name, piece.label, language)

    def _pack_source(self, detector: str, name: str, label: str | None, language: str) -> RuleSource | None:
        if detector not in self._rules:
            self._load(detector)
        if exact := self._rules[detector].get(name):
            return exact
        whole = self._whole[detector]
        near = [pack for pack in whole if name.startswith(pack.prefixes)]
        if not near and len(whole) == 1 and detector.partition(".")[2] in name:
            near = whole
        if not near:
            return None
        pack = next((each for each in near if each.language == language), near[0])
        # What code reads is named after what it is about, or its evidence is labelled with that.
        parts = (pack.sources.get(key) for key in (label, name.rpartition(".")[2]) if key)
        return pack.source._replace(source=next(filter(None, parts), pack.source.source))

    def _load(self, detector: str) -> None:
        rules = self._rules[detector] = {}
        whole = self._whole[detector] = []
        users = [(pack, hashed) for pack, hashed in self._users if pack.detector == detector]
        for pack, hashed in [*shipped_packs(detector), *users]:
            as_scored = self._as_scored(pack.pack, pack.version, hashed)
            of_pack = RuleSource(pack.pack, pack.version, pack.source, pack.jurisdiction, as_scored)
            # What code reads beside a pack's words is named after the pack, or after its language and detector.
            own = (f"{pack.pack}.", f"{pack.language}.{detector.partition('.')[2]}.", f"{detector}.{pack.language}.")
            kinds = tuple(f"{detector}.{kind.id}." for kind in pack.constraints)
            # Constraints of no known kind are read by Chinese grammar.
            guessed = (f"{detector}.unknown_",) if pack.constraints and pack.language == "zh" else ()
            whole.append(_Whole(of_pack, (*own, *kinds, *guessed), pack.language, pack.sources))
            for rule in pack.rules:
                rules[rule.id.removesuffix(".forbidden")] = of_pack._replace(
                    version=rule.version,
                    source=rule.source or pack.sources.get(rule.label, pack.source),
                    jurisdiction=rule.jurisdiction or pack.jurisdiction,
                )

    def _as_scored(self, pack: str, version: str, hashed: str) -> bool:
        """True also where the signature says nothing of the pack: then there is nothing to compare with."""
        scored = [value for name, value in self._scored.items() if name.partition("@")[0] == pack]
        return not scored or self._scored.get(f"{pack}@{version}") == hashed


def _user_pack(path: Path) -> tuple[RulePack, str]:
    """A pack of the user's; a literal one holds no rules, so it is taken as a pack without any.

    Raises: PackError when it is neither.
    """
    try:
        return loading.read(path, RulePack)
    except PackError:
        literal, hashed = loading.read(path, LiteralPack)
        return RulePack(pack=literal.pack, version=literal.version, language="zh", detector="literal"), hashed
