"""A detector set whose name has changed is found under both, and the old one says so."""

import pytest

from turnmark.contract import compute_m2_profile_accuracy
from turnmark.detectors.finance.sets import finance_detectors
from turnmark.suites.registry import suite_definition


def test_the_old_name_gives_the_same_set_with_a_notice():
    with pytest.warns(FutureWarning, match="'calibrated' are called 'contextual' now"):
        assert finance_detectors("calibrated") is finance_detectors("contextual")
    with pytest.warns(FutureWarning, match="contextual"):
        assert suite_definition("clinical").detect_name("calibrated") == "contextual"
    with pytest.warns(FutureWarning, match="contextual"):
        compute_m2_profile_accuracy([], {}, detect="calibrated")


def test_the_command_takes_it_and_says_so(cli, examples, tmp_path):
    done = cli("score", examples / "hasty", "--detect", "calibrated", "--out", tmp_path / "old")
    assert done.code == 0
    assert "turnmark: the detectors 'calibrated' are called 'contextual' now; the old name still works" in done.err
    assert cli("score", examples / "hasty", "--out", tmp_path / "new").err == ""
    name = "metrics_summary.json"
    assert (tmp_path / "old" / name).read_bytes() == (tmp_path / "new" / name).read_bytes()
