"""The example scripts run as a user runs them and print what their guide says."""

import json
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_advanced_metrics_of_one_answer_are_printed(tmp_path):
    run = subprocess.run(
        [sys.executable, EXAMPLES / "advanced_metrics.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    title, _, figures = run.stdout.partition("\n")
    assert title == "Testing Advanced Metrics Calculator..."
    found = json.loads(figures)
    assert {name: found[name]["score"] for name in found} == {"SFS": 1.0, "CSP": 0.0, "CUS_improved": 1.0}
    assert (found["SFS"]["mentioned_count"], found["SFS"]["hallucinated_details"]) == (4, [])
    assert [rule["id"] for rule in found["CSP"]["applicable_rules"]] == ["CSP_DM_001", "CSP_ALG_001"]
    assert (found["CUS_improved"]["hits"], found["CUS_improved"]["total"]) == (2, 2)
