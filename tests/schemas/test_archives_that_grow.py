"""Archives that grow without end and lines without an end: named, in bounded time and memory."""

import gzip
import subprocess
import sys

import pytest
import zstandard

from turnmark.errors import UsageError
from turnmark.schemas.compressed import LONGEST_LINE, MOST_EXPANSION
from turnmark.schemas.jsonl import Line, read_lines

PIECE = 16 << 20
GOOD = b'{"dialog_id": "d"}\n'
MEMORY = """
import re, sys
from pathlib import Path
from turnmark.schemas.jsonl import read_lines
for found in read_lines(Path(sys.argv[1])):
    print(str(found)[:300])
# That of this image: ru_maxrss would be that of the process it was forked from, where this was larger.
print(int(re.search(r"VmHWM:\\s+([0-9]+) kB", Path("/proc/self/status").read_text())[1]) // 1024)
"""


def packed(kind, data):
    return gzip.compress(data, 1) if kind == "gzip" else zstandard.compress(data)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
@pytest.mark.parametrize("kind", ["gzip", "zstd"])
@pytest.mark.parametrize("filling", [b"\0", b"\n"], ids=["zeros", "newlines"])
def test_a_file_that_grows_to_gigabytes_is_named_within_200_mb(tmp_path, kind, filling):
    """Two gigabytes, of the same member again and again."""
    path = tmp_path / f"bomb.{kind}"
    path.write_bytes(packed(kind, GOOD) + packed(kind, filling * PIECE) * 128)
    done = subprocess.run([sys.executable, "-c", MEMORY, path], capture_output=True, text=True, timeout=120, check=True)
    *said, most = done.stdout.splitlines()
    assert f"a {kind} archive that grows to 200 times its size at most" in said[-1]
    assert MOST_EXPANSION in said[-1]
    assert int(most) <= 200


@pytest.mark.parametrize("kind", ["plain", "gzip", "zstd"])
def test_one_line_too_long_is_named_and_the_others_are_read(tmp_path, monkeypatch, kind):
    monkeypatch.setenv(LONGEST_LINE, "1000")
    data = GOOD + b"\n" + b"[" + b"1," * 600_000 + b"1]\n" + b"x" * 1000 + b"\n" + GOOD + b"y" * 1001
    path = tmp_path / "lines"
    path.write_bytes(data if kind == "plain" else packed(kind, data))
    found = list(read_lines(path))
    assert [(one.number if isinstance(one, Line) else one.line) for one in found] == [1, 3, 4, 5, 6]
    assert [isinstance(one, Line) for one in found] == [True, False, True, True, False]
    assert str(found[1]) == (
        f"{path}:3: $: expected a line of at most 1000 bytes, found a longer one; write one JSON object a line; for "
        "larger ones set TURNMARK_MAX_LINE_BYTES"
    )


def test_data_that_is_very_much_alike_is_read_when_the_limit_is_raised(tmp_path, monkeypatch):
    path = tmp_path / "alike.gz"
    path.write_bytes(packed("gzip", GOOD + b"\n" * PIECE) * 6)
    assert not isinstance([*read_lines(path)][-1], Line)
    monkeypatch.setenv(MOST_EXPANSION, "5000")
    assert [isinstance(one, Line) for one in read_lines(path)] == [True] * 6


@pytest.mark.parametrize("value", ["0", "-1", "many", "1e9", "²", "9" * 5000])
def test_a_limit_that_is_no_number(tmp_path, monkeypatch, value):
    path = tmp_path / "lines"
    path.write_bytes(GOOD)
    monkeypatch.setenv(LONGEST_LINE, value)
    with pytest.raises(UsageError, match="TURNMARK_MAX_LINE_BYTES: expected a whole number above 0"):
        list(read_lines(path))
