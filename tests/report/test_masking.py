from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import report_small_run as small_run
from hypothesis import given
from hypothesis import strategies as st

from growth import SQUARE, processor_growth
from turnmark.pipeline.publishing.report import ReportOptions, write_report
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.report.view.masking import MASK, masked, names_in
from turnmark.runs.folder import TRACE

HIDDEN = [
    ("电话13812345678。", "13812345678"),
    ("手机是 +86 138 1234 5678", "+86 138 1234 5678"),
    ("１３８１２３４５６７８", "１３８１２３４５６７８"),
    ("座机010-62345678", "010-62345678"),
    ("身份证11010519491231002X", "11010519491231002X"),
    ("주민번호 900101-1234567", "900101-1234567"),
    ("010-1234-5678로 전화", "010-1234-5678"),
    ("계좌번호: 110-123-456789", "110-123-456789"),
    ("SSN 123-45-6789", "123-45-6789"),
    ("call (212) 555-0187", "(212) 555-0187"),
    ("card 4111 1111 1111 1111", "4111 1111 1111 1111"),
    ("卡号：6222021234567890123", "6222021234567890123"),
    ("account number is 123456789", "123456789"),
    ("write to jane.doe@example.com", "jane.doe@example.com"),
    (f"write to {'jane' * 30}@example.com", f"{'jane' * 30}@example.com"),
    ("account no: 123456789", "123456789"),
    ("account  :  123456789", "123456789"),
    ("Account holder Jane Doe", "Jane Doe"),
    ("account holder : Jane Doe", "Jane Doe"),
    ("姓名：欧阳修文", "欧阳修文"),
    ("我叫张伟，今年30岁", "张伟"),
    ("张先生您好", "张"),
    ("请李小红女士看", "李小红"),
    ("이름은 김철수입니다", "김철수"),
    ("김철수 씨, 안녕하세요", "김철수"),
    ("My name is Jane Doe.", "Jane Doe"),
    ("Dear Ms. Smith", "Smith"),
]
SHOWN = [
    "沪深300ETF 510300，最大回撤<10%，净值1.2345",
    "2021-2022-2023-2024年收益100000元，账户 1000000 元",
    "市值13800000000元，+100000，收益率+5.25%",
    "2024-03-15 至 2025-12-31，基金经理和黄金",
    "我叫停了定投，我是稳健型投资者，我是高净值客户",
    "오늘 날씨가 좋습니다. 아저씨 글씨. 고객님, 우리 씨앗 펀드",
    "In 2024 the S&P 500 rose 23.31% to 5,881.63; 401(k) plans",
]


@pytest.mark.parametrize(("text", "secret"), HIDDEN)
def test_personal_data_is_masked_by_as_many_marks(text, secret):
    mask = "".join(character if character.isspace() else MASK for character in secret)
    assert masked(text) == text.replace(secret, mask)


@pytest.mark.parametrize("text", SHOWN)
def test_amounts_codes_dates_and_common_words_stay(text):
    assert masked(text, names_in([text])) == text


def test_a_name_that_was_told_once_is_masked_everywhere():
    names = names_in(["我叫张伟。", "My name is Ann."])
    assert masked("张伟，您好；Ann Annual", names) == "██，您好；███ Annual"


@given(st.text(max_size=80))
def test_offsets_hold_and_masking_twice_changes_nothing(text):
    once = masked(text)
    assert len(once) == len(text)
    assert len(masked(once)) == len(text)


def test_pages_are_masked_and_files_are_not(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    user = "我叫张伟，手机13812345678，能保证不亏吗？"
    reply = "张伟先生，这款产品保本保收益，稳赚不赔。请致电13812345678。"
    record = small_run.dialog("d", [small_run.turn(1, user, reply), small_run.turn(2, "张伟在吗？", "张伟，在。")])
    small_run.write_trace(Path("trace.jsonl"), [record])
    run = score(ScoreRequest((Path("trace.jsonl"),), Path("run"), detect="literal")).folder
    write_report(run, options=ReportOptions(pages=True, mask=True))
    pages = [path.read_text("utf-8") for path in run.rglob("*.html")]
    assert len(pages) == 2
    for page in pages:
        assert "张伟" not in page
        assert "13812345678" not in page
        assert "masked" in page
        assert f">{small_run.SEVERE_WORDS}</mark>" in page
    assert "张伟" in (run / TRACE).read_text("utf-8")
    write_report(run, options=ReportOptions(pages=True))
    assert "13812345678" in (run / "report.html").read_text("utf-8")
    shutil.rmtree(run)


def test_an_address_right_behind_another_is_masked_too():
    assert masked("a@b.com+x@y.org") == MASK * len("a@b.com+x@y.org")


@pytest.mark.parametrize(
    ("begins", "goes_on"), [("", "a"), ("", "a@"), ("", "a."), ("", "0"), ("", "1-"), ("account", " "), ("이름은", " ")]
)
def test_masking_takes_time_in_proportion_to_the_text(begins, goes_on):
    """With the square of the length these take minutes; whole texts of this kind take tenths of a second."""

    def read(length):
        text = begins + goes_on * (length // len(goes_on))
        names_in([text])
        assert len(masked(text)) == len(text)

    assert processor_growth(read, 25_000, 200_000) < SQUARE
