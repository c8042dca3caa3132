"""The table of classes by language says what the shipped packs hold."""

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def test_the_table_of_classes_is_current() -> None:
    done = subprocess.run(
        [sys.executable, str(PROJECT / "tools/classes.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
