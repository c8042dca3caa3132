"""The one clock of what is written into manifests."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime

from turnmark.errors import UsageError

_LAST = 253_402_300_799
"""The last second of the year 9999."""

_SECONDS = re.compile("[0-9]{1,12}")


def now() -> str:
    """The time in UTC (ISO 8601, seconds), or SOURCE_DATE_EPOCH for builds that must be the same byte for byte.

    Raises: UsageError when that is set and is no number of seconds up to the year 9999.
    """
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not epoch:
        moment = datetime.now(UTC)
    elif _SECONDS.fullmatch(epoch) and int(epoch) <= _LAST:
        moment = datetime.fromtimestamp(int(epoch), UTC)
    else:
        message = f"SOURCE_DATE_EPOCH: expected seconds since 1970, {_LAST} at most, found {epoch[:40]!r}; unset it"
        raise UsageError(message)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
