"""What `tools/generate.py --check` says of the catalogues of texts."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"


@pytest.fixture
def catalogues(tmp_path, monkeypatch):
    """The tool, on a copy of the catalogues."""
    monkeypatch.syspath_prepend(str(TOOLS))
    sys.modules.pop("catalogues", None)
    import catalogues as tool  # noqa: PLC0415 - a script of tools/

    shutil.copytree(tool.FOLDER, tmp_path / "locale")
    monkeypatch.setattr(tool, "FOLDER", tmp_path / "locale")
    return tool


def edit(tool, language, old, new):
    path = tool.FOLDER / language / "LC_MESSAGES" / "turnmark.po"
    content = path.read_text("utf-8")
    assert content.count(old) == 1
    path.write_text(content.replace(old, new), "utf-8")


def stale(tool, *, check=True):
    return {path.relative_to(tool.FOLDER).as_posix(): content for path, content in tool.files(check=check)
            if path.read_bytes() != content}  # fmt: skip


def test_the_shipped_catalogues_are_whole_and_compiled(catalogues):
    assert catalogues.faults() == []
    assert stale(catalogues) == {}
    assert not any(b"-Date:" in content or b"Babel" in content for _, content in catalogues.files(check=True))


@pytest.mark.parametrize(
    ("language", "old", "new", "fault"),
    [
        ("en", 'msgid "title"\n', 'msgid "titel"\n', "no text 'title', looked up in report/"),
        ("en", 'msgid "title"\n', 'msgid "titel"\n', "'titel' is looked up nowhere"),
        ("en", 'msgstr "Evaluation report"', 'msgstr ""', "'title' has no text"),
        ("ko", 'msgstr "평가 보고서"', 'msgstr ""', "ko: title has no text"),
        ("ko", 'msgid "title"\n', 'msgid "titel"\n', "ko: titel is not in the English catalogue"),
        ("zh", "{low} 至 {high}\"\n\n#. unknown", "{low} 至\"\n\n#. unknown", "zh: range has other braces"),
        ("zh", 'msgid "no safety rule applies"', 'msgid "no rule"', "zh: reason: no safety rule applies has no text"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(catalogues, language, old, new, fault):
    edit(catalogues, language, old, new)
    assert any(fault in said for said in catalogues.faults()), catalogues.faults()
    assert f"{language}/LC_MESSAGES/turnmark.mo" in stale(catalogues)


def test_a_translation_whose_english_changed_is_marked_until_someone_has_looked(catalogues):
    edit(catalogues, "en", 'msgstr "Evaluation report"', 'msgstr "Report of an evaluation"')
    assert set(stale(catalogues)) == {"en/LC_MESSAGES/turnmark.mo", "zh/LC_MESSAGES/turnmark.po",
                                      "ko/LC_MESSAGES/turnmark.po"}  # fmt: skip
    for name, content in stale(catalogues, check=False).items():
        (catalogues.FOLDER / name).write_bytes(content)
    assert [fault for fault in catalogues.faults() if "fuzzy" not in fault] == []
    assert len(catalogues.faults()) == 2
    for language in ("zh", "ko"):
        edit(catalogues, language, "#, fuzzy\n", "")
    for name, content in stale(catalogues, check=False).items():
        (catalogues.FOLDER / name).write_bytes(content)
    assert catalogues.faults() == []
    assert stale(catalogues) == {}


def test_new_keys_reach_the_other_languages_empty_and_gone_ones_leave(catalogues):
    edit(catalogues, "en", 'msgid "title"\n', 'msgid "metric_new"\n')
    updated = {path.as_posix()[-len("zh/LC_MESSAGES/turnmark.po"):]: content.decode()
               for path, content in catalogues.files(check=False) if path.suffix == ".po"}  # fmt: skip
    assert 'msgid "metric_new"\nmsgstr ""' in updated["zh/LC_MESSAGES/turnmark.po"]
    assert '#~ msgid "title"' in updated["zh/LC_MESSAGES/turnmark.po"]
