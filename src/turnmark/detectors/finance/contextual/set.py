"""The ``contextual`` set: the detectors of this folder, joined behind the protocol that every metric reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from turnmark.detectors.finance.contextual.compliance import ComplianceDetector
from turnmark.detectors.finance.contextual.constraints.detector import ConstraintDetector
from turnmark.detectors.finance.contextual.events import reported
from turnmark.detectors.finance.contextual.memory.detector import MemoryDetector
from turnmark.detectors.finance.contextual.memory.key_use import KeyUseDetector
from turnmark.detectors.finance.contextual.profile.detector import LANGUAGES, ProfileDetector
from turnmark.detectors.finance.contextual.risk import RiskDetector
from turnmark.detectors.finance.contextual.rubric.detector import RubricDetector
from turnmark.detectors.finance.protocol import MemorySources, MemoryTexts, PredictedProfile, Reading, TrueProfile
from turnmark.detectors.pack_check import refuse_faulty
from turnmark.language.match.anchors import Anchors
from turnmark.packs.profile import profile_pack
from turnmark.packs.risk_tags import canonical_tag
from turnmark.packs.rule_packs import rule_packs
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.trace import ComplianceLabel, ComplianceTrace, DialogTrace
from turnmark.schemas.turn_eval import ResolvedKey


class ContextualFinance:
    """Finance detectors by scope, quantities and paraphrase. ``version`` changes when any of their answers can change.

    Raises: PackError when a pack of the user's is wrong.
    """

    name = "contextual"
    version = "1.13.0"
    unlabelled: ComplianceLabel | None = None
    silence_is_wrong = False
    apart = True

    def __init__(self, paths: Sequence[Path] = ()) -> None:
        refuse_faulty(paths)
        self.packs: dict[str, str] = {}
        profiles = []
        for language in LANGUAGES:
            pack, taken = profile_pack(language)
            profiles.append(pack)
            self.packs |= taken
        rules = {}
        for detector in ("risk", "constraints", "compliance", "rubric"):
            rules[detector], taken = rule_packs(f"finance.{detector}", paths)
            self.packs |= taken
        # Detectors share a sieve a language, so that each reply is asked once for all of their patterns.
        anchors: defaultdict[str, Anchors] = defaultdict(Anchors)
        self._risk = RiskDetector(rules["risk"], anchors)
        securities: dict[str, list[str]] = {
            pack.language: pack.words.get("security", []) for pack in rules["compliance"]
        }
        self._constraints = ConstraintDetector(rules["constraints"], securities)
        self._compliance = ComplianceDetector(rules["compliance"], anchors)
        self._rubric = RubricDetector(rules["rubric"], anchors)
        self._memory = MemoryDetector(profiles, self._constraints.kinds)
        self._key_use = KeyUseDetector(profiles)
        self._profile = ProfileDetector(profiles)

    def canonical_tag(self, required: str) -> str:
        """The canonical name of a required risk tag."""
        return canonical_tag(required)

    def memory(self, key: ResolvedKey, sources: MemorySources) -> list[Evidence]:
        """How each source holds the key: polarity present, partial or conflicting; only the first is a hit."""
        target = key.target_text
        if not target:
            return []
        texts = sources.texts or MemoryTexts()
        results = []
        for field, text, read in (
            (sources.short_term_field, sources.short_term, texts.window),
            *((f"recall.items[{index}].content", item, texts.kept) for index, item in enumerate(sources.long_term)),
            ("recall.profile_context", sources.profile, texts.kept),
        ):
            match = self._memory.presence(target, read(text))
            if match.label != "absent":
                results.append(
                    Evidence(
                        metric="m1_context_continuity",
                        rule="memory.presence@1.0.0",
                        label=key.key,
                        polarity=match.label,
                        source=field,
                        quote=match.quote,
                        start=match.start,
                        end=match.end,
                    )
                )
        return results

    def constraints(self, reading: Reading, constraints: Sequence[str]) -> list[Evidence]:
        """Where the reply breaks or honours a constraint."""
        return self._constraints.detect(reading, constraints)

    def unread(self, constraint: str) -> str | None:
        """What is understood of a constraint that replies are not held to ("": nothing); None where they are."""
        return self._constraints.unread(constraint)

    def is_limit(self, sentence: str) -> bool:
        """Whether a sentence of a user sets a limit that replies could be held to."""
        return self._memory.states_limit(sentence)

    def risk(self, reading: Reading, required: Sequence[str] = ()) -> list[Evidence]:
        """The risks that the reply discloses; a required tag that no rule knows is matched by its own words."""
        return self._risk.detect(reading, required)

    def compliance(
        self,
        reading: Reading,
        forbidden: Sequence[str],
        observed: ComplianceTrace | None,  # noqa: ARG002 - the reply's own words decide; the observer's events are kept apart
        disclosed: Sequence[Evidence] | None = None,
        limits: Sequence[Evidence] = (),
    ) -> list[Evidence]:
        """What makes the reply a violation, by its own words; ``disclosed`` is what `risk` gave, when at hand."""
        told = self.risk(reading) if disclosed is None else disclosed
        return self._compliance.detect(
            reading,
            disclosed=bool(told),
            forbidden=forbidden,
            disclosures=told,
            admitted=self._risk.admitted(reading),
            limits=limits,
        )

    def events(self, observed: ComplianceTrace | None) -> list[Evidence] | None:
        """What the assistant's own check reported of the turn; None when it reported nothing at all."""
        return reported(observed)

    def rubric(self, reading: Reading, required: Sequence[str]) -> list[Evidence]:
        """The required elements of explanation that are present."""
        return self._rubric.detect(reading, required)

    def keys_used(self, reading: Reading, keys: Sequence[ResolvedKey]) -> list[Evidence]:
        """Where the reply uses what a required key stands for."""
        return self._key_use.detect(reading, keys)

    def profile(self, dialog: DialogTrace) -> tuple[PredictedProfile, TrueProfile, list[Evidence]]:
        """What the assistant took the user to be, beside the ground truth."""
        return self._profile.detect(dialog)
