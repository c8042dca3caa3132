"""The shipped vocabulary, users' packs over it, and wrong packs named by file, line and field."""

from pathlib import Path

import pytest
import yaml

from turnmark.errors import PackError, UsageError
from turnmark.packs.literal import LiteralPack, literal_packs
from turnmark.packs.loading import digest, parse, problems, read, shipped

HEAD = "pack: own\nversion: '2'\nlanguage: zh\n"


def own(tmp_path, text, name="own.yaml"):
    path = tmp_path / name
    path.write_text(HEAD + text, encoding="utf-8")
    return path


def test_shipped_vocabulary_is_the_published_one(shared):
    published = yaml.safe_load((shared / "conformance" / "literal_v1.yaml").read_text(encoding="utf-8"))
    pack, _ = literal_packs()
    assert pack.risk_aliases == published["risk_aliases"]
    assert pack.risk_keywords == published["risk_keywords"]
    assert pack.rubric_keywords == published["rubric_keywords"]
    rules = published["constraint_contradiction"]
    assert pack.constraint_keywords == rules["keyword_rules"]
    assert pack.guard_words == rules["guard_words"]
    assert pack.severe_types == published["compliance"]["severe_types"]
    for name in ("risk", "horizon", "liquidity", "fallback_risk", "fallback_horizon", "fallback_liquidity"):
        assert getattr(pack.profile, name) == published["profile"][name]


def test_the_eleven_canonical_tags_of_the_specification_are_known():
    pack, _ = literal_packs()
    assert set(pack.risk_aliases) == {
        "volatility_risk", "no_guaranteed_return", "market_uncertainty", "suitability_match", "not_buy_sell_advice",
        "not_investment_advice", "credit_risk", "liquidity_risk", "interest_rate_risk", "past_performance_not_future",
        "risk_disclosure_present",
    }  # fmt: skip
    assert set(pack.risk_keywords) == set(pack.risk_aliases) - {"risk_disclosure_present"}


def test_user_pack_adds_replaces_and_appends(tmp_path):
    base, before = literal_packs()
    path = own(
        tmp_path,
        "risk_keywords:\n  policy_risk: [政策]\n  credit_risk: [爆雷]\n"
        "guard_words: [切勿, 谨慎]\nforbidden_phrases: [闭眼买]\nprofile:\n  risk: {激进: high}\n",
    )
    pack, after = literal_packs((path,))
    assert pack.risk_keywords["policy_risk"] == ["政策"], "a new key is added"
    assert pack.risk_keywords["credit_risk"] == ["爆雷"], "a known key is replaced"
    assert pack.risk_keywords["volatility_risk"] == base.risk_keywords["volatility_risk"]
    assert pack.guard_words == [*base.guard_words, "切勿"], "a list is appended to, without repeats"
    assert pack.forbidden_phrases == ["闭眼买"]
    assert pack.profile.risk == {**base.profile.risk, "激进": "high"}
    assert pack.pack == base.pack
    assert after == {**before, "own@2": digest(path.read_bytes())}
    assert literal_packs() == (base, before), "the shipped one stays as it is"


def test_later_packs_win(tmp_path):
    first = own(tmp_path, "risk_keywords: {credit_risk: [一]}\n", "a.yaml")
    second = own(tmp_path, "risk_keywords: {credit_risk: [二]}\n", "b.yaml")
    assert literal_packs((first, second))[0].risk_keywords["credit_risk"] == ["二"]
    assert literal_packs((second, first))[0].risk_keywords["credit_risk"] == ["一"]


def test_a_pack_that_was_edited_is_read_again(tmp_path):
    path = own(tmp_path, "guard_words: [一]\n")
    before = literal_packs((path,))
    own(tmp_path, "guard_words: [二]\n")
    after = literal_packs((path,))
    assert after[0].guard_words[-1] == "二"
    assert before[1] != after[1]


def test_digest_does_not_depend_on_line_ends():
    assert digest(b"a\r\nb\r\n") == digest(b"a\nb\n")
    assert digest(b"a\n") != digest(b"b\n")


WRONG = {
    "unknown field": (
        HEAD + "risk_keyword: {}\n",
        "p.yaml:4: $.risk_keyword: expected only fields that are known, found an unknown field",
    ),
    "missing fields": (
        "pack: x\n",
        "p.yaml:1: $.version: expected a value (the field is required), found no such field",
    ),
    "text for a list": (
        HEAD + "risk_keywords:\n  credit_risk: 信用\n",
        "p.yaml:5: $.risk_keywords.credit_risk: expected array, found string '信用'",
    ),
    "number in a list": (
        HEAD + "guard_words:\n  - 好\n  - 5\n",
        "p.yaml:6: $.guard_words[1]: expected string, found integer 5",
    ),
    "number for a version": (
        "pack: x\nlanguage: zh\nversion: 1.0\n",
        "p.yaml:3: $.version: expected string, found number 1.0",
    ),
    "tabs": ("pack: x\n\tversion: 1\n", "p.yaml:2: $: expected YAML, found found a tab character"),
    "unclosed bracket": (HEAD + "guard_words: [a, b\nx: 1\n", "p.yaml:5: $: expected YAML, found "),
    "a list": ("- a\n- b\n", "p.yaml:1: $: expected object, found array of 2"),
    "empty": ("", "p.yaml:1: $: expected object, found null"),
    "an impossible date": (
        "pack: x\nversion: 2026-13-45\n",
        "p.yaml: $: expected YAML in UTF-8, found month must be in 1..12",
    ),
    "a number for a key": (HEAD + "risk_keywords: {1: [a]}\n", "p.yaml:1: $: expected a valid pack ("),
    "a list that holds itself": (
        HEAD + "guard_words: &a [*a]\n",
        "p.yaml:4: $: expected YAML, found a reference to a list or mapping",
    ),
    "a mapping used twice": (
        HEAD + "risk_keywords: &k {a: [b]}\nrubric_keywords: *k\n",
        "p.yaml:5: $: expected YAML, found a reference to a list or mapping",
    ),
    "deep nesting": (
        "pack: " + "[" * 50_000,
        "p.yaml:1: $: expected YAML, found exceeded maximum nesting depth",
    ),
    "a control character": ("pack: a\x00b\n", "p.yaml: $: expected YAML in UTF-8, found unacceptable character"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_pack_is_named_by_file_line_and_field(name, tmp_path, monkeypatch):
    text, message = WRONG[name]
    found = problems(text.encode(), "p.yaml", LiteralPack)
    assert any(str(problem).startswith(message) for problem in found), [str(problem) for problem in found]
    monkeypatch.chdir(tmp_path)
    path = Path("p.yaml")
    path.write_bytes(text.encode())
    with pytest.raises(PackError) as error:
        read(path, LiteralPack)
    assert str(error.value).splitlines() == [str(problem) for problem in found]


def test_bytes_that_are_not_utf8_are_named():
    (problem,) = problems(b"pack: \xff\xfe\n", "p.yaml", LiteralPack)
    assert "expected YAML in UTF-8" in str(problem)


def test_pack_from_memory_is_refused_with_its_faults():
    with pytest.raises(PackError, match=r"^p\.yaml:4: \$\.guard_words\[0\]: expected string, found integer 1$"):
        parse((HEAD + "guard_words: [1]\n").encode(), "p.yaml", LiteralPack)


def test_all_faults_are_listed_at_once():
    found = problems((HEAD + "guard_words: [1]\nrisk_keywords: {a: 2}\n").encode(), "p.yaml", LiteralPack)
    assert [problem.line for problem in found] == [4, 5]


def test_missing_file_is_named(tmp_path):
    with pytest.raises(PackError, match=r"none\.yaml: cannot be read: No such file"):
        read(tmp_path / "none.yaml", LiteralPack)
    with pytest.raises(UsageError):
        literal_packs((tmp_path / "none.yaml",))


def test_every_value_of_the_shipped_pack_is_on_the_line_that_is_said():
    raw = shipped("finance/literal.yaml")
    text = raw.decode()
    broken = text.replace("severe_severities: [high]", "severe_severities: high")
    (problem,) = problems(broken.encode(), "p", LiteralPack)
    assert broken.splitlines()[problem.line - 1] == "severe_severities: high"
