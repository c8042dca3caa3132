"""Golden pages. To write them anew after a change that was meant: TURNMARK_WRITE_GOLDEN=1 pytest -n 0 tests/report.

A run that writes them fails, so that none is written by accident: read the difference in git, then run again without.
"""

from __future__ import annotations

import difflib
import os
from pathlib import Path

import msgspec
import pytest

from turnmark.schemas.results.summary import EvalSummary, Signature

FOLDER = Path(__file__).parent / "golden"
_LINES, _WIDTH = 60, 200


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
    golden = path.read_bytes().decode() if path.exists() else ""
    if page == golden:
        return
    if os.environ.get("TURNMARK_WRITE_GOLDEN"):
        path.write_bytes(page.encode())
        pytest.fail(f"{name} was written anew; read its difference in git and run without TURNMARK_WRITE_GOLDEN")
    changed = difflib.unified_diff(
        golden.splitlines(), page.splitlines(), f"golden/{name}", "the page now", "", "", 2, ""
    )
    shown = [line[:_WIDTH] for line in changed]
    more = f"\n… and {len(shown) - _LINES} lines more" if len(shown) > _LINES else ""
    pytest.fail("\n".join([f"{name} changed", *shown[:_LINES]]) + more, pytrace=False)
