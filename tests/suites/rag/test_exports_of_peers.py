"""Cases in results of promptfoo and logs of inspect_ai, written by their documented shape."""

import json
import struct
import zipfile
import zlib

import zstandard

from turnmark.pipeline.scoring.validate import check
from turnmark.schemas.problems import Problem
from turnmark.suites.file_kinds import suite_of
from turnmark.suites.rag.read_cases import read_cases

SAMPLE = {
    "id": "a", "epoch": 1, "input": "费率是多少?", "target": ["2%"], "metadata": {"retrieved_contexts": ["费率为2%。"]},
    "output": {"choices": [{"message": {"role": "assistant", "content": [{"type": "text", "text": "2%。"}]}}]},
}  # fmt: skip


def archive(path, packed, whole, method=93):
    """A ZIP archive of one member, by its specification: the standard library writes no zstandard."""
    name, crc = b"samples/a_epoch_1.json", zlib.crc32(whole)
    sizes = (crc, len(packed), len(whole), len(name), 0)
    local = struct.pack("<4s5H3I2H", b"PK\3\4", 63, 0, method, 0, 0x21, *sizes) + name
    entry = struct.pack("<4s6H3I5H2I", b"PK\1\2", 63, 63, 0, method, 0, 0x21, *sizes, 0, 0, 0, 0, 0) + name
    at = len(local) + len(packed)
    path.write_bytes(local + packed + entry + struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 1, 1, len(entry), at, 0))
    return path


def test_table_of_promptfoo_gives_one_case_a_column(tmp_path):
    path = tmp_path / "out.csv"
    path.write_text(
        'question,context,[a] p,[b] p\nQ?,The fee is 2%.,[PASS] 2%,"[FAIL] 3%"\nR?,C.,[ERROR] 429,[PASS] x\n'
    )
    cases = list(read_cases(path))
    assert [(case.id, case.question, case.answer) for case in cases] == [
        ("1-1", "Q?", "2%"), ("1-2", "Q?", "3%"), ("2-1", "R?", None), ("2-2", "R?", "x"),
    ]  # fmt: skip
    assert cases[0].retrieved_contexts == ["The fee is 2%."]


def test_results_of_promptfoo(tmp_path):
    results = [{"vars": {"query": "Q?", "context": "C."}, "response": {"output": "A."}}, {"vars": {"query": "R?"}}]
    path = tmp_path / "out.json"
    path.write_text(json.dumps({"evalId": "e", "results": {"version": 3, "results": results}}, indent=2))
    first, second = read_cases(path)
    assert (first.question, first.answer, first.retrieved_contexts) == ("Q?", "A.", ["C."])
    assert (second.question, second.answer) == ("R?", None)


def test_logs_of_inspect(tmp_path):
    whole = json.dumps(SAMPLE).encode()
    path = archive(tmp_path / "log.eval", zstandard.compress(whole), whole)
    assert zipfile.is_zipfile(path)
    (tmp_path / "log.json").write_text(json.dumps({"version": 2, "eval": {}, "samples": [SAMPLE]}, indent=1))
    for file in (path, tmp_path / "log.json"):
        (case,) = read_cases(file)
        assert (case.id, case.question, case.answer, case.ground_truth_answer) == ("a-1", "费率是多少?", "2%。", "2%")
        assert case.retrieved_contexts == ["费率为2%。"]


def test_check_knows_them(tmp_path):
    whole = json.dumps(SAMPLE).encode()
    log = {"version": 2, "status": "success", "eval": {}, "samples": [SAMPLE]}
    results = {"evalId": "e", "config": {}, "results": {"results": [{"vars": {"question": "Q?"}}]}}
    paths = [archive(tmp_path / "log.eval", zstandard.compress(whole), whole)]
    for name, content in (("log", log), ("out", results)):
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_text(json.dumps(content, indent=1))
    for path in paths:
        (checked,) = check(path)
        assert (checked.kind, checked.records, checked.problems, suite_of(path)) == ("cases", 1, [], "rag"), path
    (damaged,) = check(archive(tmp_path / "damaged.eval", b"nothing packed", b"{}"))
    assert "samples/a_epoch_1.json" in str(damaged.problems[0])


def test_a_damaged_sample_is_named(tmp_path):
    (problem,) = read_cases(archive(tmp_path / "log.eval", b"nothing packed", b"{}"))
    assert isinstance(problem, Problem)
    assert "samples/a_epoch_1.json" in str(problem)


def test_score_and_reason_of_promptfoo_are_no_part_of_the_answer(tmp_path):
    cell = "[FAIL] (0.50, tone: 0.25)\n\nThe fee is 3%.\n---\nAsk us.\n\nFail Reason: Expected 2%"
    (tmp_path / "out.csv").write_text(f'question,[a] p\nWhat is the fee?,"{cell}"\n')
    (case,) = read_cases(tmp_path / "out.csv")
    assert case.answer == "The fee is 3%.\n---\nAsk us."
