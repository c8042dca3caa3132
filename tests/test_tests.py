"""Every test says what must hold: an assert, an expected error or warning, or a helper that has one."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
# What fails a test by itself: pytest.raises and its kin, checks of playwright and numpy.
CHECKS = {"raises", "warns", "deprecated_call", "fail", "expect", "assert_allclose", "assert_array_equal"}


def called(node):
    """The names of what a function calls; of a method, its last name."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call):
            name = call.func
            yield name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")


def functions(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def checks_itself(function):
    return any(isinstance(node, ast.Assert) for node in ast.walk(function)) or bool(CHECKS & set(called(function)))


def without_a_check(sources):
    """Tests, as file and name, that neither check anything nor call or ask for a function of the tests that does."""
    trees = {name: functions(ast.parse(source)) for name, source in sources.items()}
    checking = {each.name for tree in trees.values() for each in tree if checks_itself(each)}
    own = {"test", "run"}  # too common a name to say which function is meant
    helpers = {name for name in checking - own if not name.startswith("test_")}
    return [
        (file, function.name)
        for file, tree in trees.items()
        for function in tree
        if function.name.startswith("test_")
        and not checks_itself(function)
        and not helpers & {*called(function), *(argument.arg for argument in function.args.args)}
    ]


def test_every_test_checks_something():
    sources = {str(path.relative_to(TESTS)): path.read_text("utf-8") for path in TESTS.rglob("*.py")}
    assert len(sources) > 100
    assert without_a_check(sources) == []


def test_no_test_asks_how_many_seconds_a_machine_takes():
    """A slow machine is no fault: growth is compared (`growth`), speed is measured in `benchmarks/`."""
    timing = [path.name for path in TESTS.rglob("*.py") if "process" + "_time" in path.read_text("utf-8")]
    assert timing == ["growth.py"]


@pytest.mark.parametrize(
    ("body", "lacks"),
    [
        ("def test_a(): assert 1", False),
        ("def test_a():\n    with pytest.raises(ValueError): int('x')", False),
        ("def same(a): assert a\ndef test_a(): same(1)", False),
        ("def test_a(): print(1)", True),
        ("def same(a): return a\ndef test_a(): same(1)", True),
    ],
)
def test_a_test_that_cannot_fail_is_found(body, lacks):
    assert bool(without_a_check({"test_x.py": body})) is lacks
