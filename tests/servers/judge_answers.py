"""Answers to the prompts of the judge by simple rules, as a model that keeps to the form would give them."""

import json
import re
from itertools import pairwise

_WORDS = re.compile(r"[a-z0-9]+|[\u3400-\u9fff\uac00-\ud7a3]")


def data_of(body):
    """What stands in the last data block of a request."""
    text = next(message["content"] for message in body["messages"] if "<data>" in message["content"][:7])
    return json.loads(text.removeprefix("<data>\n").removesuffix("\n</data>"))


def units(text):
    words = _WORDS.findall(text.lower())
    return set(words) | {f"{one} {other}" for one, other in pairwise(words)}


def covered(statement, text):
    mine = units(statement)
    return len(mine & units(text)) / len(mine) if mine else 0.0


def judge_answer(body):
    """The text of an answer: statements for sentences, verdicts for checks, grades for rubrics."""
    data = data_of(body)
    if "sentences" in data:
        ids = data.get("answer_only") or list(data["sentences"])
        entries = [{"id": name, "statements": [data["sentences"][name].strip()]} for name in ids]
        return json.dumps({"sentences": entries}, ensure_ascii=False)
    if "checks" not in data:
        return json.dumps({"grades": [{"id": "1", "reason": "clear", "quote": "", "score": 4}]})
    named = data["texts"] | data["statements"]
    entries = []
    for check in data["checks"]:
        for item in check["items"]:
            entries.append({"id": f"{check['check']}.{item}", **verdict(check, item, named, data["question"])})
    return json.dumps({"verdicts": entries}, ensure_ascii=False)


def verdict(check, item, named, question):
    said = named[item]
    if check["relation"] == "relevance":
        label = "relevant" if covered(question, said) >= 0.3 else "irrelevant"
        return {"reason": "shares words", "text": item, "quote": said[:12], "label": label}
    if check["relation"] == "directness":
        return {
            "reason": "",
            "text": "",
            "quote": "",
            "label": "direct" if covered(question, said) > 0.1 else "related",
        }
    best = max(check["texts"], key=lambda name: covered(said, named[name]))
    share = covered(said, named[best])
    label = "supported" if share >= 0.9 else "undetermined"
    if check["relation"] == "conflict":
        label = "undetermined"
    elif label != "supported" and share > 0.6 and check["relation"] != "sameness":
        label = "contradicted"
    return {
        "reason": f"{share:.2f} covered",
        "text": best,
        "quote": named[best][:20] if share > 0.3 else "",
        "label": label,
    }
