"""The catalogues of texts: every language says everything, each suite in its own words."""

from __future__ import annotations

import re
import subprocess
import sys
from io import BytesIO

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from turnmark.locale import texts as module
from turnmark.locale.texts import ENGLISH, LANGUAGES, Texts, add_catalogues, filled, named, texts_of
from turnmark.pipeline.publishing.report import gather
from turnmark.report.pages.markdown import render_markdown
from turnmark.report.pages.run import render_html
from turnmark.suites.registry import SHIPPED, suite_definition

PLACES = re.compile(r"\{\w+\}")
WORDS = re.compile(r"\{\w+:([^}]*)\}")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("suite", [None, "finance", "clinical", "rag"])
def test_every_language_has_every_text_with_the_same_places(language, suite):
    texts, english = texts_of(language, suite), texts_of("en", suite)
    assert set(texts) == set(english)
    assert len(texts) > 300
    for name, text in english.items():
        assert sorted(set(PLACES.findall(texts[name]))) == sorted(set(PLACES.findall(text))), name
        assert bool(texts[name].strip()) == bool(text.strip()), name
    assert [name for name, text in english.items() if not text] == (["turn"] if suite == "rag" else [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_metric_and_measure_has_a_name_on_pages_of_every_suite(language):
    for suite in SHIPPED:
        for metric in suite_definition(suite).metrics:
            if metric.suite != suite:
                continue
            for key in (f"metric_{metric.name}", *(f"measure_{measure.name}" for measure in metric.measures)):
                assert {texts_of(language, page)[key] for page in (None, *SHIPPED)} == {texts_of(language, suite)[key]}


@pytest.mark.parametrize(("language", "script"), [("zh", "[\u4e00-\u9fff]"), ("ko", "[가-힣]")])
def test_pages_speak_the_language(scored, language, script):
    texts = texts_of(language)
    without = {name for name, text in texts.items() if not re.search(script, text)}
    assert without <= {"n", "abnormal_one", "share_of", "dist_bar", "dist_desc", "data_sha256", "version",
                       "measure_ndcg", "range", "p_holm", "p_bh", "p_bh_short", "colon", "comma", "semicolon",
                       "difference_of", "problem_json", "json_null", "finding_about", "few_items_one",
                       "problem_notice"}  # fmt: skip
    data = gather(scored)
    page = render_html(data, texts)
    assert f'<html lang="{language}">' in page
    assert texts["signoff"] in page
    for word in ("Main figures", "Sign-off", "Turns to look at first", "Required"):
        assert word not in page
    assert texts["figures"] in render_markdown(data.summary, texts)


@pytest.mark.parametrize(
    ("language", "words", "turn"), [("en", r"(?i)dialogue|\bturns?\b", "answer"), ("zh", "对话|轮", "回答"),
                                    ("ko", "대화|(?<!패)턴", "답변")],
)  # fmt: skip
def test_rag_speaks_of_cases_and_answers(language, words, turn):
    general, rag = texts_of(language, "clinical"), texts_of(language, "rag")
    told = {
        name: text
        for name, text in rag.items()
        if not name.startswith(
            (
                "measure_",
                "metric_",
                "memory_ignored",
                "note_missing",
                "rule_source_",
                "problem_",
                "cli_chat_limits",
                "calibrate_possible",
            )
        )
        and "own_check" not in name
    }
    assert [name for name, text in told.items() if re.search(words, PLACES.sub("", WORDS.sub(r" \1 ", text)))] == []
    assert turn in rag["turns"]
    assert rag["turn"] == filled(rag, "turn", number=1) == ""
    for name in told.keys() - {"turn"}:
        assert sorted(PLACES.findall(rag[name])) == sorted(PLACES.findall(general[name])), name


def test_a_text_that_a_language_lacks_is_english_and_an_unknown_key_is_none(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LANGUAGES", {**LANGUAGES, "fr": "français"})
    assert texts_of("fr", "rag")["dialogue"] == "Case"
    assert texts_of("fr").language == "fr"
    assert named(ENGLISH, "state", "unheard_of") == "unheard_of"
    with pytest.raises(KeyError, match="unheard_of"):
        ENGLISH["unheard_of"]
    with pytest.raises(KeyError, match="xx"):
        texts_of("xx")
    assert "title" in ENGLISH
    assert "unheard_of" not in ENGLISH


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The catalogues of a suite of another package, in English and Korean."""
    monkeypatch.setattr(module, "_folders", {})
    for language, words in {
        "en": {"measure_tone": "Polite e-mails", "user": "Sender"},
        "ko": {"user": "발신인"},
    }.items():
        own = Catalog(locale=language)
        for key, text in words.items():
            own.add(key, text, context="email")
        file = tmp_path / language / "LC_MESSAGES" / "turnmark.mo"
        file.parent.mkdir(parents=True)
        compiled = BytesIO()
        write_mo(compiled, own)
        file.write_bytes(compiled.getvalue())
    yield tmp_path
    module._catalogues.cache_clear()
    module._table.cache_clear()


def test_a_suite_of_another_package_brings_its_own_words(package):
    before = Texts("ko", "email")
    assert before["user"] == "사용자"
    add_catalogues("email", package)
    assert Texts("ko", "email")["user"] == "발신인"
    assert Texts("ko", "email")["measure_tone"] == "Polite e-mails"  # it says nothing in Korean
    assert Texts("zh", "email")["user"] == "用户"  # what all suites say in Chinese before its English
    assert "measure_tone" in set(Texts("zh", "email"))
    assert texts_of("en")["measure_tone"] == "Polite e-mails"  # lists of runs of all suites
    assert texts_of("en", "finance")["user"] == "User"


def test_a_folder_without_catalogues_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"LANGUAGE/LC_MESSAGES/turnmark\.mo"):
        add_catalogues("email", tmp_path)


def test_catalogues_are_read_on_first_use_only():
    code = (
        "import sys, turnmark; assert 'turnmark.locale.texts' not in sys.modules\n"
        "import turnmark.report.pages.run\n"
        "from turnmark.locale import texts\n"
        "assert texts._catalogues.cache_info().currsize == 0\n"
        "texts.ENGLISH['title']\n"
        "assert texts._catalogues.cache_info().currsize == 1\n"
        "assert 'babel' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_no_key_is_hidden_by_an_attribute():
    """Templates look keys up as attributes: ``t.title``."""
    hidden = {name for name in dir(Texts) if not name.startswith("_")} | set(vars(ENGLISH))
    assert hidden & set(ENGLISH) == set()
