"""The run manifest (``run_manifest.json``): what was run, with which settings, and what came of it.

Source: trace schema v1, section 4.1. It is the only artifact that holds wall-clock times.
"""

from __future__ import annotations

from typing import Any

import msgspec

from turnmark.schemas.results.summary import InputCounts, Signature
from turnmark.schemas.trace import TraceVersion


class Artifact(msgspec.Struct, kw_only=True):
    """Size in bytes and SHA-256 of one file of the run folder."""

    bytes: int
    sha256: str


class RunManifest(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Settings and counters of one run. A run folder without a manifest is unfinished."""

    trace_version: TraceVersion
    run_id: str
    dataset_path: str
    started_at: str
    model_name: str
    workers_dialog: int
    workers_judge: int
    counters: dict[str, int]
    ended_at: str | None = None
    notes: str | None = None
    m1_handling: str | None = None
    turnmark_version: str | None = None
    config_fingerprint: str | None = None
    signature: Signature | None = None
    input: InputCounts | None = None
    settings: dict[str, Any] | None = None
    artifacts: dict[str, Artifact] | None = None
