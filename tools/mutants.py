"""Mutants: one small change of a module at a time, which the tests that guard it must notice.

Usage: tools/mutants.py [ROOM ...] [--most N] [--seed N]. A room is one of GUARDS below; without a name, all of them.
``--most`` takes a sample of that many mutants a room, the same for the same seed. cosmic-ray makes the mutants; each
runs in a process forked from this one, where what tests import is loaded already, and no file is changed.
A mutant that changes nothing anybody could see belongs into tools/mutants_same.tsv, with the reason. Exits with 1
where a mutant survived that is not listed there.
"""

from __future__ import annotations

import argparse
import ast
import csv
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import itertools
import os
import random
import re
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import NamedTuple

import cosmic_ray.plugins
import hypothesis
import pytest
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code

PROJECT = Path(__file__).resolve().parents[1]
SOURCE = PROJECT / "src"
SAME = PROJECT / "tools" / "mutants_same.tsv"
LOADED = ("numpy", "scipy.stats", "sklearn.metrics", "hypothesis.strategies", "msgspec", "click", "yaml", "jinja2",
          "ahocorasick_rs", "jsonschema_rs", "opencc", "rapidfuzz")  # fmt: skip
SECONDS = 40
PATIENCE = 5
"""A mutant that takes so many times as long as the tests without one, and `SECONDS` at least, has been noticed."""
OPTIONS = ("-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-profile=mutants",
           "-m", "not slow")  # fmt: skip

# Modules below src/turnmark (files or a folder) and the tests below tests/ that guard them; they start no process.
GUARDS = {
    "gate": (
        "pipeline/comparing/gate.py",
        "pipeline/comparing/test_gate_bounds.py pipeline/comparing/test_undecided_runs.py",
    ),
    "tally": (
        "stats/tally.py stats/columns.py stats/dialog_table.py stats/pooling.py stats/by_dialog.py",
        "stats/test_tally.py stats/test_columns.py stats/test_undecided.py runs/test_summary_file.py",
    ),
    "intervals": (
        "stats/intervals.py stats/bca.py stats/analytic.py stats/resampling.py",
        "stats/test_intervals.py stats/test_bca.py stats/test_analytic.py stats/test_resampling.py",
    ),
    "paired": ("stats/paired.py stats/clustered.py", "stats/test_paired.py stats/test_clustered_intervals.py"),
    "agreement": (
        "stats/agreement.py stats/annotators.py",
        "stats/test_agreement_statistics.py stats/test_annotators.py",
    ),
    "correction": ("stats/correction.py", "stats/test_correction.py"),
    "by_turn": ("stats/by_turn.py", "stats/test_by_turn.py"),
    "marked": ("metrics/marked.py", "metrics/test_marks_of_rows.py"),
    "finance": (
        "metrics/finance",
        (
            "metrics/test_measures_of_all.py metrics/test_compliance_columns.py "
            "metrics/test_finance_worked_examples.py metrics/test_finance_properties.py "
            "metrics/test_constraint_breach.py"
        ),
    ),
    "clinical": ("metrics/clinical", "metrics/test_measures_of_all.py metrics/clinical"),
    "rag": ("metrics/rag", "metrics/test_measures_of_all.py metrics/rag"),
    "scope": ("language/scope", "language/scope"),
}  # fmt: skip

# What is replaced: signs by their opposite or their neighbour, numbers, truth values, loops. Others (`==` by
# `>=` or `is`, `+` by `<<`) mean the same for the texts and counts that are compared here, or fail in any case.
KEPT = re.compile(
    r"core/(AddNot|ExceptionReplacer|NumberReplacer|ZeroIterationForLoop"
    r"|Replace(AndWithOr|OrWithAnd|BreakWithContinue|ContinueWithBreak|FalseWithTrue|TrueWithFalse)"
    r"|ReplaceUnaryOperator_(Delete_\w+|USub_UAdd)"
    r"|ReplaceComparisonOperator_(Eq_NotEq|NotEq_Eq|Is_IsNot|IsNot_Is)"
    r"|ReplaceComparisonOperator_(Lt_LtE|Lt_GtE|LtE_Lt|LtE_Gt|Gt_GtE|Gt_LtE|GtE_Gt|GtE_Lt)"
    r"|ReplaceBinaryOperator_((Add|Sub|Mul|Div|FloorDiv|Mod|Pow)_(Add|Sub|Mul|Div)|Bit\w+_Bit\w+))$"
)


class Mutant(NamedTuple):
    """A changed module: which, where, the line before and after, and its whole text."""

    path: Path
    line: int
    before: str
    after: str
    text: str

    @property
    def module(self) -> str:
        """Its name as it is imported."""
        return ".".join(self.path.relative_to(SOURCE).with_suffix("").parts)

    def __str__(self) -> str:
        return f"{self.path.relative_to(SOURCE / 'turnmark')}:{self.line}\n  - {self.before}\n  + {self.after}"


class Position(NamedTuple):
    """Where an operator could change a file."""

    path: Path
    operator: str
    occurrence: int


def positions(path: Path) -> Iterator[Position]:
    """Every change of a file that cosmic-ray would make."""
    nodes = list(ast_nodes(get_ast(path.read_text("utf-8"))))
    for name in sorted(filter(KEPT.match, cosmic_ray.plugins.operator_names())):
        operator = cosmic_ray.plugins.get_operator(name)()
        there = sum(1 for node in nodes for _ in operator.mutation_positions(node))
        yield from (Position(path, name, occurrence) for occurrence in range(there))


def made(position: Position) -> Mutant | None:
    """The mutant; None where it is no Python or changes no more than an annotation."""
    text = position.path.read_text("utf-8")
    operator = cosmic_ray.plugins.get_operator(position.operator)()
    changed = mutate_code(text, operator, position.occurrence)
    try:
        if _without_annotations(changed) == _without_annotations(text):
            return None
    except SyntaxError:
        return None
    return Mutant(position.path, *_difference(text, changed), changed)


def _without_annotations(text: str) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
        elif isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.arguments):  # the star and the slash between them are no signs
            node.args = [*node.posonlyargs, *node.args, *node.kwonlyargs]
            node.defaults = [*node.defaults, *(default for default in node.kw_defaults if default)]
            node.posonlyargs, node.kwonlyargs, node.kw_defaults = [], [], []
    return ast.dump(tree)


def _difference(text: str, changed: str) -> tuple[int, str, str]:
    lines = zip(text.splitlines(), changed.splitlines(), strict=False)
    return next((at, old.strip(), new.strip()) for at, (old, new) in enumerate(lines, 1) if old != new)


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads the changed text under the name of the module."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module, str(mutant.path))
        self.text = mutant.text

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 - as importlib calls it
        """The code of the mutant."""
        return self.source_to_code(self.text.encode(), self.path)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module: the mutant."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(self, fullname: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        """The mutant in place of its module."""
        if fullname != self.mutant.module:
            return None
        return importlib.util.spec_from_loader(fullname, _Loader(self.mutant))


def survives(mutant: Mutant | None, tests: list[str], seconds: float) -> bool:
    """Whether all tests pass with the mutant in place of its module; one that takes too long has been noticed."""
    process = os.fork()
    if process == 0:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        if mutant is not None:
            sys.meta_path.insert(0, _Finder(mutant))
        os._exit(int(pytest.main([*OPTIONS, *tests])))
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.02)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return False


def same() -> set[tuple[str, str, str]]:
    """Mutants that change nothing which could be seen: file, line before, line after."""
    with SAME.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {(row["file"], row["before"], row["after"]) for row in rows}


def sampled(room: str, most: int | None, seed: int) -> list[Mutant]:
    """Mutants of a room to be tried, in the order of the files."""
    parts = [SOURCE / "turnmark" / part for part in GUARDS[room][0].split()]
    files = [file for part in parts for file in (sorted(part.glob("*.py")) if part.is_dir() else [part])]
    everywhere = [position for file in files for position in positions(file)]
    random.Random(seed).shuffle(everywhere)  # noqa: S311 - a sample, no secret
    mutants = (mutant for position in everywhere if (mutant := made(position)))
    return sorted(itertools.islice(mutants, most), key=lambda mutant: (files.index(mutant.path), mutant.line))


def main() -> int:
    """Try the mutants and say which survived."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help=", ".join(GUARDS))
    parser.add_argument("--most", type=int, help="how many mutants a room; without it, all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    asked = parser.parse_args()
    if unknown := set(asked.rooms) - set(GUARDS):
        parser.error(f"no such room: {', '.join(sorted(unknown))}; there are {', '.join(GUARDS)}")
    for name in LOADED:
        importlib.import_module(name)
    os.chdir(PROJECT)
    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)  # no shrinking: one failure is enough
    hypothesis.settings.register_profile("mutants", deadline=None, derandomize=True, phases=phases)
    known, left = same(), 0
    for room in asked.rooms or GUARDS:
        tests = [f"tests/{part}" for part in GUARDS[room][1].split()]
        started = time.monotonic()
        if not survives(None, tests, PATIENCE * SECONDS):
            parser.error(f"the tests of {room} fail without any mutant: {' '.join(tests)}")
        seconds = max(SECONDS, PATIENCE * (time.monotonic() - started))
        tried = sampled(room, asked.most, asked.seed)
        survivors = [mutant for mutant in tried if survives(mutant, tests, seconds)]
        new = [
            mutant for mutant in survivors
            if (str(mutant.path.relative_to(SOURCE / "turnmark")), mutant.before, mutant.after) not in known
        ]  # fmt: skip
        for mutant in new:
            print(mutant)
        noticed, equal = len(tried) - len(survivors), len(survivors) - len(new)
        print(f"{room}: {len(tried)} mutants, {noticed} noticed, {equal} the same, {len(new)} survived",
              flush=True)  # fmt: skip
        left += len(new)
    return int(left > 0)


if __name__ == "__main__":
    sys.exit(main())
