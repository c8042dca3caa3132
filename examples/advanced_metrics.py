"""The test command of the guide to the advanced metrics: one answer, its three figures as JSON."""

import json

from turnmark.clinical import compute_advanced_metrics

SLOTS = {
    "age": 67,
    "sex": "female",
    "primary_condition": "Type 2 Diabetes",
    "key_meds": ["metformin 500mg"],
    "key_labs": {"hba1c": "7.2%"},
    "allergies": ["penicillin"],
}
ANSWER = (
    "At 67 with type 2 diabetes and an HbA1c of 7.2%, keep taking metformin 500 mg with meals, "
    "and avoid penicillin, to which you are allergic."
)

if __name__ == "__main__":
    results = compute_advanced_metrics(
        answer=ANSWER, question="What about my medication?", slots_truth=SLOTS, turn_id=2
    )
    print("Testing Advanced Metrics Calculator...")
    print(json.dumps(results, ensure_ascii=False, indent=2))
