import pytest

from turnmark.llm.secrets import MissingSecretError, Secrets

ENVIRONMENT = {"KEY": " sk-abcdef ", "LONGER": "sk-abcdef-more", "SHORT": "ab", "EMPTY": "  "}


def test_values_come_without_white_space_and_only_when_set():
    secrets = Secrets(ENVIRONMENT)
    assert secrets.get("KEY") == "sk-abcdef"
    assert secrets.get("EMPTY") is None
    assert secrets.get("MISSING") is None


def test_masking_takes_out_every_known_value_longest_first():
    secrets = Secrets(ENVIRONMENT)
    for name in ("KEY", "LONGER", "SHORT"):
        secrets.get(name)
    assert secrets.mask("sk-abcdef-more sk-abcdef about xsk-abcdefx") == "*** *** about x***x"
    assert "abcdef" not in repr(secrets)


def test_expanding_needs_the_variable():
    secrets = Secrets(ENVIRONMENT)
    assert secrets.expand("Bearer ${KEY}/$KEY/{KEY}") == "Bearer sk-abcdef/$KEY/{KEY}"
    with pytest.raises(MissingSecretError, match="MISSING"):
        secrets.expand("${MISSING}")


def test_the_environment_is_that_of_the_process(monkeypatch):
    monkeypatch.setenv("TURNMARK_TEST_KEY", "from the process")
    assert Secrets().get("TURNMARK_TEST_KEY") == "from the process"
