"""Operations by the part of the body and what was done to it: 담낭을 떼어내는 수술 is a cholecystectomy.

A procedure of the terminology and one that is told in plain words have the same id, "gallbladder:removal"; what holds
it is the operation of that part ("gallbladder:operation"), the same act on what the part lies in ("joint:replacement")
and, where it is surgery, `SURGERY`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from turnmark.detectors.clinical.read.shared_scan import answer_words
from turnmark.detectors.clinical.read.terms import Term
from turnmark.language.later import later
from turnmark.language.match.matcher import Matcher
from turnmark.packs.clinical_anatomy import anatomy
from turnmark.packs.clinical_facts import words

SURGERY = "operation"
"""What every operation is a kind of."""
_REACH = 40
"""Characters between a part of the body and what was done to it."""
_BEHIND = later(
    r"(?:'s)?(?: (?:was|were|is|are|has|have|had|been|got|also|already|not|never|once|both|partly|completely|surgically"
    r"|joints?|glands?|valves?|arter(?:y|ies)|vessels?|total|partial|full|open|keyhole|robotic|laparoscopic))*[ -]?"
    r"|(?: ?(?:혈관|관절|판막|동맥|전체|일부))?(?:에는|에|을|를|이|가|은|는|의|쪽)?"
    r"(?: ?(?:완전히|모두|이미|예전에|부분적으로|전부|일부|전|부분|로봇|복강경))*[ -]?"
    r"|(?:血管|动脉|关节|全部|部分|里面|里|内|中|上|的|已经|早就|都|也|已|曾经|曾|以前|没有|没|做过|做了|放过|放了|装过|装了|被|进行过|全)*"
)
_BEFORE = later(
    r"(?: (?:of|in|on|for|to|into|onto|put|placed|inserted|one|part|some|a|an|your|the|both|left|right))* "
    r"| ?(?:왼쪽|오른쪽|양쪽)? ?|(?:过|了|掉|的|您|左|右|双|侧|一|人工|部分|全部)*"
)
_STARTS_NAME = later("(?<![가-힣])|(?<=[전좌우측])")
"""Where a name in one word may begin: 병변부위절제술 is none of the stomach (위)."""
_GROWTH = later(
    r" (?:stones?|polyps?|tumou?rs?|cysts?|nodules?|lesions?|mass|fibroids?)\b"
    r"|结石|息肉|肿瘤|肿物|囊肿|结节|肌瘤|瘤"
)
"""Behind a part: what grows in it was removed, not the part."""
_DETERMINERS = (
    r"(?:(?:a|an|the|your|one|two|both|any|part|of|left|right|bilateral|total|partial|full|open|emergency|major|minor"
    r"|previous|prior|successful|elective|laparoscopic|keyhole|robotic|radical|simple|double|new) )*$"
)
_YOU = (
    r"(?<!have )(?<!once )(?<!until )(?<!after )(?<!before )(?<!when )(?<!unless )(?<!whether )(?<!if )(?<!should )\b"
    r"(?:you(?:'ve| have)?|and|having)"
)
_HAD_BEFORE = later(
    rf"(?:{_YOU}(?: also| already| once| previously| recently)? (?:had|underwent|undergone|received) "
    r"|\b(?:chart|records?|file|history|notes?) (?:also )?(?:shows?|lists?|says?|mentions?|includes?) "
    rf"|\b(?:history of|s/p|status post|your previous|your past|your earlier|your prior) ){_DETERMINERS}"
    r"|(?<![人者都])(?:做过|做了|接受过|接受了|动过|进行过|有过)(?:一次|一个|双|左|右|侧|人工|全|的)*$"
)
_HAS_BEFORE = later(rf"{_YOU} (?:also )?(?:have |got )?{_DETERMINERS}")
_PART_HAD = later(r"artificial|prosthetic|stent|pacemaker|implant")
_HAD_INSIDE = later(r"\b(?:was|were|has been|have been|had been|been)\b|过|了|已")
_HAD_BEHIND = later(
    r"(?:하는|는)?(?: ?(?:수술|시술|삽입술|삽입))?(?:을|를|도|이|가|은|는)? ?"
    r"(?:이미 |예전에 |과거에 |전에 |작년에 |한 번 )*"
    r"(?:받으셨|받으신|받은|받았|받으시고|하셨|하신|했|넣으셨|넣으신|넣었|넣은|심으셨|이력|병력|바꾸셨|교체하셨)"
    r"|셨|신 ?적이 있|었|았"
    r"|(?:手术|术)?(?:史|过|了(?!解))"
)
_NOT_SAID = later(
    r"[가-힣 ]{0,6}?(?:사람|분들|환자|경우|다면|으면|는지|예정|계획|뒤에|후에)"
    r"|的(?:人|患者|病人)|[^.,;!?]*\b(?:discussed|planned|scheduled|booked|considered|offered|recommended|suggested"
    r"|by mistake)\b"
)
"""Behind an operation: it is told of others, supposed, or not done yet."""
_DENIED_BEFORE = later(
    r"(?:(?:\b(?:not|never)|n't) (?:yet |ever )?"
    r"(?:had|have|undergone|underwent|received|show|list|mention|include|record) "
    r"|\byou(?:'ve| have)?(?: had| have)? no (?:prior |previous |known |history of |record of )*"
    r"|\bno (?:record|history|mention|evidence|sign) of |\b(?:see|find|shows?|lists?|mentions?) no )"
    rf"{_DETERMINERS}|(?:没有|没|未|从未)(?:做过|做|接受过|动过|进行过|有过)(?:双|左|右|侧|人工|全|的)*$"
)
_DENIED_INSIDE = later(r"\b(?:not|never)\b|没")
_DENIED_BEHIND = later(
    r"(?:하|하는|는)?(?: ?(?:수술|시술))?(?:을|를|은|는|이|도)? ?(?:한 ?번도 |아직 |전혀 )*"
    r"(?:(?:받으신|받은|하신|한|신) ?(?:적|일|경험|이력|기록)(?:이|은|도)? ?없|안 (?:받|하)|받지 않으|하지 않으"
    r"|(?:이력|기록|병력)(?:이|은|도) ?없)"
)
_NEVER = later(
    r"(?<![a-z])(?:you have never|you've never|you never|having never)(?: had| undergone)"
    r"(?: any| an| a)?(?: kind of)? (?:surgery|surgeries|operations?)(?= *(?:[.,;!]|$|so\b|and\b|but\b|before[.,]))"
    r"|(?<![a-z])you have not had any (?:surgery|surgeries|operations?)(?= *(?:[.,;!]|$))"
    r"|(?<![a-z])you have no (?:history of surgery|surgical history)(?= *(?:[.,;!]|$))"
    r"|(?:(?<=^)|(?<=[.,!\n] )|(?<=환자분은 )|(?<=님은 ))(?:지금까지 |여태까지? |이제까지 |한 ?번도 |아직 )*"
    r"(?:외과 )?수술(?:을|은)? ?(?:한 ?번도 )?"
    r"(?:(?:받으신|받은|하신|한) ?(?:적|일|경험)(?:이|은|도)?|(?:이력|병력)(?:이|은|도)) ?"
    r"없(?=으시|으십|으세|습니|어요|네요|고|으니)"
    r"|您(?:从来|从|以前|过去|至今)?都?(?:没有|没|未)(?:做过|动过|接受过|开过)(?:任何)?(?:手术|刀)(?=[。.,!;]|$)"
    r"|您(?:没有|无)手术史"
)
"""That there was never any operation: of no part of the body and no time alone."""
_NEAR = 48
"""Characters before an operation in which it is told whether it was done."""
_NOT_YET = later(r"\b(?:once|until|after|before|when|if|unless|whether|as soon as) (?:your |the )?(?:left |right )?$")
"""Before an operation: told of the time when it will have been done, or supposed."""
DONE, DENIED = "done", "denied"


class Operation(NamedTuple):
    """An operation told in plain words; offsets of the folded text."""

    start: int
    end: int
    term: Term


@cache
def procedure_term(entry: str, name: str, slot: str) -> Term:
    """What a procedure of the terminology stands for in a slot."""
    ids: set[str] = set()
    broader: set[str] = set()
    composed = _composed_names().get(name)
    for told in anatomy().procedures.get(entry, [composed] if composed else []):
        organ, _, act = told.partition(" ")
        term = _term(organ, act or SURGERY)
        ids |= term.ids if act else set()
        broader |= term.broader if act else term.ids | term.broader
    return Term(slot, frozenset(ids or (entry,)), frozenset(broader), name)


@cache
def _composed_names() -> dict[str, str]:
    """Names of operations in one word, of a combining form and an ending, by organ and act: nephrectomy, 신절제술."""
    known = anatomy()
    return {
        stem + ending: f"{organ} {act}"
        for organ, part in known.organs.items()
        for stem in words(part.stems)
        for act, done in known.acts.items()
        for ending in words(done.endings)
        if stem.isascii() == ending.isascii()
    }


@cache
def _term(organ: str, act: str) -> Term:
    known = anatomy()
    holding = [organ]
    while within := known.organs[holding[-1]].within:
        holding.append(within)
    own = f"{organ}:{act}"
    broader = {f"{part}:{done}" for part in holding for done in (act, SURGERY)} - {own}
    if known.acts[act].surgical:
        broader.add(SURGERY)
    return Term("surgery", frozenset((own,)), frozenset(broader), f"{organ} {act}")


@cache
def operation_words() -> Matcher[tuple[str, str]]:
    """Finds parts of the body and what is done to them."""
    known = anatomy()
    pairs = [(word, ("organ", name)) for name, organ in known.organs.items() for word in words(organ.words)]
    for name, act in known.acts.items():
        pairs += [(word, ("behind", name)) for word in words(act.behind)]
        pairs += [(word, ("before", name)) for word in words(act.before)]
    pairs += [(name, ("whole", told)) for name, told in _composed_names().items()]
    return Matcher(pairs, shared=answer_words())


def operations_in(text: str) -> Iterator[Operation]:
    """The operations that a folded text tells by a part of the body and what was done to it; they may overlap."""
    hits = operation_words().find(text)
    for start, end, (role, told) in hits:
        if role == "whole" and _STARTS_NAME.match(text, start):
            organ_name, _, act_name = told.partition(" ")
            yield Operation(start, end, _term(organ_name, act_name))
    organs = [hit for hit in hits if hit.payload[0] == "organ"]
    acts = [hit for hit in hits if hit.payload[0] in ("behind", "before")] if organs else []
    for organ in organs:
        for act in acts:
            behind = act.payload[0] == "behind"
            first, last = (organ, act) if behind else (act, organ)
            gap = last.start - first.end
            joined = 0 <= gap <= _REACH and (_BEHIND if behind else _BEFORE).fullmatch(text, first.end, last.start)
            if joined and (behind or not _GROWTH.match(text, last.end)):
                yield Operation(first.start, last.end, _term(organ.payload[1], act.payload[1]))


def told_of(text: str, start: int, end: int) -> str:
    """Whether the words right around an operation tell it as `DONE`, as `DENIED`, or neither ("").

    What is planned, weighed, discussed or declined is neither.
    """
    first = max(0, start - _NEAR)
    if (
        _DENIED_INSIDE.search(text, start, end)
        or _DENIED_BEFORE.search(text, first, start)
        or _DENIED_BEHIND.match(text, end)
    ):
        return DENIED
    behind = _HAD_BEHIND.match(text, end)
    has = _PART_HAD.match(text, start) and _HAS_BEFORE.search(text, first, start)
    told = behind or has or _HAD_INSIDE.search(text, start, end) or _HAD_BEFORE.search(text, first, start)
    unsaid = _NOT_YET.search(text, first, start) or _NOT_SAID.match(text, behind.end() if behind else end)
    return DONE if told and not unsaid else ""


def is_general(term: Term) -> bool:
    """Whether an operation is told without what was done: knee surgery."""
    return any(name.endswith(f":{SURGERY}") for name in term.ids)


def denials_of_surgery(text: str) -> Iterator[tuple[int, int]]:
    """Where a folded text says of the patient that there was never any operation."""
    return (match.span() for match in _NEVER.finditer(text))
