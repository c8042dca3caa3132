"""The run folder: written whole or not at all, and true to its manifest."""

import hashlib
import json
import os
import subprocess
import sys
import threading

import pytest

from turnmark.errors import DataError, UsageError
from turnmark.runs import folder as folders
from turnmark.runs.folder import (
    EVIDENCE,
    MANIFEST,
    PROBLEMS,
    REPORT_HTML,
    SUMMARY,
    TRACE,
    TURN_EVAL,
    ArtifactWriter,
    RunWriter,
    artifact_of,
    artifacts,
    copy_into,
    free_space,
    pretty_json,
    read_manifest,
    read_summary,
    write_whole,
)
from turnmark.runs.lock import LOCK, locked


class Killed(BaseException):
    """Stands for the end of the process."""


def write_run(folder, text, *, names=(TRACE, TURN_EVAL, SUMMARY)):
    with RunWriter(folder) as writer:
        for name in names:
            writer.open(name).write(f"{name} {text}\n".encode())
        writer.finish({"run_id": text, "own": [1]})


def state(folder):
    """Visible files with their content; temporary files are not part of a run."""
    return {path.name: path.read_text() for path in folder.iterdir() if not path.name.startswith(".")}


def test_manifest_names_every_artifact_with_size_and_digest(tmp_path):
    write_run(tmp_path / "deep" / "run", "one")
    run = tmp_path / "deep" / "run"
    manifest = json.loads((run / MANIFEST).read_bytes())
    assert manifest["own"] == [1]
    assert sorted(manifest["artifacts"]) == sorted([TRACE, TURN_EVAL, SUMMARY])
    for name, entry in manifest["artifacts"].items():
        raw = (run / name).read_bytes()
        assert entry == {"bytes": len(raw), "sha256": hashlib.sha256(raw).hexdigest()}
    assert sorted(state(run)) == sorted([MANIFEST, TRACE, TURN_EVAL, SUMMARY])
    assert len(list(run.iterdir())) == 5, "no temporary file stays, only the lock"


def test_nothing_is_visible_before_the_end(tmp_path):
    with RunWriter(tmp_path / "run") as writer:
        writer.open(TRACE).write(b"x" * 100_000)
        assert state(tmp_path / "run") == {}
        writer.finish({})
    assert TRACE in state(tmp_path / "run")


def test_a_failure_leaves_the_earlier_run_as_it_was(tmp_path):
    write_run(tmp_path, "old")
    before = state(tmp_path)

    def fail():
        with RunWriter(tmp_path) as writer:
            writer.open(TRACE).write(b"new")
            raise Killed

    with pytest.raises(Killed):
        fail()
    assert state(tmp_path) == before
    assert [path.name for path in tmp_path.glob(".*")] == [LOCK]


def test_artifacts_of_an_earlier_run_that_this_one_lacks_are_removed(tmp_path):
    write_run(tmp_path, "old", names=(TRACE, TURN_EVAL, EVIDENCE, SUMMARY, PROBLEMS))
    (tmp_path / REPORT_HTML).write_text("old page")
    (tmp_path / "notes.txt").write_text("mine")
    write_run(tmp_path, "new")
    assert sorted(state(tmp_path)) == sorted([MANIFEST, TRACE, TURN_EVAL, SUMMARY, "notes.txt"])


def test_kept_artifacts_stay_and_are_named(tmp_path):
    (tmp_path / TRACE).write_text("trace")
    with RunWriter(tmp_path) as writer:
        writer.open(SUMMARY).write(b"{}")
        writer.finish({}, kept=(TRACE,))
    manifest = json.loads((tmp_path / MANIFEST).read_bytes())
    assert manifest["artifacts"][TRACE]["bytes"] == 5
    assert (tmp_path / TRACE).read_text() == "trace"


STEPS = 12


@pytest.mark.parametrize("step", range(STEPS))
@pytest.mark.parametrize("old", [False, True], ids=["empty folder", "over an older run"])
def test_killed_between_any_two_renames(step, old, tmp_path, monkeypatch, cli):
    """Old and new never mix in a folder that has a manifest: whatever the moment, it is old, new, or unfinished."""
    if old:
        write_run(tmp_path, "old", names=(TRACE, TURN_EVAL, SUMMARY, EVIDENCE))
    before = state(tmp_path)
    done = []

    def dying(real):
        def call(self, *arguments, **settings):
            if len(done) == step:
                raise Killed
            done.append(self)
            return real(self, *arguments, **settings)

        return call

    with monkeypatch.context() as patched:
        # Every step that changes what can be seen in the folder.
        patched.setattr(folders.Path, "replace", dying(folders.Path.replace))
        patched.setattr(folders.Path, "unlink", dying(folders.Path.unlink))
        patched.setattr(ArtifactWriter, "discard", lambda _: None)
        try:
            write_run(tmp_path, "new")
            finished = True
        except Killed:
            finished = False
    after = state(tmp_path)
    if finished:
        assert len(done) <= step
        assert set(json.loads(after[MANIFEST])["artifacts"]) == {TRACE, TURN_EVAL, SUMMARY}
        assert all("new" in text for name, text in after.items())
    elif MANIFEST in after:
        assert after == before, "the manifest goes first, so that one that is there still fits"
    else:
        assert cli("check", tmp_path).code == 1
        # Nothing of the manifest is lost with it: the new one lies beside, complete.
        assert json.loads(next(tmp_path.glob(f".{MANIFEST}.*.partial")).read_bytes())["run_id"] == "new"


def test_the_steps_above_reach_the_end(tmp_path, monkeypatch):
    steps = []
    for name in ("replace", "unlink"):
        real = getattr(folders.Path, name)
        monkeypatch.setattr(
            folders.Path, name, lambda self, *a, _real=real, **k: (steps.append(self), _real(self, *a, **k))[1]
        )
    write_run(tmp_path, "new")
    assert len(steps) < STEPS


def test_leftovers_of_a_killed_run_are_overwritten(tmp_path):
    (tmp_path / f".{TRACE}.partial").write_text("half")
    write_run(tmp_path, "new")
    assert state(tmp_path)[TRACE] == f"{TRACE} new\n"
    assert [path.name for path in tmp_path.glob(".*")] == [LOCK]


def test_folder_that_cannot_be_made_is_a_usage_error(tmp_path):
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "file", tmp_path / "file" / "run"):
        with (
            pytest.raises(UsageError, match=r"--out .*: expected a folder that can be written, found: "),
            RunWriter(path),
        ):
            pass


def test_write_whole_replaces_or_leaves(tmp_path, monkeypatch):
    path = tmp_path / "x"
    write_whole(path, b"one")
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        write_whole(path, b"three")
    assert path.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [path]


def test_digest_while_writing_is_that_of_the_file(tmp_path):
    writer = ArtifactWriter(tmp_path / "x")
    writer.write(b"a" * 3_000_000)
    writer.write(b"b")
    digest = writer.digest()
    entry = writer.close()
    writer.commit()
    assert entry == artifact_of(tmp_path / "x")
    assert entry.sha256 == digest
    assert entry.bytes == 3_000_001


def test_copy_into(tmp_path):
    (tmp_path / "source").write_bytes(os.urandom(3_000_000))
    writer = ArtifactWriter(tmp_path / "copy")
    copy_into(tmp_path / "source", writer)
    writer.close()
    writer.commit()
    assert (tmp_path / "copy").read_bytes() == (tmp_path / "source").read_bytes()


def test_artifacts_of_a_folder_come_in_a_fixed_order(tmp_path):
    write_run(tmp_path, "x", names=(SUMMARY, TURN_EVAL, TRACE))
    assert [path.name for path in artifacts(tmp_path)] == [MANIFEST, TRACE, TURN_EVAL, SUMMARY]


def test_free_space_is_known(tmp_path):
    assert free_space(tmp_path) > 0


def test_pretty_json_is_read_back_and_ends_with_a_line_end():
    value = {"b": [1, {"c": "好"}], "a": 1.5}
    text = pretty_json(value)
    assert json.loads(text) == value
    assert text.endswith(b"}\n")
    assert text.startswith(b'{\n  "b"')


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"5", b'"x"', b'{"a": "\xff"}', b"[" * 100_000])
def test_manifest_that_is_no_object_is_a_data_error(raw, tmp_path):
    (tmp_path / MANIFEST).write_bytes(raw)
    with pytest.raises(DataError, match=r"run_manifest\.json: expected a JSON object, found"):
        read_manifest(tmp_path)


def test_manifest_that_is_missing_is_none(tmp_path):
    assert read_manifest(tmp_path) is None


def test_summary_that_is_missing_or_wrong_says_what_to_do(tmp_path):
    with pytest.raises(
        DataError, match=r"expected the summary of a scored run, found none; run `turnmark score` first"
    ):
        read_summary(tmp_path)
    for raw in (b"{}", b"{", b'{"a": "\xff"}'):
        (tmp_path / SUMMARY).write_bytes(raw)
        with pytest.raises(DataError, match=r"expected a summary v1, found: .*; score the run again"):
            read_summary(tmp_path)


def test_a_link_planted_under_a_temporary_name_is_not_written_through(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("mine")
    run = tmp_path / "run"
    run.mkdir()
    for name in (f".{REPORT_HTML}.partial", f".{SUMMARY}.partial"):
        (run / name).symlink_to(victim)
    write_run(run, "new")
    write_whole(run / REPORT_HTML, b"page")
    assert victim.read_text() == "mine"
    assert (run / REPORT_HTML).read_bytes() == b"page"


def test_a_temporary_name_is_never_opened_twice(tmp_path, monkeypatch):
    monkeypatch.setattr(folders.secrets, "token_hex", lambda _: "00")
    (tmp_path / ".page.00.partial").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        ArtifactWriter(tmp_path / "page")
    assert not (tmp_path / "elsewhere").exists()


def test_files_have_the_rights_that_the_user_gives_new_files(tmp_path):
    (tmp_path / "plain").write_bytes(b"")
    write_whole(tmp_path / "whole", b"")
    assert (tmp_path / "whole").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_the_second_writer_of_a_folder_is_refused_before_it_touches_a_file(tmp_path):
    write_run(tmp_path, "old")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    code = (
        "import sys; from pathlib import Path; from turnmark.runs.folder import RunWriter\n"
        "with RunWriter(Path(sys.argv[1])): pass"
    )
    with RunWriter(tmp_path):
        second = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
        )
        assert second.returncode == 1
        assert f"UsageError: --out {tmp_path}: another run is at work on this folder" in second.stderr
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False).returncode == 0


def test_another_thread_is_a_second_writer_and_the_same_may_enter_again(tmp_path):
    refused = []

    def second():
        try:
            with locked(tmp_path):
                pass
        except UsageError as error:
            refused.append(str(error))

    with locked(tmp_path), locked(tmp_path):
        thread = threading.Thread(target=second)
        thread.start()
        thread.join()
    assert len(refused) == 1
    second()
    assert len(refused) == 1


def test_what_a_killed_process_left_is_gone_after_the_next_run(tmp_path):
    (tmp_path / ".dialog_trace.jsonl.0123456789abcdef.partial").write_text("half")
    write_run(tmp_path, "new")
    assert not list(tmp_path.glob(".*.partial"))


def test_scored_in_place_the_old_manifest_stays_until_the_new_one_takes_its_place(tmp_path, monkeypatch):
    write_run(tmp_path, "old")

    def fail():
        with RunWriter(tmp_path) as writer:
            writer.open(TURN_EVAL).write(b"new")
            monkeypatch.setattr(ArtifactWriter, "commit", lambda _: (_ for _ in ()).throw(Killed()))
            writer.finish({"run_id": "new"}, kept=(TRACE,))

    with pytest.raises(Killed):
        fail()
    assert read_manifest(tmp_path)["run_id"] == "old"
