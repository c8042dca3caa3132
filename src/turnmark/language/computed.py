"""Attributes and values by name that are computed when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
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


class ByName(Mapping[str, Value]):
    """A value for each of some names, made when it is first asked for: of several languages few are met."""

    def __init__(self, names: Iterable[str], make: Callable[[str], Value]) -> None:
        """Nothing is made yet; ``make`` gets a name, once unless two threads ask at the same time."""
        self._make = make
        self._names = dict.fromkeys(names)
        self._made: dict[str, Value] = {}

    def __getitem__(self, name: str) -> Value:
        if name not in self._made and name in self._names:
            self._made[name] = self._make(name)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
