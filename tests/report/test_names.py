"""Names in place of codes, in the reader's language."""

import re

import pytest

from turnmark.locale.texts import LANGUAGES, texts_of
from turnmark.pipeline.publishing.report import ReportOptions, gather
from turnmark.report.pages.run import render_html
from turnmark.report.view.names import worded_name


@pytest.mark.parametrize(
    ("name", "en", "ko"),
    [
        ("profile_gt.constraints_gt[0]", "constraint 1", "제약 1"),
        ("profile_gt.risk_level_gt", "risk level", "위험 성향"),
        ("history_turn_index:12", "said earlier (12)", "앞서 한 말 (12)"),
        ("信息依据", "grounds", "정보 근거"),
        ("severe_violation", "severe violation", "중대한 위반"),
        ("profile_gt.hobby_gt", "hobby", "hobby"),
        ("고객이 정한 이름", "고객이 정한 이름", "고객이 정한 이름"),
        ("x\u202e<b>", "x\u202e<b>", "x\u202e<b>"),
    ],
)
def test_a_code_is_said_in_words_and_a_name_of_ones_own_stays(name, en, ko):
    assert worded_name(name, texts_of("en", "finance")) == en
    assert worded_name(name, texts_of("ko", "finance")) == ko


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_the_turns_of_a_page_hold_no_codes_of_tags_and_keys(scored, language):
    page = render_html(gather(scored, options=ReportOptions(language=language)), texts_of(language, "finance"))
    shown = re.sub(
        r'title="[^"]*"|<code.*?</code>|<wbr>', "", page[page.index('id="worst"') : page.index('id="figures"')]
    )
    for code in ("profile_gt.", "no_guaranteed_return", "volatility_risk", "minor_violation"):
        assert code not in shown, code


def test_contents_lead_to_every_part_of_the_page(scored):
    page = render_html(gather(scored))
    contents = page[page.index('<nav class="contents"') : page.index("</nav>", page.index('<nav class="contents"'))]
    targets = re.findall(r'href="#([a-z]+)"', contents)
    assert len(targets) >= 6
    assert all(f'id="{target}"' in page for target in targets)
