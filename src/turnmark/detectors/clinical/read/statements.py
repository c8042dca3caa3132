"""What an answer says with a mention: that this patient has it, does not have it, or nothing about this patient.

Cues are data (``packs/clinical/statements.yaml``). A cue governs a mention when it stands on its side and within its
reach; of kinds that compete, the nearest wins. Where nothing tells, a mention of what the record holds is taken as said
of the patient ("metformin goes with dinner"), and one of what it does not hold as no claim ("ibuprofen goes with
food").
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cache
from typing import NamedTuple

from turnmark.detectors.clinical.read.shared_scan import answer_words
from turnmark.language.later import later
from turnmark.language.text.fold import fold_text
from turnmark.packs.clinical_facts import statement_cues, words

_FAR = 10_000
_SENTENCE, _CLAUSE = -2, -1
_POSSIBLE_BEFORE = ("수 ", "수도 ", "때도 ", "때가 ", "경우도 ", "경우가 ")
_AFTER_PARTICLE = ("은 ", "는 ", "을 ", "를 ", "이 ", "가 ", "도 ")
_OTHERWISE_BEHIND = (("있", _POSSIBLE_BEFORE), ("같은", _AFTER_PARTICLE), ("without", ("go ",)))
"""Not had: 알 수 있어요, 그럴 때도 있어요; no example: 위고비는 같은 요일에; not lacked: don't go without warfarin."""
# What is absent is another thing than the one that is spoken of: 줄일 이유가 없습니다, no need for, 没有必要.
_NONE_OF = later(
    "(?:이유|필요|문제|걱정|지장|영향|이상|관계|상관|수|부작용|변화|차이|무리|탈|해|의미|까닭|부담|여유|시간|도리|방법|불편|효과|근거|상호작용|문제점|연관|관련|일)"
    "(?:은|는|이|가|도|까지|까지는)? ?$"
)
_NO_NEED = later(
    "(?:good |real |clear |medical |particular |longer )?"
    "(?:need|reason|problem|trouble|matter|doubt|change|issue|harm|rush|hurry|more than|wonder|point|effect"
    "|interaction)"
    "|必要|问题|关系|影响|变化|什么|办法|区别|理由|好处|副作用|不适|大碍|异常|需要|特别|明显|冲突"
)
_AIMS = ("target", "goal", "목표", "目标")
# 8.1% is above target, 목표보다 높고, 高于目标: no target itself.
_BESIDE_AIM = later(
    r"(?:\b(?:above|over|off|beyond|near|at|within|on|past|under|below|from)(?: the| your)? "
    "|(?:高于|低于|大于|小于|超过|超出|接近|达到|偏离|高过|未达|没达到|未达到|未到|没到)(?:您的)?(?:血压|血糖|治疗)?)$"
)
_OVER_AIM = later(
    "목표(?:치|값|수치)?(?:보다|[를을] ?(?:넘|초과|웃|벗어|달성했)|에서 벗어"
    "|에 ?(?:못|미치|가깝|도달했|도달하셨|들어왔|들어와|맞))"
)
_DENIALS = ("없", "no ", "没有", "无", "并无", "without")
_PARTED = later("[0-9|\n]")
_ACTS_ON = later(
    r"\b(?:treat|cur|caus|prevent|trigger|worsen|heal|revers|reliev|improv|eas|affect|help)(?:e|es|s|ing)?\b"
    "|治|引起|引发|导致|预防|诱发|加重|缓解|改善|影响|针对"
)
_ACTS_ON_KO = later(
    "낫게|고치|고칠|치료하|치료할|예방하|예방할|일으키|유발하|완화하|개선하|악화시키|에 ?(?:좋은|나쁜|해로운|듣는|도움)"
)
"""What stands between a denial and what is not denied: no diet treats asthma, 천식에 좋은 음식은 없습니다."""
NO_WORD = "no word of the patient"
_PREDICATE = 9
"""Characters of one Korean predicate, over which its last word decides."""
_BARELY = 12
"""Characters within which "may" and "prevent" also govern a condition that the record holds."""


class Role(NamedTuple):
    """What a cue word does: its kind, its side of the mention, and its reach (characters, or clause or sentence)."""

    kind: str
    before: bool
    reach: int
    within_clause: bool


class Roles(NamedTuple):
    """What a cue word does with a mention behind it, and with one before it."""

    before: tuple[Role, ...]
    behind: tuple[Role, ...]


class Cue(NamedTuple):
    """A cue found in a folded text."""

    start: int
    end: int
    roles: Roles


class PatientStatement(NamedTuple):
    """Whether a mention is claimed of this patient, whether as absent, and the cue kind that decided."""

    of_patient: bool
    denied: bool = False
    reason: str = ""


@cache
def statement_words() -> tuple[int, list[Roles], list[bool], list[bool]]:
    """The number of the finder of cues, and of each cue its roles, whether it is Latin, and whether it asks more."""
    roles: dict[str, list[Role]] = {}
    reaches = {"sentence": _SENTENCE, "clause": _CLAUSE}
    for cue in statement_cues().cues:
        reach = reaches[cue.reach] if isinstance(cue.reach, str) else cue.reach
        for word in words(cue.words):
            roles.setdefault(fold_text(word), []).append(
                Role(cue.kind, cue.side == "before", reach, cue.within == "clause")
            )
    result = list(roles)
    latin = [word[0].isascii() and word[0].isalpha() for word in result]
    # Only these ask what stands around them.
    asking = [
        bounded
        or word.endswith((":", "지 않"))
        or word[0] == "있"
        or word == "같은"
        or word.startswith((*_DENIALS, *_AIMS))
        for word, bounded in zip(result, latin, strict=True)
    ]
    sides = [
        Roles(
            tuple(role for role in roles[word] if role.before), tuple(role for role in roles[word] if not role.before)
        )
        for word in result
    ]
    return answer_words().add(result), sides, latin, asking


def _means_otherwise(text: str, start: int, end: int) -> bool:
    """Whether what stands around a cue gives it another meaning."""
    for word, before in _OTHERWISE_BEHIND:
        if text.startswith(word, start):
            return text.endswith(before, max(0, start - 4), start)
    if text.startswith(_AIMS, start):
        return bool(_BESIDE_AIM.search(text, max(0, start - 12), start) or _OVER_AIM.match(text, start))
    if text.endswith("지 않", start, end):
        # 드시지 않아도 됩니다: need not, which says nothing of what is done.
        return text.startswith(("아도", "으셔도"), end)
    if text.startswith("없", start):
        return _NONE_OF.search(text, max(0, start - 8), start) is not None
    return text.startswith(_DENIALS, start) and _NO_NEED.match(text, end) is not None


def find_statement_cues(text: str) -> list[Cue]:
    """Return the cues of a folded text by start; they may overlap."""
    finder, roles, latin, asking = statement_words()
    cues: list[Cue] = []
    size = len(text)
    for word, start, end in answer_words().find(finder, text):
        if not asking[word]:
            cues.append(Cue(start, end, roles[word]))
            continue
        if latin[word] and (
            (start and text[start - 1].isascii() and text[start - 1].isalnum())
            or (end < size and text[end - 1] not in " '" and text[end].isascii() and text[end].isalnum())
            or text[end : end + 2] == "'s"
            # Beta blockers such as yours.
            or (text.startswith("such as", start) and text.startswith(" your", end))
            # As someone with gout, you …
            or (text.startswith("someone", start) and text.endswith("as ", 0, start))
        ):
            continue
        if start and text[end - 1] == ":" and "가" <= text[start] <= "힣" and "가" <= text[start - 1] <= "힣":
            # 변비약: is no label of medicines.
            continue
        if _means_otherwise(text, start, end):
            continue
        cues.append(Cue(start, end, roles[word]))
    cues.sort()
    return cues


class Governing(NamedTuple):
    """How far the nearest cue of each kind is that governs a mention, in characters, before it and behind it."""

    before: dict[str, int]
    behind: dict[str, int]

    def nearest(self, kind: str) -> int:
        """Return the distance of the nearest cue of a kind; very far when there is none."""
        return min(self.before.get(kind, _FAR), self.behind.get(kind, _FAR))

    def has(self, kind: str) -> bool:
        """Tell whether a cue of the kind governs."""
        return kind in self.before or kind in self.behind


class StatementReader:
    """Reads the statements of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.cues = find_statement_cues(text)
        self._starts = [cue.start for cue in self.cues]

    def stands_by(self, kinds: tuple[str, ...], start: int, end: int) -> bool:
        """Tell whether a cue of some kinds stands close to a span."""
        for cue in self.cues[bisect_left(self._starts, start - 30) : bisect_right(self._starts, end + 10)]:
            for role in (*cue.roles.before, *cue.roles.behind):
                if role.kind not in kinds:
                    continue
                first, last = (cue.end, start) if role.before else (end, cue.start)
                # Over another number, or into another cell or line, no cue reaches.
                if 0 <= last - first <= role.reach and _PARTED.search(self.text, first, last) is None:
                    return True
        return False

    def governing(
        self, span: tuple[int, int], clause: tuple[int, int], sentence: tuple[int, int], own: tuple[int, int]
    ) -> Governing:
        """Return the cues that govern a span.

        Args:
            span: The mention.
            clause: Its clause.
            sentence: Its sentence.
            own: The stretch between the numbers beside it, when it is a value: cues that reach a number of characters
                do not reach over another number.

        """
        (start, end), (clause_start, clause_end), (own_start, own_end) = span, clause, own
        before: dict[str, int] = {}
        behind: dict[str, int] = {}
        first = bisect_left(self._starts, sentence[0])
        last = bisect_right(self._starts, sentence[1])
        for cue_start, cue_end, roles in self.cues[first:last]:
            # The last letter of a name may open the cue: 임신|중이시.
            if cue_end <= start:
                if roles.before:
                    distance = start - cue_end
                    # Over another number no cue reaches that counts characters.
                    counted = distance if cue_start >= own_start else _FAR
                    for kind in _reaching(roles.before, counted, cue_start >= clause_start):
                        if kind != "absence" or _ACTS_ON.search(self.text, cue_end, start) is None:
                            before[kind] = distance
            elif roles.behind and cue_start >= end - 1 and cue_end > end:
                distance = max(0, cue_start - end)
                counted = distance if cue_end <= own_end else _FAR
                for kind in _reaching(roles.behind, counted, cue_start < clause_end):
                    if kind != "absence" or _ACTS_ON_KO.search(self.text, end, cue_start) is None:
                        behind.setdefault(kind, distance)
        return Governing(before, behind)


def _reaching(roles: tuple[Role, ...], counted: int, in_clause: bool) -> list[str]:
    """The kinds of the roles that reach a mention at a distance, in its clause or in another one."""
    if in_clause:
        return [kind for kind, _, reach, _ in roles if reach < 0 or counted <= reach]
    return [
        kind
        for kind, _, reach, within_clause in roles
        if reach == _SENTENCE or (counted <= reach and not within_clause)
    ]


def is_of_other(governing: Governing, caregiver: bool) -> bool:
    """Tell whether the nearest person named before a mention is someone else, who does not merely advise."""
    if caregiver or "self" in governing.behind:
        return False
    if "other" in governing.behind:
        return True
    other = governing.before.get("other", _FAR)
    if other == _FAR:
        return False
    # A word that holds another stands as near: 옆 침대 어르신 and 어르신.
    if governing.before.get("self", _FAR) < other:
        return False
    return governing.before.get("agent", _FAR) > other


def _first(governing: Governing, kinds: tuple[str, ...]) -> str:
    """Return the first of some kinds that governs, or an empty text."""
    return next((kind for kind in kinds if governing.has(kind)), "")


def _is_affirmed(governing: Governing) -> bool:
    """Tell whether a denial is itself denied: 없으신 건 아니니, not without."""
    affirmed = governing.nearest("affirmed")
    return affirmed < _FAR and affirmed <= governing.nearest("absence")


def read_medication(governing: Governing, *, in_record: bool) -> PatientStatement:
    """Tell what is said with a medicine: taken or not taken by the patient, or only spoken of."""
    spoken_of = _first(governing, ("example", "report") if in_record else ("example", "population", "ask", "suppose"))
    # "If you had asthma I would rethink propranolol" supposes the asthma.
    if not spoken_of and in_record and governing.nearest("suppose") <= _BARELY:
        spoken_of = "suppose"
    if not spoken_of and "population" in governing.before:
        spoken_of = "population"
    if not spoken_of and governing.has("stopped") and governing.has("condition"):
        spoken_of = "condition"
    if spoken_of:
        return PatientStatement(False, reason=spoken_of)
    if governing.has("stopped"):
        # Taken once: a record that holds it says otherwise, and one that does not holds no such past.
        return PatientStatement(True, denied=in_record, reason="stopped")
    rivals = {kind: governing.nearest(kind) for kind in ("absence", "avoid", "start")}
    rival = min(rivals, key=rivals.__getitem__)
    if rival == "absence" and rivals["absence"] < _FAR:
        return PatientStatement(True, denied=not _is_affirmed(governing), reason="absence")
    if in_record:
        return PatientStatement(True, reason="in the record")
    taken = min(governing.nearest("take"), governing.nearest("affirmed"))
    if "start" not in governing.behind:
        # 饭后吃，一天两次就行: what is said of when to take it is advice.
        taken = min(taken, governing.nearest("habit"))
    # Of two words that begin at one place the longer says more: 시작하셨 and 시작.
    begun = rival == "start" and governing.behind.get("take", _FAR) == rivals[rival]
    if taken < rivals[rival] or (begun and rivals[rival] < _FAR):
        return PatientStatement(True, reason="take")
    return PatientStatement(False, reason=rival if rivals[rival] < _FAR else NO_WORD)


def read_condition(governing: Governing, *, in_record: bool) -> PatientStatement:
    """Tell what is said with a condition: the patient has it, is free of it, or it is only spoken of."""
    have = min(governing.nearest("have"), governing.nearest("affirmed"))
    possible = governing.nearest("possible")
    spoken_of = _first(governing, ("population", "ask", "suppose", "report"))
    # 앓으신 적은 없: the last word of a predicate decides.
    if not spoken_of and governing.nearest("absence") <= min(have + _PREDICATE, _FAR - 1):
        return PatientStatement(True, denied=not _is_affirmed(governing), reason="absence")
    if not spoken_of and not in_record:
        spoken_of = _first(governing, ("condition", "example"))
    steady = in_record and (possible > _BARELY or governing.has("course"))
    if not spoken_of and possible <= min(have, _FAR - 1) and not steady:
        spoken_of = "possible"
    if spoken_of:
        return PatientStatement(False, reason=spoken_of)
    if have < _FAR:
        return PatientStatement(True, reason="have")
    return PatientStatement(in_record, reason="in the record" if in_record else NO_WORD)


def read_slot(governing: Governing, *, in_record: bool, told: bool) -> PatientStatement:
    """Tell what is said with something that a slot holds.

    Args:
        governing: The cues around it.
        in_record: True when the record holds it.
        told: True when words of the slot say that the patient has it (allergic to, current smoker); then it is a claim
            unless a cue says otherwise.

    """
    have = min(governing.nearest("have"), governing.nearest("take"), governing.nearest("affirmed"))
    spoken_of = _first(governing, ("population", "ask", "suppose", "report"))
    if not spoken_of and not in_record:
        spoken_of = _first(governing, ("condition", "example"))
    if not spoken_of and governing.nearest("absence") <= min(have + _PREDICATE, _FAR - 1):
        return PatientStatement(True, denied=not _is_affirmed(governing), reason="absence")
    if not spoken_of and governing.nearest("possible") <= _BARELY:
        spoken_of = "possible"
    advised = min(governing.nearest("start"), governing.nearest("avoid"))
    if not spoken_of and not told and not in_record and advised <= have:
        spoken_of = "start" if advised < _FAR else NO_WORD
    if spoken_of:
        return PatientStatement(False, reason=spoken_of)
    return PatientStatement(True, reason="stated" if told else "have" if have < _FAR else "in the record")


def read_value(
    governing: Governing, *, bounded: bool, ranged: bool, agrees: bool, reached: bool = False
) -> PatientStatement:
    """Tell whether a lab or vital is the patient's, or a target, a limit or a norm.

    Args:
        governing: The cues around the number.
        bounded: True when the number is a bound ("below 130").
        ranged: True when it is a range with two ends, as norms and targets are.
        agrees: True when the record holds the same value; then it is not taken for a norm.
        reached: True when the words say that the value has come to the number (went up to 9%): no bound, no target.

    """
    spoken_of = _first(governing, ("population", "suppose") if agrees else ("corrected", "population", "suppose"))
    if not spoken_of and reached and "condition" in governing.before:
        spoken_of = "condition"
    if not spoken_of and bounded and not reached:
        spoken_of = "bound"
    today = governing.before.get("now", _FAR)
    aimed = not reached and governing.nearest("target") < today
    if not spoken_of and aimed and not (agrees and governing.has("kept")):
        spoken_of = "target"
    if not spoken_of and ranged:
        spoken_of = _first(governing, ("span", "norm"))
    if not spoken_of and not agrees and today == _FAR:
        spoken_of = _first(governing, ("norm", "generally"))
        if not spoken_of and "condition" in governing.before:
            spoken_of = "condition"
    return PatientStatement(not spoken_of, reason=spoken_of or "value")
