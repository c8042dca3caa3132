"""Importing turnmark is cheap: no heavy library, no network, no handler, no file of the user's is read."""

import subprocess
import sys

import pytest

import turnmark

HEAVY = ("numpy", "rapidfuzz", "jinja2", "click", "yaml", "opencc", "rich", "ahocorasick_rs", "jsonschema_rs",
         "zstandard", "msgspec", "scipy", "pandas", "httpx", "dotenv")  # fmt: skip
GUARD = """
import socket, sys

def refuse(*arguments, **settings):
    raise SystemExit("a socket was opened")

socket.socket.connect = socket.getaddrinfo = socket.create_connection = refuse
"""


def loaded_after(code):
    """The heavy libraries in memory after this code, in a fresh process that may not use the network."""
    check = f"{GUARD}\n{code}\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return set(done.stdout.split())


def test_import_loads_nothing_heavy():
    assert loaded_after("import turnmark") == set()


def test_contract_loads_on_first_use():
    code = "import turnmark\nassert 'turnmark.contract' not in sys.modules\nturnmark.contract.compute_m3_risk_coverage"
    assert "msgspec" in loaded_after(code)


def test_contract_needs_no_command_line_and_no_arrays_until_they_are_used():
    assert not loaded_after("from turnmark import contract") & {"click", "rich", "numpy", "opencc", "zstandard"}


def test_import_adds_no_logging_handler():
    code = (
        "import logging, turnmark.contract\nassert not logging.root.handlers + logging.getLogger('turnmark').handlers"
    )
    assert "msgspec" in loaded_after(code)


def test_version_and_faces():
    assert turnmark.__version__.count(".") == 2
    assert "contract" in dir(turnmark)
    with pytest.raises(AttributeError, match="module 'turnmark' has no attribute 'astrology'"):
        turnmark.astrology  # noqa: B018
