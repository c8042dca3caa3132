"""Which suites there are, what loads when, and what is said of one that cannot be loaded."""

import ast
import re
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import msgspec
import pytest

import turnmark
from turnmark.errors import UsageError
from turnmark.suites import registry
from turnmark.suites.labelling.agreement import Labels
from turnmark.suites.protocol import FileKind, Plants, SuiteDefinition, SuiteSettings

SOURCE = Path(turnmark.__file__).parents[1]


@pytest.fixture
def packages(monkeypatch):
    """Suites of other packages, as they stand in this list of entry points."""
    points = []
    monkeypatch.setattr("turnmark.plugins.entry_points", lambda **_group: points)
    caches = (registry._of_packages, registry._loaded)
    for cached in caches:
        cached.cache_clear()
    yield points
    for cached in caches:
        cached.cache_clear()


@pytest.mark.parametrize("definition", registry.suite_definitions(), ids=lambda one: one.name)
def test_every_part_that_a_shipped_suite_names_is_there(definition):
    assert all(isinstance(kind, FileKind) for kind in definition.file_kinds())
    assert isinstance(definition.labelled(), Labels)
    assert isinstance(definition.planted(), Plants)
    assert definition.judged().thing
    assert definition.played_kind().name
    parts = [name for name in ("suite", "kinds", "check_pack", "played", "labels", "judging", "plants", "rules")
             if getattr(definition, name) is not None]  # fmt: skip
    assert all(definition.part(name) is not None for name in parts)
    assert {metric.name for metric in definition.metrics if metric.suite == definition.name}


def test_a_part_that_is_not_there_is_named():
    lost = SuiteDefinition(name="lost", suite="turnmark.nowhere:Suite", detect=("a",), metrics=())
    with pytest.raises(UsageError, match=r"^suite lost: its suite, 'turnmark\.nowhere:Suite', cannot be loaded: "):
        lost.make(SuiteSettings("a"))


def test_what_a_suite_does_not_offer_is_told():
    bare = SuiteDefinition(name="bare", suite="x:y", detect=("a",), metrics=())
    assert bare.file_kinds() == ()
    assert bare.played_kind().name == "dialogs"
    with pytest.raises(UsageError, match=r"^--suite: suite bare has no labels that turnmark agree could compare with$"):
        bare.labelled()
    with pytest.raises(UsageError, match=r"^--suite: suite bare asks no model"):
        bare.judged()
    with pytest.raises(UsageError, match=r"^--suite: suite bare plants no errors"):
        bare.planted()
    with pytest.raises(UsageError, match=r"^--detect: expected one of \['a'\], found 'b'$"):
        bare.make(SuiteSettings("b"))


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("turnmark_nowhere:SUITE", "cannot be loaded: ModuleNotFoundError: No module named 'turnmark_nowhere'"),
        ("turnmark.suites.rag.definition:NOTHING", "cannot be loaded: AttributeError"),
        (
            "turnmark.suites.rag.definition:SUITE",
            "expected a SuiteDefinition of name 'broken', found one of name 'rag'",
        ),
        ("turnmark.suites.registry:GROUP", "expected a SuiteDefinition of name 'broken', found str"),
    ],
)
def test_a_broken_suite_is_one_clear_line_and_hinders_no_other(packages, value, says):
    packages.append(EntryPoint("broken", value, registry.GROUP))
    assert registry.suite_names() == (*registry.SHIPPED, "broken")
    assert [one.name for one in registry.suite_definitions()] == list(registry.SHIPPED)
    with pytest.raises(UsageError) as refused:
        registry.suite_definition("broken")
    assert says in str(refused.value)
    assert str(refused.value).startswith(f"--suite broken: {value!r} of package ")
    assert "\n" not in str(refused.value)
    assert registry.broken_suites() == (str(refused.value),)


def test_no_package_takes_the_name_of_a_shipped_suite(packages):
    packages.append(EntryPoint("finance", "turnmark_nowhere:SUITE", registry.GROUP))
    assert registry.suite_names() == registry.SHIPPED
    assert registry.suite_definition("finance").metrics
    assert registry.suite_definition(None).name == "finance"


def test_a_suite_that_there_is_not(packages):
    shipped = re.escape(str(sorted(registry.SHIPPED)))
    with pytest.raises(UsageError, match=rf"^--suite: expected one of {shipped}, found 'x'$"):
        registry.suite_definition("x")


@pytest.mark.parametrize(
    "code",
    [
        "from turnmark.cli.root import root; root.main(['--help'], standalone_mode=False)",
        "from turnmark.cli.root import root; root.main(['score', '--help'], standalone_mode=False)",
        "from turnmark.suites import protocol, registry; registry.make_suite('rag', protocol.SuiteSettings('rules'))",
        "from turnmark.suites.file_kinds import file_kinds; file_kinds()",
    ],
)
def test_other_suites_load_no_clinical_terminology(code):
    check = f"{code}\nimport sys\nsys.exit('turnmark.packs.terminology' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], capture_output=True, check=False).returncode == 0


def imports(path, names):
    """The modules of turnmark that a file imports; what only a type checker reads aside."""

    def statements(tree):
        for node in ast.iter_child_nodes(tree):
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
                yield from (inner for other in node.orelse for inner in statements(other))
            else:
                yield node
                yield from statements(node)

    for node in statements(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in names else node.module for name in inner)


def rings(edges):
    """Modules that are left when those that import nothing of the rest are taken away, again and again."""
    left = {name: set(targets) for name, targets in edges.items()}
    while done := {name for name, targets in left.items() if not targets & left.keys() - {name}}:
        left = {name: targets for name, targets in left.items() if name not in done}
    return sorted(left)


def test_no_module_imports_itself_by_way_of_others():
    paths = {}
    for path in sorted((SOURCE / "turnmark").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    edges = {name: {found for found in imports(path, paths) if found in paths} for name, path in paths.items()}
    assert sum(map(len, edges.values())) > 1000
    assert rings(edges) == []
    assert rings({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == ["a", "b", "c", "d"]


def test_a_definition_is_data():
    """Nothing of a definition changes after it was made."""
    with pytest.raises(AttributeError):
        registry.suite_definition("rag").name = "other"
    assert msgspec.structs.replace(registry.suite_definition("rag"), name="other").detect[0] == "rules"


def test_threads_may_ask_for_suites_at_once(tmp_path):
    """In a process of its own, where no type of a pack is made yet; without the lock about one in ten crashed."""
    code = """
import threading
from pathlib import Path
from turnmark.engine import ScoreRequest
request, made = ScoreRequest((Path("x"),)), []
threads = [threading.Thread(target=lambda: made.append(request.make_suite())) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(made))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "4\n"), done.stderr
