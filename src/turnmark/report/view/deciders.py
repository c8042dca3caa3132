"""Who decided, in words, where several judges shared the work."""

from __future__ import annotations

from turnmark.locale.texts import ENGLISH, Texts, filled
from turnmark.report.view.tables import known_metric
from turnmark.schemas.results.summary import EvalSummary


def judge_named(name: str, texts: Texts = ENGLISH) -> str:
    """A judge as verdicts name it, in words: by rules, by the inference model NAME, by the model NAME."""
    kind, _, model = name.partition(":")
    if kind == "llm":
        return filled(texts, "decided_by_model", name=model)
    if kind == "nli":
        return filled(texts, "decided_by_inference", name=model)
    return texts["decided_by_rules"] if kind == "rules" else name


def decider_lines(summary: EvalSummary, texts: Texts = ENGLISH) -> list[str]:
    """A sentence for every metric: how many verdicts each judge gave, and where a model said otherwise."""
    lines = []
    for name, deciders in summary.deciders.items():
        metric = known_metric(name)
        counts = [
            filled(texts, "decided_count", judge=judge_named(judge, texts), count=count)
            for judge, count in deciders.decided.items()
        ]
        if deciders.open:
            counts.append(filled(texts, "decided_by_none", count=deciders.open))
        line = filled(texts, "deciders", metric=metric.code if metric else name, counts=", ".join(counts))
        if deciders.audited:
            line += " " + filled(texts, "deciders_audited", count=deciders.audited, contradicted=deciders.contradicted)
        lines.append(line)
    return lines
