from __future__ import annotations

import re

import pytest

from turnmark.pipeline.publishing.report import gather
from turnmark.report.locale.en import ENGLISH
from turnmark.report.locale.lookup import LANGUAGES, texts_of
from turnmark.report.pages.markdown import render_markdown
from turnmark.report.pages.run import render_html


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text_with_the_same_places(language):
    texts = LANGUAGES[language]
    assert list(texts) == list(LANGUAGES["en"])
    assert set(ENGLISH) <= set(texts)
    assert all(text.strip() for text in texts.values())
    for name, text in LANGUAGES["en"].items():
        assert set(re.findall(r"\{\w+\}", texts[name])) == set(re.findall(r"\{\w+\}", text)), name


@pytest.mark.parametrize(("language", "script"), [("zh", "[\u4e00-\u9fff]"), ("ko", "[가-힣]")])
def test_pages_speak_the_language(scored, language, script):
    texts = LANGUAGES[language]
    without = {name for name, text in texts.items() if not re.search(script, text)}
    assert without <= {"language", "n", "abnormal_one", "share_of", "dist_bar", "dist_desc", "data_sha256", "version",
                       "measure_ndcg", "range"}  # fmt: skip
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
    finance, rag = LANGUAGES[language], texts_of(language, "rag")
    told = {name: text for name, text in rag.items() if not name.startswith(("measure_", "metric_"))}
    places = re.compile(r"\{\w+\}")
    assert [name for name, text in told.items() if re.search(words, places.sub("", text))] == []
    assert turn in rag["turns"]
    for name in told.keys() - {"turn"}:
        assert sorted(places.findall(rag[name])) == sorted(places.findall(finance[name])), name
    assert texts_of(language, "clinical") == texts_of(language) == finance
