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
    """The text of an answer: statements for sentences, verdicts for checks, reviews, grades for rubrics."""
    data = data_of(body)
    if "record" in data:
        return json.dumps({"entries": [review_entry(name, data) for name in data["answer_only"]]}, ensure_ascii=False)
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
            entries.append({"id": f"{check['check']}.{item}", **verdict(check, item, named, question_of(check, data))})
    return json.dumps({"verdicts": entries}, ensure_ascii=False)


def question_of(check, data):
    """The question of a check: its own, where a request holds several."""
    return data["questions"].get(check.get("question"), "") if "questions" in data else data["question"]


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


_STATED = re.compile(
    r"(?P<name>hba1c|potassium|metformin|warfarin)\D{0,12}?(?P<value>[0-9]+(?:[.][0-9]+)?)", re.IGNORECASE
)
_KINDS = {"hba1c": "lab", "potassium": "lab", "metformin": "medication", "warfarin": "medication"}
_AGAINST = ("avoid", "피하", "避免", "不要")


def review_entry(name, data):
    """One entry of a review: named values with their number; a thing in a sentence that does not warn of it."""
    if name in data.get("sentences", {}):
        record = json.dumps(data["record"], ensure_ascii=False).lower()
        told = " ".join([*data["told_before"], data["question"]]).lower()
        facts = [
            {
                "kind": _KINDS[found["name"].lower()],
                "value": f"{found['name'].lower()} {found['value']}",
                "quote": found[0],
                "of_patient": "for example" not in data["sentences"][name].lower(),
                "record": known(found, record),
                "told": known(found, told),
            }
            for found in _STATED.finditer(data["sentences"][name])
        ]
        return {"id": name, "facts": facts, "reason": "", "quote": "", "label": "none"}
    rule = data["rules"][name]
    said = [*data["sentences"].values()] if "sentences" in data else re.findall(r"[^.。\n]+[.。]?", data["answer"])
    phrases = [phrase.lower() for thing in rule["things"] for phrase in thing]
    hits = [one for one in said if any(phrase in one.lower() for phrase in phrases)]
    if rule["kind"] == "forbids":
        hits = [one for one in hits if not any(word in one.lower() for word in _AGAINST)]
    broken = bool(hits) == (rule["kind"] == "forbids")
    quote = hits[0].strip() if hits else ""
    return {
        "id": name,
        "facts": [],
        "reason": "by its words",
        "quote": quote,
        "label": "violated" if broken else "kept",
    }


def known(found, text):
    if found["name"].lower() not in text:
        return "silent"
    return "agrees" if found["value"] in text else "contradicts"
