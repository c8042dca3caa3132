import codecs

import pytest

from turnmark.readers.characters import UnreadableError, decode

ZH = "本产品的保修期为两年。申购费率为0.8%，持有不足七天赎回的，收取1.5%的赎回费。\r\n"
KO = "이 제품의 보증 기간은 2년입니다. 환매 수수료는 0.5%이며, 30일 이내에는 환매할 수 없습니다.\n"
TRADITIONAL = "本產品的保固期為兩年。申購費率為百分之一，持有不足七天贖回者，收取贖回費用。\n"


@pytest.mark.parametrize("times", [1, 40])
@pytest.mark.parametrize(
    ("text", "written", "told"),
    [
        (ZH, "utf-8", "utf-8"),
        (KO, "utf-8", "utf-8"),
        (ZH, "utf-8-sig", "utf-8"),
        (ZH, "utf-16", "utf-16"),
        (KO, "utf-32", "utf-32"),
        (ZH, "gb18030", "gb18030"),
        (KO, "euc-kr", "cp949"),
        (TRADITIONAL, "big5", "big5"),
        (ZH, "utf-16-le", "utf-16-le"),
        (KO, "utf-16-be", "utf-16-be"),
    ],
)
def test_encodings_are_told_by_mark_or_by_words(text, written, told, times):
    found = decode((text * times).encode(written))
    assert (found.text, found.encoding) == (text * times, told)


def test_a_character_cut_at_the_end_of_the_sample_changes_nothing():
    text = "保修期为两年" * 20_000
    assert decode(text.encode("gb18030")).text == text


def test_what_no_encoding_fits_is_named_with_its_first_bad_byte():
    with pytest.raises(UnreadableError, match="byte 0x") as caught:
        decode(codecs.BOM_UTF16_LE + b"\x00\xd8\x00")
    assert "save it as UTF-8" in str(caught.value)


def test_a_binary_file_is_no_text():
    with pytest.raises(UnreadableError, match="control character U"):
        decode(b"\x00\x01\x02\x03PK" * 50)
