"""The exception tree.

::

    TurnmarkError
    ├── UsageError (ValueError)       an argument or setting is wrong: exit code 2
    │   └── PackError                 a rule file is wrong; names file, line and field
    ├── DataError (ValueError)        an input file cannot be read as what it should be
    └── MissingExtraError (ImportError)  an optional part is not installed; names the install line

Every message says what was found, where, what was expected and what to do. Single bad lines and single failed turns
are not exceptions: they are values (`turnmark.schemas.problems.Problem`, `turnmark.stats.tally.Failed`), so that the
rest goes on.
"""


class TurnmarkError(Exception):
    """Root of everything that turnmark raises on purpose."""


class UsageError(TurnmarkError, ValueError):
    """An argument or setting is wrong; the message says which one and what would be right."""


class PackError(UsageError):
    """A pack (rule file) is wrong; the message names file, line and field."""


class DataError(TurnmarkError, ValueError):
    """An input cannot be read as what it should be; the message names file and line."""


class MissingExtraError(TurnmarkError, ImportError):
    """An optional part is not installed; the message names the install line."""
