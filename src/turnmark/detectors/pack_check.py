"""What is wrong with a rule pack, found before it is used: its form, its detector, its ids, its patterns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from turnmark.errors import PackError
from turnmark.language.match.patterns import compile_pattern
from turnmark.packs import loading
from turnmark.packs.rule_packs import DETECTORS, shipped_packs
from turnmark.packs.rules import Rule, RulePack
from turnmark.schemas.problems import Problem

_PATTERN_LISTS = ("any", "all", "unless", "unless_near", "user")


def refuse_faulty(paths: Sequence[Path]) -> None:
    """Raises: PackError with every fault of the user's rule packs, one a line."""
    results = [problem for path in paths for problem in pack_problems(_read(path), str(path))]
    if results:
        raise PackError("\n".join(str(problem) for problem in results))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        message = f"{path}: cannot be read: {error.strerror or error}"
        raise PackError(message) from error


def pack_problems(raw: bytes, name: str) -> list[Problem]:
    """Everything that is wrong with a rule pack, with file, line and field; an empty list when it is right.

    Patterns may use the word lists of the pack itself and of the shipped pack of the same detector and language.
    """
    problems = loading.problems(raw, name, RulePack)
    if problems:
        return problems
    pack = loading.parse(raw, name, RulePack)
    if pack.detector not in DETECTORS:
        line = loading.line_of(raw, "$.detector")
        expected = f"one of {list(DETECTORS)}"
        return [Problem(file=name, line=line, field="$.detector", expected=expected, found=repr(pack.detector))]
    shipped = [known.words for known, _ in shipped_packs(pack.detector) if known.language == pack.language]
    words: dict[str, list[str]] = {}
    for lists in (*shipped, pack.words):
        words |= lists
    return [*_repeated(pack, raw, name), *_unreadable(pack, words, raw, name)]


def _repeated(pack: RulePack, raw: bytes, name: str) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for index, rule in enumerate(pack.rules):
        first = seen.setdefault(rule.id, index)
        if first != index:
            field = f"$.rules[{index}].id"
            result = f"{rule.id!r} again, first in $.rules[{first}]"
            line = loading.line_of(raw, field)
            yield Problem(file=name, line=line, field=field, expected="an id of its own", found=result)


def _unreadable(pack: RulePack, words: Mapping[str, Sequence[str]], raw: bytes, name: str) -> Iterator[Problem]:
    for index, rule in enumerate(pack.rules):
        for list_name, number, pattern in _patterns(rule):
            try:
                compile_pattern(pattern, words)
            except PackError as error:
                field = f"$.rules[{index}].{list_name}[{number}]"
                expected, _, result = str(error).partition(": expected ")[2].partition(", found ")
                yield Problem(
                    file=name,
                    line=loading.line_of(raw, field),
                    field=field,
                    expected=expected or "a pattern that can be read",
                    found=result or repr(pattern),
                )


def _patterns(rule: Rule) -> Iterator[tuple[str, int, str]]:
    for list_name in _PATTERN_LISTS:
        for number, pattern in enumerate(getattr(rule, list_name)):
            yield list_name, number, pattern
