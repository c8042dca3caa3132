"""The journal holds what happened for good, and nothing else after any cut."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.errors import DataError, UsageError
from turnmark.replay.run.journal import Journal

SETTINGS = {"run_id": "r"}


def write(path, *steps):
    """A journal with these steps: (method, arguments)."""

    async def work(journal):
        for name, *arguments in steps:
            await getattr(journal, name)(*arguments)

    with Journal(path) as journal:
        asyncio.run(work(journal))
    return journal


def dialog_steps(index, turns, status="ok"):
    return [
        ("started", index),
        *[("turn", index, {"turn_pair_id": number}) for number in range(1, turns + 1)],
        ("finished", index, {"dialog_id": f"d{index}", "dialog_status": status}, turns),
    ]


def held(path):
    """Turns by dialogue, of those that ended."""
    return {dialog["dialog_id"]: len(dialog["turns"]) for dialog in Journal(path).dialogs()}


def test_dialogues_come_back_in_the_order_of_the_dataset(tmp_path):
    path = tmp_path / "logs" / "j.jsonl"
    write(path, ("begin", SETTINGS), *dialog_steps(2, 1), *dialog_steps(1, 3))
    journal = Journal(path)
    assert journal.settings == [SETTINGS]
    assert [dialog["dialog_id"] for dialog in journal.dialogs()] == ["d1", "d2"]
    assert held(path) == {"d1": 3, "d2": 1}


def test_interleaved_dialogues_are_told_apart(tmp_path):
    one, two = dialog_steps(1, 3), dialog_steps(2, 3)
    write(tmp_path / "j", *[step for pair in zip(one, two, strict=True) for step in pair])
    assert held(tmp_path / "j") == {"d1": 3, "d2": 3}


def test_a_dialogue_that_did_not_end_counts_for_nothing(tmp_path):
    write(tmp_path / "j", *dialog_steps(1, 2), *dialog_steps(2, 2)[:-1])
    assert held(tmp_path / "j") == {"d1": 2}
    write(tmp_path / "j", *dialog_steps(2, 2))
    assert held(tmp_path / "j") == {"d1": 2, "d2": 2}


def test_the_earlier_result_stands_until_the_later_one_is_there(tmp_path):
    write(tmp_path / "j", *dialog_steps(1, 2, "failed"))
    write(tmp_path / "j", *dialog_steps(1, 4)[:3])
    assert Journal(tmp_path / "j").ended[1].status == "failed"
    assert held(tmp_path / "j") == {"d1": 2}
    write(tmp_path / "j", *dialog_steps(1, 4))
    assert Journal(tmp_path / "j").ended[1].status == "ok"
    assert held(tmp_path / "j") == {"d1": 4}


@given(st.data())
def test_a_cut_anywhere_loses_at_most_the_line_that_was_cut(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("cut") / "j"
    write(path, ("begin", SETTINGS), *dialog_steps(1, 2), *dialog_steps(2, 1))
    whole = path.read_bytes()
    cut = data.draw(st.integers(0, len(whole)))
    path.write_bytes(whole[:cut])
    lines = whole[:cut].count(b"\n")
    expected = {"d1": 2} if 5 <= lines < 8 else {"d1": 2, "d2": 1} if lines >= 8 else {}
    assert held(path) == expected
    write(path, *dialog_steps(1, 2), *dialog_steps(2, 1))
    assert held(path) == {"d1": 2, "d2": 1}
    assert b"\n{" in path.read_bytes()


@pytest.mark.parametrize(
    "line",
    [b"nonsense", b'{"kind": "mood"}', b'{"index": 1}', b'{"kind": "turn", "index": 9, "turn": {}}', b"[1]", b"\xff",
     b'{"kind": "ended", "index": 1, "dialog": {"dialog_status": "ok"}, "turns": 0}'],
)  # fmt: skip
def test_a_damaged_line_is_named(tmp_path, line):
    write(tmp_path / "j", *dialog_steps(1, 1)[:2])
    with (tmp_path / "j").open("ab") as file:
        file.write(line + b"\n")
    with pytest.raises(DataError, match=r"j:3: expected a line of a journal"):
        Journal(tmp_path / "j")


def test_what_cannot_be_written_or_read_is_said(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "gone" / "j")
    with pytest.raises(UsageError, match="expected a file that can be written"):
        write(tmp_path / "link")
    (tmp_path / "folder").mkdir()
    with pytest.raises(DataError, match="cannot be read"):
        Journal(tmp_path / "folder")


def test_nothing_follows_a_failed_write(tmp_path, monkeypatch):
    def full(_handle):
        raise OSError(28, "No space left on device")

    async def work(journal):
        await journal.begin(SETTINGS)
        await journal.started(1)
        monkeypatch.setattr("turnmark.replay.run.journal.os.fsync", full)
        with pytest.raises(OSError, match="No space left"):
            await journal.finished(1, {"dialog_id": "d1", "dialog_status": "ok"}, 0)
        with pytest.raises(OSError, match="No space left"):
            await journal.started(2)

    with Journal(tmp_path / "j") as journal:
        asyncio.run(work(journal))
    assert (tmp_path / "j").read_bytes().count(b"\n") <= 3
    assert Journal(tmp_path / "j").settings == [SETTINGS]


def test_a_write_that_fails_is_told_at_once(tmp_path, monkeypatch):
    def full(_file, _data):
        raise OSError(28, "No space left on device")

    async def work(journal):
        await journal.started(1)
        monkeypatch.setattr("turnmark.replay.run.journal._write_all", full)
        with pytest.raises(OSError, match="No space left"):
            await journal.turn(1, {})

    with Journal(tmp_path / "j") as journal:
        asyncio.run(work(journal))
