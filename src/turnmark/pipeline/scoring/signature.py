"""The signature of figures: everything that shapes them, and its hash."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib.metadata import version

import msgspec

from turnmark.schemas.results.summary import Signature
from turnmark.suites.protocol import Suite
from turnmark.suites.registry import suite_definition

_PLAYED = ("dataset_sha256", "agent", "seed", "timeout_sec", "tries")
"""What of a replay shapes its answers, by its names in the manifest."""
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


def fingerprint(signature: Signature, beside: Mapping[str, object], dataset_sha256: str) -> str:
    """The first 16 hex digits of the SHA-256 of the configuration: what was asked of whom, and how it was scored.

    That is the signature without the hash of its data, whose latencies and times no two runs share; and of the manifest
    ``beside`` the trace the model, the agent with all its options and prompts, the settings of the replay, and
    the dataset by the hash of what its dialogues ask and expect. Source: metrics contract v1, section 10.
    """
    replay = beside.get("replay")
    played = {name: replay[name] for name in _PLAYED if name in replay} if isinstance(replay, Mapping) else {}
    configuration = {
        "signature": {name: value for name, value in msgspec.to_builtins(signature).items() if name != "data_sha256"},
        "model_name": beside.get("model_name") or "unknown",
        "prompt_version": beside.get("prompt_version"),
        "dataset": dataset_sha256,
        "played": played,
    }
    return hashlib.sha256(msgspec.json.encode(configuration, order="sorted")).hexdigest()[:16]
