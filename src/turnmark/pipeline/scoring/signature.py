"""The signature of figures: everything that shapes them, and its hash."""

from __future__ import annotations

import hashlib
from importlib.metadata import version

import msgspec

from turnmark.schemas.results.summary import Signature
from turnmark.suites.protocol import Suite
from turnmark.suites.registry import suite_definition

REPLY_STATE_VERSION = "1.0.0"


def signature_of(name: str, detect: str, suite: Suite, settings: dict[str, str], data_sha256: str) -> Signature:
    """What shaped the figures of a run. Numbers of different signatures are not the same measurement."""
    from turnmark.pipeline.scoring.summarise import SEED  # noqa: PLC0415 - numpy loads only here

    return Signature(
        suite=name,
        detect=detect,
        metrics={metric.name: metric.version for metric in suite_definition(name).metrics},
        detectors={**suite.versions, "reply_state": REPLY_STATE_VERSION},
        packs=dict(sorted(suite.packs.items())),
        language_tools={name: version(name) for name in ("opencc", "rapidfuzz")},
        settings=settings,
        seed=SEED,
        data_sha256=data_sha256,
    )


def fingerprint(signature: Signature) -> str:
    """The first 16 hex digits of the SHA-256 of a signature."""
    return hashlib.sha256(msgspec.json.encode(signature, order="sorted")).hexdigest()[:16]
