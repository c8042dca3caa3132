"""Golden pages. To write them anew after a change that was meant: TURNMARK_WRITE_GOLDEN=1 pytest tests/report."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from turnmark.schemas.results.summary import EvalSummary, Signature

FOLDER = Path(__file__).parent / "golden"


def timeless(summary: EvalSummary) -> EvalSummary:
    """The summary without the versions that change while the page does not."""
    signature = Signature(
        suite="finance",
        detect="literal",
        metrics={"m1_context_continuity": "1.0.0"},
        detectors={"finance.literal": "1.0.0"},
        packs={"finance.literal@1.0.0": "0123456789abcdef"},
        language_tools={"opencc": "1.0"},
        settings={"by": "scenario_type,difficulty"},
        seed=20260101,
        data_sha256="ab" * 32,
    )
    return msgspec.structs.replace(
        summary, signature=signature, config_fingerprint="0123456789abcdef", turnmark_version="0.0.0"
    )


def check(name: str, page: str) -> None:
    """Compare a page with its golden file."""
    path = FOLDER / name
    if os.environ.get("TURNMARK_WRITE_GOLDEN"):
        path.write_bytes(page.encode())
    assert page == path.read_bytes().decode(), f"{name} changed; see tests/report/golden.py"
