"""turnmark marks every turn of a domain assistant, with the words that earned each mark.

For Python users: `score`, `compare`, `gate` and `load` (`turnmark.evaluation`), ``turnmark.rag`` (cases one by one),
``turnmark.clinical`` (answers one by one), ``turnmark.contract`` (the functions of the published contract),
``turnmark.agents`` (what an assistant that is played to hands back), ``turnmark.documents`` (files to passages),
``turnmark.engine`` (scoring on processes or machines of one's own) and ``turnmark.extension`` (what a suite of your own
is made of).
Everything else is internal and may change with any version. Importing turnmark is cheap: all of these load on first
use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turnmark.evaluation import Figure, Result, compare, gate, load, score

__version__ = "0.1.0"

__all__ = ["Figure", "Result", "__version__", "compare", "gate", "load", "score"]

_FACES = ("agents", "clinical", "contract", "documents", "engine", "evaluation", "extension", "rag")


def __getattr__(name: str) -> Any:
    if name in _FACES:
        return import_module(f"turnmark.{name}")
    if name in __all__:
        return getattr(import_module("turnmark.evaluation"), name)
    message = f"module 'turnmark' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return [*globals(), *_FACES, *__all__]
