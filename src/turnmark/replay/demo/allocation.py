"""The one tool of the demo adviser: an example of a mix that keeps to the user's limits."""

from __future__ import annotations

from collections.abc import Mapping

ASSUMED_FALL = 35.0
"""Percent by which equities are assumed to fall, in the order of the larger falls of broad indexes."""

_EQUITY = {"low": 10.0, "medium": 30.0, "high": 60.0}
_CASH = {"low": 10.0, "medium": 15.0, "high": 30.0}


def allocation(levels: Mapping[str, str], limits: Mapping[str, float]) -> dict[str, float]:
    """Shares in percent of ``cash``, ``equity``, ``bond``, ``credit`` and ``deposit``; they add up to 100.

    Equity is at most what the risk level, a limit on equities and the loss that is bearable under `ASSUMED_FALL` allow,
    and nothing when the money is needed within half a year; cash is at least the reserve. The rest is bonds, split so
    that no part is above the limit for a single asset.
    """
    cash = max(limits.get("cash", 0.0), _CASH[levels.get("liquidity_need", "medium")])
    cash = min(cash, 100.0)
    equity = min(
        _EQUITY[levels.get("risk_level", "low")],
        limits.get("equity", 100.0),
        100 * limits.get("drawdown", 100.0) / ASSUMED_FALL * 0.9,
        100.0 - cash,
    )
    if levels.get("investment_horizon") == "short":
        equity = 0.0
    single = limits.get("single", 100.0)
    equity = 5 * (min(equity, single) // 5)
    shares = {"equity": equity, "cash": cash}
    rest = 100.0 - cash - equity
    for name in ("bond", "credit", "deposit"):
        shares[name] = min(rest, max(single, 5.0))
        rest -= shares[name]
    shares["deposit"] += rest
    return {name: round(share, 1) for name, share in shares.items() if share > 0}


def fall(shares: Mapping[str, float]) -> float:
    """Percent that a mix loses when equities fall by `ASSUMED_FALL` and nothing else moves."""
    return round(shares.get("equity", 0.0) * ASSUMED_FALL / 100, 1)
