"""Files as they come: compressed, cut short, with marks and strange line ends. No good line is ever lost."""

import gzip
import json
import random

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from building import dialog, line, turn, write_lines
from turnmark.schemas.jsonl import Line, Reader, read_lines, without_surrogates
from turnmark.schemas.problems import Problem
from turnmark.schemas.trace import DialogTrace

NAMES = [f"d{number}" for number in range(6)]
LINES = [line(dialog(name)) for name in NAMES]
PLAIN = b"".join(LINES)


def read(path):
    """Names of the dialogues that were read, and what was wrong."""
    found = list(Reader(DialogTrace).read(path))
    problems = [entry for entry in found if isinstance(entry, Problem)]
    return [entry.value.dialog_id for entry in found if not isinstance(entry, Problem)], problems


def written(tmp_path, data):
    path = tmp_path / "trace.jsonl"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "data",
    [
        PLAIN,
        b"\xef\xbb\xbf" + PLAIN,
        PLAIN.replace(b"\n", b"\r\n"),
        PLAIN.rstrip(b"\n"),
        b"\n\n" + PLAIN.replace(b"\n", b"\n \t\n") + b"\n\n",
        gzip.compress(PLAIN),
        gzip.compress(b"\xef\xbb\xbf" + PLAIN),
        gzip.compress(b"".join(LINES[:2])) + gzip.compress(b"".join(LINES[2:])),
        gzip.compress(PLAIN[:3001]) + gzip.compress(b"") + gzip.compress(PLAIN[3001:]),
        zstandard.compress(PLAIN),
        zstandard.compress(PLAIN[:777]) + zstandard.compress(PLAIN[777:]),
        gzip.compress(PLAIN.replace(b"\n", b"\r\n")),
    ],
    ids=["plain", "byte order mark", "CRLF", "no final newline", "blank lines", "gzip", "gzip with byte order mark",
         "gzip of two members", "gzip members cut inside a line", "zstd", "zstd of two frames", "gzip CRLF"],
)  # fmt: skip
def test_all_dialogues_are_read(data, tmp_path):
    assert read(written(tmp_path, data)) == (NAMES, [])


def test_compression_is_told_by_content_not_by_name(tmp_path):
    path = tmp_path / "trace.jsonl.gz"
    path.write_bytes(PLAIN)
    assert read(path) == (NAMES, [])


@pytest.mark.parametrize("data", [b"", b"\n", b"\n \r\n\t\n", b"\xef\xbb\xbf", gzip.compress(b"")],
                         ids=["empty", "newline", "white space", "only a mark", "empty gzip"])  # fmt: skip
def test_files_without_content_have_no_lines_and_no_problems(data, tmp_path):
    assert read(written(tmp_path, data)) == ([], [])


def test_line_numbers_count_blank_lines(tmp_path):
    path = written(tmp_path, b"\n" + LINES[0] + b"\n\nx\n")
    assert [entry.number for entry in read_lines(path)] == [2, 5]
    _, (problem,) = read(path)
    assert problem.line == 5


def incompressible(count):
    generator = random.Random(7)
    return [line(dialog(f"d{n}", x=[generator.random() for _ in range(300)])) for n in range(count)]


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
@pytest.mark.parametrize("share", [0.999, 0.7, 0.4, 0.05])
def test_stream_cut_short_keeps_every_whole_line_before_the_cut(kind, share, tmp_path):
    lines = incompressible(40)
    data = b"".join(lines)
    packed = gzip.compress(data) if kind == "gzip" else zstandard.ZstdCompressor().compress(data)
    cut = packed[: int(len(packed) * share)]
    names, problems = read(written(tmp_path, cut))
    assert names == [f"d{n}" for n in range(len(names))]
    if kind == "gzip":
        # What zlib itself gets out of the same bytes, counted in whole lines: nothing less may come out.
        whole = gzip.zlib.decompressobj(wbits=31).decompress(cut).count(b"\n")
        assert len(names) == whole
    (problem,) = problems
    assert problem.line == len(names) + 1
    assert str(problem).endswith(
        f"expected a complete {kind} stream, found its end missing; "
        f"copy the file again; the {len(names)} lines before it were read"
    )


def test_gzip_cut_exactly_between_members_is_whole(tmp_path):
    first = gzip.compress(b"".join(LINES[:3]))
    assert read(written(tmp_path, first)) == (NAMES[:3], [])
    names, (problem,) = read(written(tmp_path, first + gzip.compress(b"".join(LINES[3:]))[:5]))
    assert names == NAMES[:3]
    assert "complete gzip stream" in str(problem)


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_damaged_stream_keeps_the_lines_before_the_damage(kind, tmp_path):
    data = b"".join(incompressible(400))
    packed = bytearray(gzip.compress(data) if kind == "gzip" else zstandard.compress(data))
    half = len(packed) // 2
    packed[half : half + 64] = bytes(byte ^ 0xFF for byte in packed[half : half + 64])
    names, problems = read(written(tmp_path, bytes(packed)))
    assert 100 < len(names) < 400
    assert names[:100] == [f"d{n}" for n in range(100)]
    assert f"expected a complete {kind} stream" in str(problems[-1])
    assert problems[-1].found in ("damage", "its end missing")


def test_zeros_after_a_gzip_stream_are_padding(tmp_path):
    assert read(written(tmp_path, gzip.compress(PLAIN) + bytes(1024))) == (NAMES, [])


@pytest.mark.parametrize("kind", ["plain", "gzip"])
def test_a_line_of_50_mb_is_one_line(kind, tmp_path):
    big = line(dialog("big", [turn(1, "长" * 17_000_000)]))
    assert len(big) > 50_000_000
    data = LINES[0] + big + LINES[1]
    path = written(tmp_path, data if kind == "plain" else gzip.compress(data, compresslevel=1))
    assert read(path) == (["d0", "big", "d1"], [])


def test_a_bad_line_of_50_mb_is_named_in_few_words(tmp_path):
    path = written(tmp_path, LINES[0] + b'{"x": "' + b"a" * 50_000_000 + b"\n" + LINES[1])
    names, (problem,) = read(path)
    assert names == ["d0", "d1"]
    assert problem.line == 2
    assert len(str(problem)) < 500


@pytest.mark.parametrize("place", ["known field", "unknown field", "name of a field"])
def test_lone_surrogates_are_repaired_with_a_warning(place, tmp_path):
    value = {
        "known field": dialog("d", [turn(1, "前\ud83d后")]),
        "unknown field": dialog("d", x="\udc00"),
        "name of a field": dialog("d", **{"\udc00": 1}),
    }[place]
    path = write_lines(tmp_path / "t.jsonl", json.dumps(value).encode() + b"\n", LINES[0])
    first, second = Reader(DialogTrace).read(path)
    assert second.value.dialog_id == "d0"
    assert first.warning.severity == "warning"
    assert str(first.warning) == (
        f"{path}:1: $: expected whole characters, found 1 lone surrogate(s); read as U+FFFD, offsets kept"
    )
    if place == "known field":
        assert first.value.turns[0].pred_assistant_text == "前\ufffd后"


def test_a_pair_of_surrogates_is_a_character_and_no_warning(tmp_path):
    path = write_lines(tmp_path / "t.jsonl", json.dumps(dialog("d", [turn(1, "好😀")])).encode() + b"\n")
    (found,) = Reader(DialogTrace).read(path)
    assert found.warning is None
    assert found.value.turns[0].pred_assistant_text == "好😀"


def test_a_lone_surrogate_beside_a_wrong_type_names_the_field(tmp_path):
    path = write_lines(tmp_path / "t.jsonl", json.dumps(dialog("\ud800", valid_dialog=1)).encode() + b"\n")
    _, (problem,) = read(path)
    assert problem.field == "$.valid_dialog"


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=6))
def test_repaired_texts_keep_their_length(value):
    """One for one, so that offsets into the text hold; text without surrogates is not touched."""
    assert without_surrogates(value, [0]) == value
    if isinstance(value, str):
        count = [0]
        spoilt = value[:2] + "\udfff" + value[2:]
        clean = without_surrogates(spoilt, count)
        assert len(clean) == len(spoilt)
        assert count == [1]
        assert clean.encode()


@pytest.mark.parametrize("value", [b"1e400", b"9" * 400, b"9" * 5000, b'"\xff"', b"-1e-999"])
def test_what_stands_in_fields_that_are_not_read_does_no_harm(value, tmp_path):
    path = write_lines(tmp_path / "t.jsonl", LINES[0].strip()[:-1] + b', "x": ' + value + b"}\n")
    assert read(path) == (["d0"], [])


def test_reader_of_one_line_gives_the_line_back():
    found = Reader(DialogTrace).decode(Line("f", 9, LINES[0].strip()))
    assert found.line.number == 9
    assert found.value.dialog_id == "d0"


def test_directory_instead_of_a_file_is_refused(tmp_path):
    with pytest.raises(ValueError, match="cannot be read"):
        list(read_lines(tmp_path))
