"""The one clock of what is written into manifests."""

from __future__ import annotations

import os
from datetime import UTC, datetime


def now() -> str:
    """The time in UTC (ISO 8601, seconds), or SOURCE_DATE_EPOCH for builds that must be the same byte for byte."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
