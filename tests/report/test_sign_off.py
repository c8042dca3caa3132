from __future__ import annotations

import msgspec
import pytest
import report_golden as golden

from turnmark.locale.texts import ENGLISH, LANGUAGES, texts_of
from turnmark.pipeline.publishing.report import gather
from turnmark.report.pages.sign_off import MOST_FLAGS, MOST_PACKS, sign_off


@pytest.fixture
def data(scored):
    found = gather(scored)
    return found._replace(summary=golden.timeless(found.summary))


def test_the_sheet_says_what_was_run_and_what_came_out(data):
    sheet = sign_off(data, ENGLISH)
    facts = dict(sheet.facts)
    assert facts["Settings fingerprint"] == "0123456789abcdef"
    assert facts["Data SHA-256"] == "ab" * 32
    assert sheet.packs == ["finance.literal 1.0.0 (01234567)"]
    assert dict(sheet.counts)["Turns"] == 6
    assert dict(sheet.counts)["Lines rejected"] == 1
    assert dict(sheet.states)["normal"] == data.summary.reply_states["normal"]
    assert [block.code for block in sheet.blocks] == ["M1", "M2", "M3", "M4", "M5"]
    assert sheet.flags
    assert sheet.overrides == [ENGLISH["overrides_none"]]
    assert sheet.limits[0] == ENGLISH["limit_literal"]


def test_the_method_of_the_calibrated_detectors_has_limits_of_its_own(data):
    contextual = data._replace(summary=msgspec.structs.replace(data.summary, detect="contextual"))
    assert sign_off(contextual, ENGLISH).limits[0] == ENGLISH["limit_rules"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_could_be_long_is_cut_and_says_so(data, language):
    texts = texts_of(language)
    signature = msgspec.structs.replace(
        data.summary.signature, packs={f"pack.{place}." + "x" * 90 + "@1.0.0": "ab" * 8 for place in range(40)}
    )
    summary = msgspec.structs.replace(
        data.summary, signature=signature, flags=["f" * 5000] * 9, dataset_path="d" * 900, model_name="m" * 900
    )
    sheet = sign_off(data._replace(summary=summary), texts)
    assert len(sheet.packs) == MOST_PACKS + 1
    assert len(sheet.flags) == MOST_FLAGS + 1
    assert max(len(value) for _, value in sheet.facts) <= 70
    assert str(40 - MOST_PACKS) in sheet.packs[-1]
