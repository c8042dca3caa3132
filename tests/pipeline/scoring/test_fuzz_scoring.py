"""Mutated traces: scoring never crashes, never loses a good line, names every bad one.

A trace is made of lines, each kept or spoilt in one way, and then written in one of the ways in which files come. What
must come out is known by construction: a kept line gives exactly the rows that it gives alone, a spoilt line that
cannot be read is named with its number, and one that may still be readable is scored or named, never neither.
"""

import copy
import gzip
import json
import random
import zlib

import pytest
import zstandard

from building import dialog, line, read_lines, recall, turn, write_lines
from turnmark.errors import DataError
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.runs.folder import PROBLEMS, SUMMARY, TRACE, TURN_EVAL

GOOD, REPAIRED, BAD, FREE = "good", "repaired", "bad", "free"

REQUIRED = ("trace_version", "run_id", "dialog_id", "dataset_index", "dialog_status", "valid_dialog")
REQUIRED_OF_TURNS = ("turn_pair_id", "user_turn_abs_idx", "gt_assistant_abs_idx", "user_text", "gt_assistant_text",
                     "gt_turn_tags", "turn_status")  # fmt: skip
WRONG_TYPES = (
    (("valid_dialog",), "yes"), (("dataset_index",), "1"), (("dialog_id",), 5), (("turns",), {"a": 1}),
    (("trace_version",), "v2"), (("dialog_status",), "fine"), (("profile_gt",), []),
    (("turns", 0, "user_text"), None), (("turns", 0, "turn_status"), "OK"), (("turns", 0, "turn_pair_id"), "1"),
    (("turns", 0, "gt_turn_tags"), [1]), (("turns", 0, "recall"), "x"), (("turns", 0), 7),
    (("turns", 0, "gt_turn_tags", "memory_required_keys_gt"), [5]),
)  # fmt: skip
ANYTHING = (
    None,
    True,
    False,
    0,
    -1,
    1.5,
    10**30,
    1e308,
    "",
    "x",
    "\x00",
    "稳健",
    "𠮷😀",
    [],
    {},
    [None],
    {"": {"": []}},
)


def keep(rng, value):
    return [(GOOD, line(value))]


def cut(rng, value):
    raw = line(value).strip()
    return [(BAD, raw[: rng.randrange(1, len(raw))] + b"\n")]


def drop_field(rng, value):
    value = copy.deepcopy(value)
    if rng.random() < 0.5:
        del value[rng.choice(REQUIRED)]
        return [(BAD, line(value))]
    del rng.choice(value["turns"])[rng.choice(REQUIRED_OF_TURNS)]
    return [(FREE, line(value))]  # the turn counts as failed, the others are scored


def wrong_type(rng, value):
    value = copy.deepcopy(value)
    path, wrong = rng.choice(WRONG_TYPES)
    inner = value
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = wrong
    return [(FREE if path[:1] == ("turns",) and len(path) > 1 else BAD, line(value))]


def duplicate(rng, value):
    return [(GOOD, line(value)), (BAD, line(value))]


def flip_bytes(rng, value):
    raw = bytearray(line(value).strip())
    for _ in range(rng.randrange(1, 6)):
        place = rng.randrange(len(raw))
        raw[place] = rng.choice([byte for byte in range(256) if byte not in (raw[place], 10)])
    return [(FREE, bytes(raw) + b"\n")] if raw.strip() else []


def no_number(rng, value):
    value = copy.deepcopy(value)
    rng.choice(value["turns"])["latency_ms"] = rng.choice([float("nan"), float("inf"), -float("inf")])
    return [(BAD, line(value))]


def huge_number(rng, value):
    raw = line(value).replace(b'"dataset_index": 0', b'"dataset_index": ' + rng.choice([b"1e400", b"9" * 5000, b"1.5"]))
    return [(BAD, raw)]


def half_a_character(rng, value):
    value = copy.deepcopy(value)
    spoilt = rng.choice(value["turns"])
    name = rng.choice(["pred_assistant_text", "user_text", "mood"])
    spoilt[name] = (spoilt.get(name) or "") + rng.choice(["\ud800", "\udfff好", "前\ud83d"])
    return [(REPAIRED, json.dumps(value).encode() + b"\n")]


def deep_nesting(rng, value):
    depth = rng.choice([5_000, 100_000])
    return [(BAD, line(value).strip()[:-1] + b', "deep": ' + b"[" * depth + b"]" * depth + b"}\n")]


def garbage(rng, value):
    raw = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 60))).replace(b"\n", b"").strip()
    return [(BAD, b"\x01" + raw + b"\n")]


def no_object(rng, value):
    return [(BAD, rng.choice([b"null", b"[]", b"5", b'"text"', b"true", b"{}"]) + b"\n")]


def two_in_a_line(rng, value):
    return [(BAD, line(value).strip() + line(value))]


def blank(rng, value):
    return [(None, rng.choice([b"\n", b" \t\n", b"\r\n"])), (GOOD, line(value))]


def carriage_return(rng, value):
    return [(GOOD, line(value).strip() + b"\r\n")]


def unknown_fields(rng, value):
    return [(GOOD, line({"mood": {"dialog_id": "x", "turns": 5}, **value, "trace_version": "v1.3", "x": [1e300]}))]


def any_change(rng, value):
    """One place of the value, however deep, replaced by something else, removed, or renamed."""
    value = copy.deepcopy(value)
    inner = value
    while True:
        key = rng.choice(list(inner)) if isinstance(inner, dict) else rng.randrange(len(inner))
        if isinstance(inner[key], (dict, list)) and inner[key] and rng.random() < 0.8:
            inner = inner[key]
            continue
        change = rng.randrange(3)
        if change == 0 and isinstance(inner, dict):
            inner[rng.choice(["x", "run_id", "turns"])] = inner.pop(key)
        elif change == 1:
            del inner[key]
        else:
            inner[key] = rng.choice(ANYTHING)
        return [(FREE, line(value))]


CHANGES = (cut, drop_field, wrong_type, duplicate, flip_bytes, no_number, huge_number, half_a_character, deep_nesting,
           garbage, no_object, two_in_a_line, blank, carriage_return, unknown_fields, any_change,
           any_change)  # fmt: skip


def plain(rng, data):
    return data, None


def byte_order_mark(rng, data):
    return b"\xef\xbb\xbf" + data, None


def no_final_newline(rng, data):
    return data.rstrip(b"\r\n"), None


def gzipped(rng, data):
    return gzip.compress(data, 1), None


def gzip_members(rng, data):
    place = rng.randrange(len(data))
    return gzip.compress(data[:place], 1) + gzip.compress(data[place:], 1), None


def zstd(rng, data):
    return zstandard.compress(data), None


def gzip_cut_short(rng, data):
    packed = gzip.compress(data, 1)
    packed = packed[: rng.randrange(20, len(packed))]
    # What zlib gets out of the same bytes is what can be had; its last line is cut.
    return packed, zlib.decompressobj(wbits=31).decompress(packed).count(b"\n")


CARRIERS = (plain, plain, byte_order_mark, no_final_newline, gzipped, gzip_members, zstd, gzip_cut_short)


@pytest.fixture(scope="module")
def alone(examples, tmp_path_factory):
    """Dialogues to spoil, and the rows that each gives when it is scored alone."""
    values = [
        dialog(
            f"own-{n}",
            [
                turn(number, "净值有波动，回撤 12%，不保证收益。", keys=["profile_gt.risk_level_gt", "nonsense"],
                     risks=["波动风险", "无明确风险提示"], rubric=["信息依据", "边界声明"],
                     **recall(short_term_context="稳健", items=[{"content": "x", "score": 0.5}]))
                for number in range(1, 3)
            ],
            blueprint={"forbidden_list": ["稳赚"]},
        )
        for n in range(4)
    ]  # fmt: skip
    shipped = [value for value in read_lines(examples / "hasty" / "dialog_trace.jsonl") if value["valid_dialog"]]
    values += [{**value, "dataset_index": 0} for value in shipped[:8]]
    folder = tmp_path_factory.mktemp("alone")
    rows = {}
    for value in values:
        path = write_lines(folder / "t.jsonl", value)
        run = score(ScoreRequest((path,), folder / "run", detect="literal")).folder
        rows[value["dialog_id"]] = read_lines(run / TURN_EVAL)
        assert len(rows[value["dialog_id"]]) == len(value["turns"])
    return values, rows


def fuzz(seed, alone, folder):
    """One mutated trace; returns whether anything in it could be read."""
    values, expected_rows = alone
    rng = random.Random(seed)
    spoilt = rng.random()
    entries = []
    for value in rng.sample(values, rng.randrange(1, len(values))):
        change = rng.choice(CHANGES) if rng.random() < spoilt else keep
        entries += change(rng, value)
    data, whole_lines = rng.choice(CARRIERS)(rng, b"".join(raw for _, raw in entries))
    path = folder / "trace.jsonl"
    path.write_bytes(data)
    numbered = list(enumerate(entries, 1))
    reachable = numbered if whole_lines is None else numbered[:whole_lines]

    kinds = {number: kind for number, (kind, _) in reachable if kind is not None}
    readable = [number for number, kind in kinds.items() if kind in (GOOD, REPAIRED)]
    settings = {"run_id": "fuzz"} if rng.random() < 0.3 else {"run_id": None}
    request = ScoreRequest((path,), folder / "run", detect="literal", **settings)
    try:
        result = score(request)
    except DataError:
        if readable:
            raise
        return False

    problems = read_lines(folder / "run" / PROBLEMS)
    named = {problem["line"] for problem in problems if problem.get("severity", "error") == "error"}
    if whole_lines is not None:
        assert whole_lines + 1 in named, "the cut itself is named"
    named_lines = named & set(kinds)
    # A line of which single turns are bad is scored; what is wrong with it is a warning.
    assert {number for number, kind in kinds.items() if kind == BAD} <= {problem["line"] for problem in problems}
    assert not named & set(readable)
    assert named <= set(kinds) | ({whole_lines + 1} if whole_lines is not None else set())
    assert result.rejected_lines == len(named)

    rows = {}
    for row in read_lines(folder / "run" / TURN_EVAL):
        rows.setdefault(row["dialog_id"], []).append({**row, "run_id": None})
    for number in readable:
        dialog_id = json.loads(entries[number - 1][1])["dialog_id"]
        if kinds[number] == GOOD:
            assert rows[dialog_id] == [{**row, "run_id": None} for row in expected_rows[dialog_id]], number
        else:
            assert len(rows[dialog_id]) == len(expected_rows[dialog_id]), number
    # Nothing vanished and nothing came from nowhere: every line with content was scored or named.
    assert (folder / "run" / TRACE).read_bytes().count(b"\n") + len(named_lines) == len(kinds)
    json.loads((folder / "run" / SUMMARY).read_bytes(), parse_constant=pytest.fail)
    return True


@pytest.mark.parametrize("block", range(6))
def test_mutated_traces(block, alone, tmp_path):
    done = [fuzz(1000 * block + seed, alone, tmp_path) for seed in range(100)]
    assert sum(done) > 60, "most traces hold something that can be read"


@pytest.mark.slow
@pytest.mark.parametrize("block", range(40))
def test_many_more_mutated_traces(block, alone, tmp_path):
    for seed in range(200):
        fuzz(1_000_000 + 1000 * block + seed, alone, tmp_path)


@pytest.mark.parametrize("change", dict.fromkeys(CHANGES))
def test_each_change_beside_good_lines(change, alone, tmp_path):
    """Every way of spoiling a line, alone among good ones, so that a failure names the way."""
    values, expected_rows = alone
    for seed in range(3):
        entries = [(GOOD, line(values[0])), *change(random.Random(seed), values[1]), (GOOD, line(values[2]))]
        path = write_lines(tmp_path / "trace.jsonl", *(raw for _, raw in entries))
        result = score(ScoreRequest((path,), tmp_path / "run", detect="literal"))
        rows = read_lines(result.folder / TURN_EVAL)
        for value in (values[0], values[2]):
            own = [row for row in rows if row["dialog_id"] == value["dialog_id"]]
            assert own == expected_rows[value["dialog_id"]]
        named = {p["line"] for p in read_lines(result.folder / PROBLEMS) if p.get("severity", "error") == "error"}
        assert named >= {number for number, (kind, _) in enumerate(entries, 1) if kind == BAD}


@pytest.mark.slow
def test_mutated_traces_with_a_line_of_50_mb(alone, tmp_path):
    values, _ = alone
    for kind in (GOOD, BAD):
        big = line(dialog("big", [turn(1, "长" * 17_000_000)]))
        raw = big if kind == GOOD else big[:-40] + b"\n"
        path = write_lines(tmp_path / "t.jsonl", values[0], raw, values[1])
        result = score(ScoreRequest((path,), tmp_path / "run", detect="literal"))
        assert result.rejected_lines == (kind == BAD)
        assert len(read_lines(result.folder / TRACE)) == 3 - (kind == BAD)
