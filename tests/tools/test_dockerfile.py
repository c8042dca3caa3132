"""The Dockerfile names files, extras and commands that are there; it is built where Docker is."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
INSTRUCTIONS = [line.split(maxsplit=1) for line in TEXT.splitlines() if line.strip() and not line.startswith("#")]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def told(name):
    return [value for instruction, value in INSTRUCTIONS if instruction == name]


def test_what_is_copied_is_let_through_and_made():
    (from_here,) = [value.split()[0] for value in told("COPY") if not value.startswith("--from")]
    assert from_here == "dist/*.whl"
    ignored = (ROOT / ".dockerignore").read_text("utf-8").split()
    assert ignored == ["*", f"!{from_here}"]
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert re.search(r"^image: wheel$", makefile, re.MULTILINE), "the wheel is made before the image"


def test_what_one_stage_gives_another_takes():
    stages = [value.split(" AS ")[1] for value in told("FROM") if " AS " in value]
    for stage, source in re.findall(r"--from=(\S+) (\S+)", "\n".join(told("COPY"))):
        assert stage in stages
        assert any(f"venv {source}" in command for command in told("RUN"))
        assert any(f"PATH={source}/bin:" in value for value in told("ENV"))


def test_extras_that_are_installed_exist():
    (extras,) = [value.removeprefix("EXTRAS=").split(",") for value in told("ARG")]
    assert set(extras) <= set(PROJECT["optional-dependencies"])


def test_bases_are_of_a_python_that_the_package_takes():
    versions = {tuple(map(int, version.split("."))) for version in re.findall(r"python:([0-9.]+)-slim", TEXT)}
    (least,) = re.findall(r">=\s*([0-9.]+)", PROJECT["requires-python"])
    assert len(versions) == 1, "both stages have the same Python: the environment is copied"
    assert all(version >= tuple(map(int, least.split("."))) for version in versions)


def test_it_runs_the_command_as_a_user_that_is_not_root():
    (user,) = told("USER")
    assert int(user) > 0
    assert f"--uid {user} " in "\n".join(told("RUN"))
    assert told("ENTRYPOINT") == ['["turnmark"]']
    assert "turnmark" in PROJECT["scripts"]
