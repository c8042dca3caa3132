"""Where the rules behind finance evidence come from: rule packs, the literal vocabulary, texts on profiles."""

from __future__ import annotations

from collections.abc import Callable

from turnmark.packs import loading
from turnmark.packs.literal import LiteralPack
from turnmark.packs.profile import profile_pack
from turnmark.report.view.data import RuleSource
from turnmark.suites.protocol import Rules

_LITERAL = "finance/literal.yaml"
_REPORTED = "finance.compliance.reported"
_PROFILE = "m2_profile_accuracy"
_PROFILE_LANGUAGES = ("zh", "ko", "en")


def _other(rule: str, metric: str, as_scored: Callable[[str, str, str], bool]) -> RuleSource | None:
    if rule.startswith("literal."):
        raw = loading.shipped(_LITERAL)
        pack = loading.parse(raw, f"turnmark:{_LITERAL}", LiteralPack)
        return RuleSource(
            pack.pack, pack.version, pack.source, as_scored=as_scored(pack.pack, pack.version, loading.digest(raw))
        )
    if rule.startswith(_REPORTED):
        return RuleSource(
            "finance.compliance.reported", "1.0.0", "the assistant's own compliance check, as it recorded it"
        )
    return _profile_source(as_scored) if metric == _PROFILE else None


def _profile_source(as_scored: Callable[[str, str, str], bool]) -> RuleSource:
    """Values of the profile follow one text a jurisdiction; their rules do not say in which language they read."""
    packs = [profile_pack(language) for language in _PROFILE_LANGUAGES]
    return RuleSource(
        "finance.profile",
        packs[0][0].version,
        "; ".join(pack.source for pack, _ in packs if pack.source),
        ", ".join(dict.fromkeys(pack.jurisdiction for pack, _ in packs if pack.jurisdiction)),
        all(as_scored(pack.pack, pack.version, *taken.values()) for pack, taken in packs),
    )


RULES = Rules(
    detectors={
        "m3_risk_coverage": "finance.risk",
        "m4_compliance": "finance.compliance",
        "m5_explainability": "finance.rubric",
        "m1_context_continuity": "finance.constraints",
    },
    other=_other,
    packs=True,
)
