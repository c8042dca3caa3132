"""The same trace and settings give the same bytes, whatever the number of workers or the seed of Python's hashes."""

import json

import pytest

from building import dialog, line, turn, write_lines

TIMES = ("started_at", "ended_at", "workers_dialog")


def files(folder):
    """Every file of a run with its bytes; the progress log holds times and is no result."""
    paths = [path for path in folder.rglob("*") if path.is_file() and path.parent.name != "logs"]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def state(folder):
    """Every file of a run; of the manifest all but times and workers."""
    found = files(folder)
    manifest = json.loads(found.pop("run_manifest.json"))
    return found, {name: value for name, value in manifest.items() if name not in TIMES}


@pytest.fixture(scope="module")
def large(examples, tmp_path_factory):
    """A trace of several batches (about 4 MB) with bad lines in between and a repaired one; no manifest beside."""
    shipped = (examples / "hasty" / "dialog_trace.jsonl").read_bytes().splitlines(keepends=True)
    lines = []
    for copy in range(8):
        for place, raw in enumerate(shipped):
            lines.append(raw.replace(b'"dialog_id":"', f'"dialog_id":"{copy}-'.encode(), 1))
            if place % 7 == copy % 7:
                lines.append(b"oops\n" if place % 2 else line(dialog(f"bad-{copy}-{place}", valid_dialog=1)))
    lines.insert(5, json.dumps(dialog("half", [turn(1, "\ud800波动")])).encode() + b"\n")
    return write_lines(tmp_path_factory.mktemp("large") / "trace.jsonl", *lines)


@pytest.fixture(scope="module")
def packed_and_cut(large, tmp_path_factory):
    import gzip  # noqa: PLC0415

    path = tmp_path_factory.mktemp("cut") / "trace.jsonl.gz"
    path.write_bytes(gzip.compress(large.read_bytes())[:-3000])
    return path


@pytest.mark.parametrize("which", ["large", "packed_and_cut"])
def test_workers_and_hash_seeds_do_not_show(which, request, process, tmp_path):
    trace = request.getfixturevalue(which)
    states = []
    for name, workers, seed in (("one", 1, "0"), ("two", 2, "1")):
        ran = process(
            "score", trace, "--detect", "literal", "--run-id", "same", "--out", tmp_path / name, "--workers", workers,
            "--by", "scenario_type,difficulty,language", PYTHONHASHSEED=seed, SOURCE_DATE_EPOCH="1767225600",
        )  # fmt: skip
        assert ran.code == 3, ran.err
        states.append(state(tmp_path / name))
    assert states[0] == states[1]
    found, manifest = states[0]
    assert set(found) >= {"turn_eval.jsonl", "evidence.jsonl", "metrics_summary.json", "problems.jsonl", "report.html"}
    assert manifest["input"]["rejected_lines"] > 20
    # Problems stand in the order of the input, however many processes found them.
    order = [json.loads(raw)["line"] for raw in found["problems.jsonl"].splitlines()]
    assert order == sorted(order)


def test_times_come_from_the_environment_when_asked(cli, examples, tmp_path, monkeypatch):
    trace = write_lines(tmp_path / "t.jsonl", dialog())
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    cli("score", trace, "--detect", "literal", "--out", tmp_path / "a")
    manifest = json.loads((tmp_path / "a" / "run_manifest.json").read_bytes())
    assert manifest["started_at"] == manifest["ended_at"] == "2026-01-01T00:00:00Z"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "now")
    refused = cli("score", trace, "--detect", "literal", "--out", tmp_path / "b")
    assert (refused.code, "SOURCE_DATE_EPOCH: expected seconds since 1970" in refused.err) == (2, True)
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    cli("score", trace, "--detect", "literal", "--out", tmp_path / "b")
    manifest = json.loads((tmp_path / "b" / "run_manifest.json").read_bytes())
    assert manifest["started_at"] <= manifest["ended_at"]
    assert manifest["started_at"].endswith("Z")


def test_scoring_the_same_folder_twice_gives_the_same_bytes(cli, examples, tmp_path):
    states = []
    for _ in range(2):
        cli("score", examples / "careful", "--detect", "literal", "--out", tmp_path / "run")
        states.append(files(tmp_path / "run"))
    assert states[0] == states[1], "times are those of the manifest beside the trace"


@pytest.mark.parametrize(
    "change",
    [{"risks": ["波动风险"]}, {"--ignore-memory-keys": True}, {"--by": "language"}, {"--pack": "p.yaml"}],
    ids=["data", "memory keys", "strata", "pack"],
)
def test_whatever_shapes_the_figures_changes_their_fingerprint(change, cli, tmp_path):
    (tmp_path / "p.yaml").write_text("pack: p\nversion: '1'\nlanguage: zh\n")
    asked = change.get("risks", [])
    plain = write_lines(tmp_path / "a" / "t.jsonl", dialog("d", [turn(1)]))
    other = write_lines(tmp_path / "b" / "t.jsonl", dialog("d", [turn(1, risks=asked)]))
    extra = []
    for name, value in change.items():
        if name.startswith("--"):
            extra += [name] if value is True else [name, tmp_path / value if name == "--pack" else value]
    fingerprints = []
    for trace, more in ((plain, []), (plain, []), (other, extra)):
        ran = cli("score", trace, "--detect", "literal", "--out", tmp_path / "run", "--format", "json", *more)
        fingerprints.append(ran.json["config_fingerprint"])
    assert fingerprints[0] == fingerprints[1] != fingerprints[2]
