"""Clinical metrics in Python: one answer and the patient's record in, the guide's dictionaries out.

>>> from turnmark.clinical import compute_advanced_metrics
>>> found = compute_advanced_metrics(
...     answer="Your HbA1c of 7.9% is a little high.",
...     question="How are my results?",
...     slots_truth={"age": 67, "key_labs": {"hba1c": "7.2%"}},
...     turn_id=2,
... )
>>> found["SFS"]["score"], found["SFS"]["hallucinated_details"][0]["quote"]
(0.0, 'HbA1c of 7.9%')
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from turnmark.detectors.clinical.facts.detector import unresolved_mentions
from turnmark.detectors.clinical.utterance import extract_facts, read_utterance
from turnmark.packs.terminology import terminology
from turnmark.suites.clinical.answer import ClinicalConfig, evaluate_answer, load_config

__all__ = ["compute_advanced_metrics", "extract_facts", "terminology", "unresolved_mentions"]


def compute_advanced_metrics(
    answer: str,
    question: str,
    slots_truth: Mapping[str, Any],
    turn_id: int,
    config_dir: str | Path | None = None,
) -> dict[str, dict[str, Any]]:
    """SFS, CSP and CUS_improved of one answer, as the guide to the advanced metrics shapes them.

    Args:
        answer: What the assistant said.
        question: What the patient asked in this turn.
        slots_truth: The patient's record; values as they come (``"131mmHg"``, ``6.24``, lists, nested objects).
        turn_id: The turn, from 1.
        config_dir: A folder with ``safety_rules.yaml``, ``required_slots_by_turn.yaml``, ``fact_weights.yaml``,
            ``slots.yaml``; files that it lacks, and all of them without a folder, are those that come with turnmark.
            The files are read once.

    Returns:
        ``{"SFS": …, "CSP": …, "CUS_improved": …}``; every ``score`` is between 0 and 1.

    Raises:
        PackError: The folder holds none of the files, or one that cannot be read. Single rules that are wrong are left
            out, each with a warning that names file, line and field.

    """
    config = _config(Path(config_dir).resolve() if config_dir is not None else None)
    return evaluate_answer(read_utterance(answer, slots_truth, question, config.slots), turn_id, config).results


@functools.cache
def _config(folder: Path | None) -> ClinicalConfig:
    config, problems = load_config(folder)
    for problem in problems:
        if problem.severity == "error":
            warnings.warn(str(problem), stacklevel=3)
    return config
