"""What calls cost, and hard limits on it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from turnmark.errors import UsageError
from turnmark.llm.protocol import CallFailure, ChatRequest

_WIDE_TOKENS = 1.0
_NARROW_TOKENS = 0.3
_MESSAGE_TOKENS = 4
"""Tokens a Chinese or Korean character, tokens any other, and tokens a message for its frame.

Above what the tokenizers in common use need on plain text (0.6 to 0.9 a Chinese or Korean character, 0.25 an English
one), so that a hard limit holds."""


class Prices(msgspec.Struct, frozen=True, kw_only=True):
    """Money per million tokens, in the user's currency. There is no list of prices here: it would go stale unseen."""

    input: float
    output: float

    def cost(self, input_tokens: float, output_tokens: float) -> float:
        """Money for that many tokens."""
        return (input_tokens * self.input + output_tokens * self.output) / 1_000_000


def _tokens(text: str) -> float:
    # In UTF-8 a character of an alphabet has one or two bytes, a Chinese or Korean one has three.
    wide = (len(text.encode("utf-8", "replace")) - len(text)) / 2
    return wide * _WIDE_TOKENS + max(0.0, len(text) - wide) * _NARROW_TOKENS


def estimated_tokens(texts: Iterable[str]) -> int:
    """About how many tokens these messages take, rather too many than too few."""
    return sum(round(_tokens(text) + 0.5) + _MESSAGE_TOKENS for text in texts)


def input_tokens(request: ChatRequest) -> int:
    """About how many tokens a request takes."""
    return estimated_tokens(message.content for message in request.messages)


class Spent(msgspec.Struct, kw_only=True):
    """What was used so far. ``cached`` are answers that were kept from an earlier call and cost nothing."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    cached: int = 0

    def add(self, other: Spent) -> None:
        """Count what another call used, too."""
        self.calls += other.calls
        self.input_tokens += other.input_tokens
        self.output_tokens += other.output_tokens
        self.cost += other.cost
        self.cached += other.cached


class Reservation(NamedTuple):
    """What a call may use, set aside before it starts."""

    input_tokens: int
    output_tokens: int


class Budget:
    """Hard limits for a run: no call starts that could pass one.

    A call sets aside its estimate before it starts and is charged what the endpoint counted when it ends; a call
    without a count is charged its estimate. Attempts that fail count as calls. Once a limit is reached, `exhausted`
    says which one and every further call is refused.

    Raises: UsageError when a limit is negative, or when cost is limited and no prices are given.
    """

    def __init__(
        self,
        *,
        max_calls: int | None = None,
        max_tokens: int | None = None,
        max_cost: float | None = None,
        prices: Prices | None = None,
    ) -> None:
        for name, value in (("max_calls", max_calls), ("max_tokens", max_tokens), ("max_cost", max_cost)):
            if value is not None and not value >= 0:
                message = f"{name} is {value!r}; expected 0 or more"
                raise UsageError(message)
        if max_cost is not None and prices is None:
            message = "max_cost needs the prices of the model: give money per million input and output tokens"
            raise UsageError(message)
        self._max_calls = max_calls
        self._max_tokens = max_tokens
        self._max_cost = max_cost
        self._prices = prices or Prices(input=0.0, output=0.0)
        self._reserved_input = 0
        self._reserved_output = 0
        self.spent = Spent()
        self.exhausted: str | None = None

    def reserve(self, input_tokens: int, output_tokens: int) -> Reservation:
        """Set aside one call of about that size. Raises: CallFailure of kind budget."""
        if self.exhausted is None:
            self.exhausted = self._passed(input_tokens, output_tokens)
        if self.exhausted is not None:
            message = f"the budget is used up: {self.exhausted}; raise the limit and run again, answers so far are kept"
            raise CallFailure(message, kind="budget")
        self.spent.calls += 1
        self._reserved_input += input_tokens
        self._reserved_output += output_tokens
        return Reservation(input_tokens, output_tokens)

    def settle(self, reservation: Reservation, input_tokens: int | None, output_tokens: int | None) -> Spent:
        """A call ended after that many tokens (None: as estimated); what it cost."""
        self._reserved_input -= reservation.input_tokens
        self._reserved_output -= reservation.output_tokens
        used_input = reservation.input_tokens if input_tokens is None else input_tokens
        used_output = reservation.output_tokens if output_tokens is None else output_tokens
        self.spent.input_tokens += used_input
        self.spent.output_tokens += used_output
        cost = self._prices.cost(used_input, used_output)
        self.spent.cost += cost
        return Spent(calls=1, input_tokens=used_input, output_tokens=used_output, cost=cost)

    def _passed(self, input_tokens: int, output_tokens: int) -> str | None:
        """Which limit one more call could pass."""
        total_input = self.spent.input_tokens + self._reserved_input + input_tokens
        total_output = self.spent.output_tokens + self._reserved_output + output_tokens
        if self._max_calls is not None and self.spent.calls + 1 > self._max_calls:
            return f"max_calls {self._max_calls}"
        if self._max_tokens is not None and total_input + total_output > self._max_tokens:
            return f"max_tokens {self._max_tokens}"
        if self._max_cost is not None and self._prices.cost(total_input, total_output) > self._max_cost:
            return f"max_cost {self._max_cost:g}"
        return None
