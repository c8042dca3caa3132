"""Where the rules behind clinical evidence come from."""

from __future__ import annotations

from turnmark.suites.protocol import Rules

RULES = Rules(shared=("clinical.safety", "clinical.elements"))
