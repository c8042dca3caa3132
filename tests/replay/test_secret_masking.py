"""No secret leaves in a manifest or an error."""

import pytest

from turnmark.replay.masking import MASK, is_secret_name, masked, masked_text


@pytest.mark.parametrize(
    "name", ["api_key", "API-KEY", "openai_api_key", "Authorization", "X-Auth-Token", "access_token", "password",
             "client_secret", "key", "session-key", "Cookie"]
)  # fmt: skip
def test_secret_names(name):
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["max_tokens", "tokens_per_minute", "model", "monkey", "keyboard", "base_url", "passage"]
)
def test_other_names(name):
    assert not is_secret_name(name)


def test_settings_are_masked_by_name_and_form():
    settings = {
        "model": "m",
        "api_key": "abc",
        "empty_key": "",
        "headers": [{"Authorization": "Bearer 1234567890abc", "Accept": "json"}],
        "base_url": "https://user:pass1234@host/v1?api_key=zzz&x=1",
        "max_tokens": 5,
    }
    assert masked(settings) == {
        "model": "m",
        "api_key": MASK,
        "empty_key": "",
        "headers": [{"Authorization": MASK, "Accept": "json"}],
        "base_url": "https://***@host/v1?api_key=***&x=1",
        "max_tokens": 5,
    }


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Bearer abcdefgh12345678 refused", "Bearer *** refused"),
        ("key sk-abcdefghijklmnop1234 is wrong", "key *** is wrong"),
        ("risk-adjusted returns and task-force", "risk-adjusted returns and task-force"),
        ("GET http://h/x?token=abc 500", "GET http://h/x?token=*** 500"),
        ("最大回撤不超过10%", "最大回撤不超过10%"),
    ],
)
def test_texts(text, clean):
    assert masked_text(text) == clean


def test_values_of_secret_environment_variables(monkeypatch):
    monkeypatch.setenv("SHOP_API_KEY", "p4ssw0rd-of-the-shop")
    monkeypatch.setenv("SHOP_NAME", "the corner shop")
    assert masked_text("p4ssw0rd-of-the-shop at the corner shop") == "*** at the corner shop"
