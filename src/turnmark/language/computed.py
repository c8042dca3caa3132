"""Attributes that are computed when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class computed(Generic[Value]):  # noqa: N801 - reads as a decorator
    """An attribute that is computed when it is first asked for, without the lock that ``cached_property`` takes."""

    def __init__(self, method: Callable[[Any], Value]) -> None:
        self.method = method
        self.name = method.__name__
        self.__doc__ = method.__doc__

    def __get__(self, instance: Any, owner: type) -> Value:
        """Compute the value once; from then on the instance holds it."""
        value = instance.__dict__[self.name] = self.method(instance)
        return value
