"""The shipped rule packs, and the user's laid over them."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

import msgspec

from turnmark.packs.loading import digest, parse, read, shipped
from turnmark.packs.rules import RulePack

DETECTORS = ("finance.compliance", "finance.constraints", "finance.risk", "finance.rubric")
"""The detectors that rule packs can be written for."""


@functools.cache
def shipped_packs(detector: str) -> list[tuple[RulePack, str]]:
    """The shipped packs of a detector (``finance.risk``), one a language, each with its digest."""
    folder, name = detector.split(".", 1)
    files = sorted(
        entry.name
        for entry in resources.files("turnmark.packs").joinpath(folder).iterdir()
        if entry.name.startswith(f"{name}.") and entry.name.endswith(".yaml")
    )
    results = []
    for file in files:
        raw = shipped(f"{folder}/{file}")
        results.append((parse(raw, f"turnmark:{folder}/{file}", RulePack), digest(raw)))
    return results


def rule_packs(detector: str, paths: Sequence[Path] = ()) -> tuple[list[RulePack], dict[str, str]]:
    """All packs of a detector in force, and ``{pack@version: digest}`` of them.

    A pack of the user's for this detector and a language adds its word lists and rules to those of that language; a
    rule with the id of another replaces it, and so does a word list of the same name.

    Raises: PackError when a file cannot be read or is wrong.
    """
    merged: dict[str, RulePack] = {}
    taken: dict[str, str] = {}
    for pack, hashed in [*shipped_packs(detector), *_users(detector, paths)]:
        taken[f"{pack.pack}@{pack.version}"] = hashed
        known = merged.get(pack.language)
        merged[pack.language] = _over(known, pack) if known else pack
    return list(merged.values()), taken


def _users(detector: str, paths: Sequence[Path]) -> list[tuple[RulePack, str]]:
    results = [read(path, RulePack) for path in paths]
    return [(pack, hashed) for pack, hashed in results if pack.detector == detector]


def _over(base: RulePack, extra: RulePack) -> RulePack:
    rules = {rule.id: rule for rule in base.rules} | {rule.id: rule for rule in extra.rules}
    kinds = {kind.id: kind for kind in extra.constraints}  # the user's come first: the first kind that is named decides
    kinds |= {kind.id: kind for kind in base.constraints if kind.id not in kinds}
    return msgspec.structs.replace(
        base,
        words=base.words | extra.words,
        measures=base.measures | extra.measures,
        rules=list(rules.values()),
        constraints=list(kinds.values()),
    )
