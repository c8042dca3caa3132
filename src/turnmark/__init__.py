"""turnmark marks every turn of a domain assistant, with the words that earned each mark.

Importing it is cheap: the faces (``turnmark.contract``, ``turnmark.rag``) load on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_FACES = ("contract", "rag")


def __getattr__(name: str) -> Any:
    if name in _FACES:
        return import_module(f"turnmark.{name}")
    message = f"module 'turnmark' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return [*globals(), *_FACES]
