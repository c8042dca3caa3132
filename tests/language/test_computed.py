"""Values that are made when they are first asked for."""

import pytest

from turnmark.language.computed import ByName


def test_a_value_is_made_once_and_only_when_it_is_asked_for() -> None:
    made: list[str] = []

    def make(name: str) -> str:
        made.append(name)
        return name.upper()

    values = ByName(["zh", "ko", "zh"], make)
    assert (list(values), len(values), "ko" in values, made) == (["zh", "ko"], 2, True, ["ko"])
    assert values["zh"] == values.get("zh") == "ZH"
    assert values.get("en") is None
    assert made == ["ko", "zh"]
    assert list(values.values()) == ["ZH", "KO"]
    assert made == ["ko", "zh"]
    with pytest.raises(KeyError, match="en"):
        values["en"]
