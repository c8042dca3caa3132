"""Generic code names no suite: it asks the registry. What names one all the same stands here, with its reason."""

import ast
from pathlib import Path

import turnmark
from turnmark.suites.registry import SHIPPED

SOURCE = Path(turnmark.__file__).parent
ROOMS = {f"{floor}/{suite}" for floor in ("suites", "detectors", "metrics", "packs", "schemas") for suite in SHIPPED}
"""The rooms of one suite."""
ALLOWED = {
    "suites/registry.py": "the list of the suites that ship",
    "schemas/turn_eval.py": "turn_eval v1 is older than suites: its files name none",
    "judges/recorded.py": "judgements of earlier versions name no suite",
    "locale/texts.py": "in which order the words of other suites are looked through",
    "pipeline/labelling/calibrate.py": "the command refits the weights of one judge, which is of one suite",
    "pipeline/labelling/calibrate_inference.py": "an inference model is a judge of that suite's cases",
    "pipeline/labelling/calibrate_possible.py": "one suite has a model of what is possible",
    "synth/fhir/slots.py": "patients' records are of one suite, which says what their slots are",
    "cli/synth.py": "its subcommands make material for one suite each",
    "__init__.py": "faces for outsiders carry the name of what they show",
    "clinical.py": "such a face",
    "contract.py": "such a face: the contract v1 is of one suite",
    "rag.py": "such a face",
}


def names(path: Path) -> set[str]:
    """The suites that a file names: as a text of its own, or by importing from a room of theirs."""
    texts = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.add(node.value)
        elif isinstance(node, ast.ImportFrom):
            texts |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            texts |= {alias.name for alias in node.names}
    return {suite for suite in SHIPPED for text in texts if text == suite or text.startswith(rooms_of(suite))}


def rooms_of(suite: str) -> tuple[str, ...]:
    """How the modules of a suite are called, as far as nobody else may name them."""
    return tuple(f"turnmark.{floor}.{suite}" for floor in ("suites", "detectors", "metrics"))


def naming() -> dict[str, set[str]]:
    """Every file outside the rooms of a suite that names one."""
    paths = {path.relative_to(SOURCE).as_posix(): path for path in sorted(SOURCE.rglob("*.py"))}
    generic = {name: path for name, path in paths.items() if not any(name.startswith(f"{room}/") for room in ROOMS)}
    return {name: found for name, path in generic.items() if (found := names(path))}


def test_generic_files_name_no_suite_but_those_with_a_reason():
    assert sorted(naming()) == sorted(ALLOWED)


def test_a_file_that_names_a_suite_is_noticed(tmp_path):
    for text, suite in (
        ('row = {"suite": "rag"}', "rag"),
        ("from turnmark.metrics import finance", "finance"),
        ("from turnmark.suites.clinical.answer import evaluate_event", "clinical"),
        ('"""Of finance."""\nx = "finance/words.yaml"', None),
    ):
        path = tmp_path / "file.py"
        path.write_text(text, "utf-8")
        assert names(path) == ({suite} if suite else set())
