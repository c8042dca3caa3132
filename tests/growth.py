"""How much more work a longer input takes: a share of the same work, so that a slow machine changes nothing."""

import sys
import time

NEGLIGIBLE_SECONDS = 0.05
"""A long input that takes less processor time than this is read in no time, and its growth is noise."""

SQUARE = 24.0
"""Growth over an input eight times as long that is three times what proportion is (8), and far from the square (64)."""

ROUNDS = 6
"""How often both are taken at most, one after the other, before a growth counts: others use the machine too."""


def processor_growth(act, short, long, below=SQUARE):
    """Processor time of ``act(long)`` over that of ``act(short)``, the least of each; 0 where both are negligible.

    Both are taken again, up to ``ROUNDS`` times, until the growth is under ``below``.
    """
    least = {short: float("inf"), long: float("inf")}
    growth = below
    for _ in range(ROUNDS):
        for size in (short, long):
            least[size] = min(least[size], _seconds(act, size))
        growth = 0.0 if least[long] < NEGLIGIBLE_SECONDS else least[long] / least[short]
        if growth < below:
            break
    return growth


def calls_of(act):
    """Calls that the interpreter makes in ``act()``: the same number on any machine."""
    count = 0

    def counted(_frame, _event, _argument):
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        act()
    finally:
        sys.setprofile(before)
    return count


def _seconds(act, size):
    begun = time.process_time()
    act(size)
    return time.process_time() - begun
