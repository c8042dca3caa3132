"""What an answer says of a patient's body without naming a disease: you are diabetic, your kidneys are healthy."""

from __future__ import annotations

import re
from functools import cache

from turnmark.detectors.clinical.read.mentions import Mention
from turnmark.detectors.clinical.read.terms import condition_term
from turnmark.detectors.clinical.read.vocabulary import Named
from turnmark.packs.clinical_anatomy import anatomy
from turnmark.packs.clinical_facts import words

_YOU_ARE = (
    r"\b(?:you are|you're|you aren't|you were|being)"
    r"(?: also| already| still| both| indeed| not| known to be| neither)* "
)
_ENDS = r"(?= *(?:[.,;:!)]|$|\n)| (?:so|and|or|but|nor|with|which|as|since|because|for|who)\b)"
_TROUBLE = r"(?:problems?|issues?|trouble|disease|diseases|disorders?|conditions?)"
_FINE = (
    r"(?:healthy|fine|in good shape|in good health|in good order|working well|working normally|functioning normally)"
)
_OPENS = r"(?:^|[.,;:!?\n。,;:!?]) *(?:and |but |so |also |luckily |fortunately |as |since |because )?"


_NO_TROUBLE_KO = r"(?:문제|이상|질환|질병|병)(?:가|이|은|는|도)? ?없(?:으시|으십|으세|습|어요|네요|고|으니)"
_OPENS_KO = r"(?:(?:환자분|고객님|회원님)(?:은|의)? |현재 |지금 |다행히 |그리고 |기록상 |기록에 따르면 )*"
_NO_TROUBLE_ZH = r"(?:没有|没|无)(?:什么|任何|明显)*(?:问题|疾病|毛病|异常)"
_HAS_NO = r"(?:have no|do not have any|don't have any|have never had any|do not have|don't have)"
_PARTICLE_KO = "(?:에는|에|은|는|쪽에는|쪽은)"
_ENDS_ZH = "(?=[。.,,;!]|$)"
_FORMS = (
    rf"{_OPENS}(?P<said>your PART (?:is|are)(?: both| all| perfectly| completely)* {_FINE}){_ENDS}",
    rf"{_OPENS}(?P<said>there is nothing wrong with your PART){_ENDS}",
    rf"\byou {_HAS_NO} (?:known |history of )*(?P<said>PART {_TROUBLE}){_ENDS}",
    rf"{_OPENS}{_OPENS_KO}(?P<said>PART{_PARTICLE_KO} ?(?:(?:아무런?|별다른|별|특별한|다른|큰) ?)*{_NO_TROUBLE_KO})",
    rf"[您你]的?(?:目前|现在)?(?P<said>PART(?:方面|功能)?(?:一直|目前|现在)?都?(?:{_NO_TROUBLE_ZH}|是?很?健康的?)){_ENDS_ZH}",
    rf"[您你](?:目前|现在|并|一直)*(?:没有|没得过|没患过)(?:任何|什么)*(?P<said>PART(?:方面)?的?(?:问题|疾病|毛病)){_ENDS_ZH}",
)
"""A part of the patient's body that is said to have no trouble; what precedes PART or follows keeps out other subjects,
suppositions and aims (this medicine is safe for the heart, to keep your kidneys healthy)."""


@cache
def _adjectives() -> tuple[re.Pattern[str], dict[str, str]]:
    """The pattern of an adjective said of the patient, and the condition that each says."""
    of = {word: condition for condition, listed in anatomy().adjectives.items() for word in words(listed)}
    named = "|".join(sorted(map(re.escape, of), key=len, reverse=True))
    return re.compile(f"{_YOU_ARE}(?P<adjective>{named}){_ENDS}"), of


def adjectives(text: str) -> list[Named]:
    """The adjectives by which a folded text says a condition of the patient, as names of that condition."""
    pattern, of = _adjectives()
    return [
        Named(*match.span("adjective"), (condition_term(of[match["adjective"]]),)) for match in pattern.finditer(text)
    ]


@cache
def _without_trouble() -> tuple[re.Pattern[str], dict[str, str]]:
    """The pattern of a part of the patient's body that is said to have no trouble, and the condition denied by it."""
    of = {
        word: organ.condition for organ in anatomy().organs.values() if organ.condition for word in words(organ.words)
    }
    part = "|".join(sorted(map(re.escape, of), key=len, reverse=True))
    forms = [form.replace("PART", f"(?P<part{number}>{part})") for number, form in enumerate(_FORMS, 1)]
    said = "|".join(form.replace("(?P<said>", f"(?P<said{number}>") for number, form in enumerate(forms, 1))
    return re.compile(said), of


def organs_without_trouble(text: str) -> list[Mention]:
    """Where a folded text says that a part of the patient's body has no trouble, as denied conditions of that part."""
    pattern, of = _without_trouble()
    results: list[Mention] = []
    for match in pattern.finditer(text):
        form = next(number for number in range(1, len(_FORMS) + 1) if match[f"said{number}"])
        span = match.span(f"said{form}")
        term = condition_term(of[match[f"part{form}"]])
        results.append(Mention("condition", *span, (term,), named_at=span, absent=True))
    return results
