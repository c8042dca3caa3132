from __future__ import annotations

import re

import pytest

from turnmark.pipeline.report import gather
from turnmark.report.html import render_html
from turnmark.report.markdown import render_markdown
from turnmark.report.texts import LANGUAGES
from turnmark.report.texts_en import ENGLISH


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
                       "measure_ndcg"}  # fmt: skip
    data = gather(scored)
    page = render_html(data, texts)
    assert f'<html lang="{language}">' in page
    assert texts["signoff"] in page
    for word in ("Main figures", "Sign-off", "Turns to look at first", "Required"):
        assert word not in page
    assert texts["figures"] in render_markdown(data.summary, texts)
