"""A file that holds nothing is called empty by name, and what could not be done leaves nothing behind."""

import gzip

import pytest

from building import write_lines

EMPTY = {
    "answers.csv": b"",
    "answers.xlsx": b"",
    "cases.jsonl": b"",
    "cases.json": b"\xef\xbb\xbf",
    "chats.jsonl": b"\n \r\n",
    "trace.jsonl.gz": gzip.compress(b"\n"),
}
COMMANDS = {
    "score": ("--out", "run"),
    "check": (),
    "run": ("--agent", "demo", "--out", "run"),
    "replay": ("--agent", "demo", "--out", "run"),
    "convert": ("--out", "converted.jsonl"),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", EMPTY)
def test_an_empty_file_is_called_empty(tmp_path, monkeypatch, cli, name, command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(EMPTY[name])
    ran = cli(command, name, *COMMANDS[command])
    assert ran.code == 2
    assert f"{name}: the file is empty" in ran.err
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_empty_labels_are_called_empty(tmp_path, cli):
    (tmp_path / "labels.jsonl").write_bytes(b"")
    ran = cli("agree", tmp_path / "labels.jsonl")
    assert (ran.code, "labels.jsonl: the file is empty" in ran.err) == (2, True)


@pytest.mark.parametrize("text", ["질문,답변\n", "问题,回答,上下文\n\n"])
def test_a_table_without_a_row_leaves_no_folder(tmp_path, cli, text):
    (tmp_path / "only.csv").write_text(text, "utf-8")
    for command in ("score", "run"):
        more = ("--agent", "demo") if command == "run" else ()
        ran = cli(command, tmp_path / "only.csv", *more, "--out", tmp_path / "run")
        assert ran.code == 2
        assert "only.csv: expected at least one" in ran.err
        assert not (tmp_path / "run").exists()


def test_what_failed_leaves_a_folder_of_the_users_as_it_was(tmp_path, cli):
    (tmp_path / "bad.jsonl").write_text('{"dialog_id": 3}\n', "utf-8")
    (tmp_path / "made").mkdir()
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "note.txt").write_text("mine", "utf-8")
    for name in ("made", "kept"):
        assert cli("score", tmp_path / "bad.jsonl", "--out", tmp_path / name).code == 2
    assert list((tmp_path / "made").iterdir()) == []
    assert "note.txt" in [path.name for path in (tmp_path / "kept").iterdir()]


def test_answers_that_no_metric_can_count_are_warned_about(tmp_path, cli):
    write_lines(tmp_path / "cases.jsonl", {"question": "", "answer": ""})
    ran = cli("score", tmp_path / "cases.jsonl", "--out", tmp_path / "run")
    assert "found none among 1, so that there is no figure" in " ".join((ran.out + ran.err).split())
