"""Why a metric has no figure: codes with parts, their English, and texts that are taken for what they say."""

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.schemas.reasons import ERROR, TEMPLATES, Reason
from turnmark.stats.tally import Failed, NotApplicable


@pytest.mark.parametrize(("code", "template"), TEMPLATES.items())
def test_every_code_says_its_parts_and_wants_all_of_them(code, template):
    names = re.findall(r"\{(\w+)\}", template)
    reason = Reason(code, {name: f"<{name}>" for name in names})
    assert all(f"<{name}>" in str(reason) for name in names)
    assert not re.search(r"[{}]", str(reason))
    assert msgspec.json.decode(msgspec.json.encode(reason), type=Reason) == reason
    if names:
        with pytest.raises(ValueError, match=re.escape(f"reason {code}: expected the parts {sorted(names)}, found []")):
            Reason(code)
        with pytest.raises(msgspec.ValidationError, match="expected the parts"):
            msgspec.json.decode(msgspec.json.encode({"code": code}), type=Reason)
    else:
        assert Reason.text(template) == Reason(code)


@given(st.text())
def test_any_other_text_is_a_message_and_is_said_as_it_stands(text):
    reason = Reason.text(text)
    assert str(reason) == text
    assert (reason.code == ERROR) == (text not in TEMPLATES.values() or text == "{message}")


def test_the_message_of_an_error_names_its_type():
    assert Reason.error(KeyError("x {y}")) == Reason(ERROR, {"message": "KeyError: 'x {y}'"})


def test_a_code_of_a_later_version_is_kept_and_said_by_its_name():
    reason = msgspec.json.decode(b'{"code": "eclipse", "parts": {"body": "moon"}}', type=Reason)
    assert (str(reason), reason.parts) == ("eclipse", {"body": "moon"})


@given(st.dictionaries(st.text(), st.text()), st.randoms())
def test_reasons_that_are_equal_count_as_one(parts, random):
    shuffled = list(parts.items())
    random.shuffle(shuffled)
    assert len({Reason("eclipse", parts), Reason("eclipse", dict(shuffled))}) == 1
    assert Reason("eclipse", parts) != Reason("dusk", parts)


@pytest.mark.parametrize("outcome", [NotApplicable, Failed])
def test_outcomes_take_a_text(outcome):
    assert outcome("no safety rule applies") == outcome(Reason("no_rule"))
    assert outcome("all quiet").reason == Reason(ERROR, {"message": "all quiet"})
    assert hash(outcome("all quiet")) == hash(outcome(Reason.text("all quiet")))
