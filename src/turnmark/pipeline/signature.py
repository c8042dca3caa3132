"""The signature of figures: everything that shapes them, and its hash."""

from __future__ import annotations

import hashlib
from importlib.metadata import version

import msgspec

from turnmark.detectors.finance.protocol import FinanceDetectors
from turnmark.metrics import catalog
from turnmark.schemas.summary import Signature

REPLY_STATE_VERSION = "1.0.0"


def signature_of(suite: str, detectors: FinanceDetectors, settings: dict[str, str], data_sha256: str) -> Signature:
    """What shaped the figures of a run. Numbers of different signatures are not the same measurement."""
    from turnmark.pipeline.summarise import SEED  # noqa: PLC0415 - numpy loads only here

    return Signature(
        suite=suite,
        detect=detectors.name,
        metrics={metric.name: metric.version for metric in catalog.suite(suite)},
        detectors={f"finance.{detectors.name}": detectors.version, "reply_state": REPLY_STATE_VERSION},
        packs=dict(sorted(detectors.packs.items())),
        language_tools={name: version(name) for name in ("opencc", "rapidfuzz")},
        settings=settings,
        seed=SEED,
        data_sha256=data_sha256,
    )


def fingerprint(signature: Signature) -> str:
    """The first 16 hex digits of the SHA-256 of a signature."""
    return hashlib.sha256(msgspec.json.encode(signature, order="sorted")).hexdigest()[:16]
