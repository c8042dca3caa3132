"""Korean: the words asked for are put in the place of the answer, and the ending becomes that of a question."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turnmark.language.text.particles import with_particle
from turnmark.synth.documents.model import Unit
from turnmark.synth.documents.units import Line
from turnmark.synth.questions.amounts import Amount, amounts, measure
from turnmark.synth.questions.ko.endings import formal_question, is_command, noun_of_copula
from turnmark.synth.questions.ko.wording import LIMIT, KoreanWording
from turnmark.synth.questions.model import Agent, Attribute, Fact
from turnmark.synth.questions.topics import Topic
from turnmark.synth.questions.wordlists import any_of, words

_TOPIC = re.compile(r"[은는] ")
_LIST = re.compile(r", |·|(?<=[가-힣])[와과] |및 ")
_CONDITION = re.compile(
    r"^(?P<condition>[^,]{4,60}?(?:(?<![수화측반표장국직전정대])면|을 때는|을 때에는|할 때는|할 때|될 때|일 때|경우에는"
    r"|경우에|경우)),? (?P<main>.{5,120})$"
)
_PURPOSE = re.compile(r"^(?P<goal>[^,]{4,50}?(?:려면|기 위해서는|기 위해)),? (?P<main>.{5,120})$")
_BEFORE = re.compile(
    r"^(?P<when>[^,]{3,40}?(?:기 전에|한 후에|한 뒤에|중에는|동안에는|전에는|후에는)),? (?P<main>.{5,120})$"
)
_BECAUSE = re.compile(r"^(?P<reason>[^,]{4,60}?(?:때문에|므로)),? (?P<effect>[^,]{6,80})$")
_PLACE = re.compile(
    r"^(?P<core>[^,]{2,40}?)(?P<particle>에) (?P<verb>(?:위치해 |자리 ?잡고 |자리해 )?"
    r"(?:있습니다|있다|위치합니다|위치한다|자리합니다|자리한다))$"
)
_DATE = re.compile(
    r"^(?P<date>[0-9]{4}년(?: [0-9]{1,2}월)?(?: [0-9]{1,2}일)?|매[주월년] [^,에]{2,12})"
    r"(?P<particle>에|부터|까지)? (?P<verb>[^,0-9]{2,40})$"
)
_BY = re.compile(
    r"^(?P<agent>[^,]{2,30}?)(?P<particle>이|가|에서) (?P<deed>[가-힣]{1,6}?)"
    r"(?P<ending>합니다|한다|했다|했습니다|하였다|하였습니다|하고 있습니다|하고 있다)$"
)
_PARTS = re.compile(
    r"^(?P<core>[^.]{4,80}?)(?P<particle>이|가|을|를|으로|로) (?P<verb>있습니다|있다"
    r"|(?:포함|구성|제공)(?:됩니다|된다|되어 있습니다|되어 있다)|(?:포함|제공|취급|지원|소장)(?:합니다|한다)"
    r"|나뉩니다|나뉜다|(?:나누어|이루어)(?:집니다|진다|져 있습니다|져 있다)|들어 있습니다|들어 있다)$"
)
_VAGUE = re.compile(r"(?:약|대략|거의|최소|최대|총|연|월|만|매월|매년) $")
_AND = re.compile(r"^(?P<limit>\s?(?:이상|이하|이내|미만|초과|까지))?(?:이며|이고|며|고),? ")


class Korean(KoreanWording):
    """Questions in Korean."""

    def __init__(self) -> None:
        super().__init__()
        own = self._own
        self._refused = re.compile(f"(?:{any_of(words(own.refused_openings))})(?= |,)")
        self._inner = re.compile(any_of(words(own.inner_refused)))
        # 드는 is a verb and 카드는 a noun: short words count as verbs only when they stand alone.
        endings = ("하는", "되는", "있는", "없는", "않는", "받는", "받은", "지는")
        alone = [word for word in words(own.adnominal) if len(word) == 2 and word not in endings]
        within = [word for word in words(own.adnominal) if len(word) > 2] + list(endings[:-1])
        self._adnominal = re.compile(rf"(?:(?:^|(?<= ))(?:{any_of(alone)})|{any_of(within)})$")
        self._self = re.compile(
            rf"(?:^|(?<= ))(?:{any_of(words(own.self_reference))})"
            r"(?P<particle>은|는|이|가|을|를|과|와|의|에|으로|로)?(?= |$)"
        )

    # ---- sentences

    def facts(self, line: Line, unit: Unit, topic: Topic) -> Iterator[Fact]:
        """The questions that one sentence answers."""
        text = line.text.strip().rstrip(". ")
        if topic.name:
            text = self._self.sub(lambda match: _same_particle(topic.name, match["particle"] or ""), text)
        if not 8 <= len(text) <= 160 or "?" in text or re.search('[“”"「」]', text):
            return
        whole = list(self._whole(text, unit))
        if whole:
            yield from whole
            return
        match = self._topic(text)
        if match is not None:
            yield from self._statement(text, match[0], match[1], match[2], unit, topic)

    def _whole(self, text: str, unit: Unit) -> Iterator[Fact]:
        if match := _PURPOSE.match(text):
            if is_command(match["main"]) and not self._inner.search(match["goal"]):
                yield self._fact(
                    unit, "fact", f"{match['goal']} 어떻게 해야 합니까", match["main"], text, match["goal"]
                )
        elif match := _BEFORE.match(text):
            bare = not self._inner.search(match["when"]) and _BECAUSE.match(text) is None
            if is_command(match["main"]) and bare and not self._refused.match(text):
                asked = (
                    "무엇을 해야 합니까"
                    if match["when"].endswith(("전에", "후에", "뒤에", "전에는", "후에는"))
                    else "무엇에 주의해야 합니까"
                )
                yield self._fact(unit, "fact", f"{match['when']} {asked}", match["main"], text, match["when"])
        elif match := _CONDITION.match(text):
            yield from self._condition(match, text, unit)
        elif match := _BECAUSE.match(text):
            why = formal_question(match["effect"])
            if why and self._topic(match["effect"]) is not None and not self._refused.match(match["effect"]):
                yield self._fact(unit, "fact", f"왜 {why}", match["reason"], text, match["effect"])

    def _condition(self, match: re.Match[str], text: str, unit: Unit) -> Iterator[Fact]:
        """What to do, or what happens, in some case."""
        condition, main = match["condition"], match["main"]
        if self._refused.match(text) or self._inner.search(condition) or "은 " in condition:
            return
        told = is_command(main) and not main.endswith(("합니다", "한다"))
        if told or main.endswith(("야 합니다", "야 한다")):
            yield self._fact(unit, "fact", f"{condition} 어떻게 해야 합니까", main, text, condition)
        elif not amounts(main) and formal_question(main) and "은 " not in main and "는 " not in main:
            yield self._fact(unit, "fact", f"{condition} 어떻게 됩니까", main, text, condition)

    def _topic(self, text: str) -> tuple[str, str, str] | None:
        """Topic, particle and rest of a sentence that opens with its topic."""
        position = 0
        while (match := _TOPIC.search(text, position)) is not None:
            topic = text[: match.start()]
            position = match.end()
            if len(topic) > 40 or "," in topic:
                return None
            if self._adnominal.search(text[: match.start() + 1]) or topic.endswith(
                ("에", "에서", "에게", "로", "까지", "부터")
            ):
                if topic.endswith(("에", "에서")) and not self._adnominal.search(text[: match.start() + 1]):
                    return (topic, text[match.start()], text[match.end() :]) if self._good(topic) else None
                continue
            return (topic, text[match.start()], text[match.end() :]) if self._good(topic) else None
        return None

    def _good(self, topic: str) -> bool:
        return len(topic) >= 2 and not self._refused.match(topic + " ") and not self._inner.search(topic)

    def _statement(self, text: str, thing: str, particle: str, rest: str, unit: Unit, topic: Topic) -> Iterator[Fact]:
        opening = f"{thing}{particle}"
        if dated := _DATE.match(rest):
            asked = formal_question(dated["verb"])
            if asked:
                when = {"에": "언제", "부터": "언제부터", "까지": "언제까지"}.get(dated["particle"] or "에", "언제")
                yield self._fact(unit, "number", f"{opening} {when} {asked}", dated["date"], text, thing)
            return
        result = amounts(rest, topic.name)
        if len(result) == 1 and result[0].quantity.kind == "amount":
            yield from self._measured(text, thing, particle, rest, result[0], unit, topic)
        elif (not result and "," not in rest.rpartition(" ")[0]) or (not result and _LIST.search(rest)):
            yield from self._named(text, thing, opening, rest, unit)

    def _measured(
        self, text: str, thing: str, particle: str, rest: str, amount: Amount, unit: Unit, topic: Topic
    ) -> Iterator[Fact]:
        start, end = amount.quantity.start, amount.quantity.end
        before, behind = rest[:start], rest[end:]
        if also := _AND.match(behind):
            # The first of two statements is asked about; the second has its own words.
            behind = f"{also['limit'] or ''}입니다"
            rest, text = rest[:end] + behind, f"{thing}{particle} {rest[:end]}{behind}"
        noun = noun_of_copula(rest)
        near = LIMIT.match(behind)
        limit = (near["near"] or "") if near else ""
        if (
            noun is not None
            and not _VAGUE.sub("", before).strip()
            and not behind[len(limit) :].removesuffix("입니다").removesuffix("이다").strip()
        ):
            value = noun.strip()
            attribute = self._split(thing, value, amount, topic)
            if attribute is not None:
                yield self.attribute_fact(attribute, unit, text if attribute.owner in text else "")
                return
            yield self._fact(
                unit, "number", f"{thing}{particle} {self._how_much(amount, limit, copula=True)}", value, text, thing
            )
            return
        asked = formal_question(rest)
        if asked is None or "," in rest or _LIST.search(before) or len(rest) > 60:
            return
        if not amount.unit.strip() and re.match("[가-힣]", behind):
            return
        cut = asked[end:]
        question = f"{thing}{particle} {_VAGUE.sub('', before)}{self._how_many(amount)}{cut}"
        yield self._fact(unit, "number", question, amount.words.strip(), text, thing)

    def _split(self, thing: str, value: str, amount: Amount, topic: Topic) -> Attribute | None:
        owner, _, name = thing.rpartition("의 ")
        if not owner:
            if not topic.owner or topic.owner in thing or len(thing) > 14:
                return None
            owner, name = topic.owner, thing
        return Attribute(owner, name, value, amount.quantity) if 1 < len(name) <= 20 else None

    def _how_many(self, amount: Amount) -> str:
        kind, unit = measure(amount.quantity), amount.unit.strip()
        if kind == "money" or not unit:
            return "얼마"
        return "며칠" if amount.quantity.unit == "day" and unit == "일" else f"몇 {unit}"

    def _named(self, text: str, thing: str, opening: str, rest: str, unit: Unit) -> Iterator[Fact]:
        """Places, makers, parts and definitions."""
        noun = noun_of_copula(rest)
        if match := _PLACE.match(rest):
            asked = formal_question(match["verb"])
            yield self._fact(unit, "fact", f"{opening} 어디에 {asked}", match["core"], text, thing)
        elif thing.endswith("에") or (_PARTS.match(rest) and _LIST.search(rest)):
            parts = _PARTS.match(rest)
            asked = formal_question(parts["verb"]) if parts else None
            if parts and asked and _LIST.search(parts["core"]):
                what = {
                    "이": "무엇이",
                    "가": "무엇이",
                    "을": "무엇을",
                    "를": "무엇을",
                    "으로": "무엇으로",
                    "로": "무엇으로",
                }[parts["particle"]]
                yield self._fact(
                    unit, "fact", f"{opening} {what} {asked}", parts["core"].removesuffix(" 등"), text, thing
                )
        elif (match := _BY.match(rest)) and (who := self._who(match["agent"], match["deed"])):
            asked = formal_question(match["deed"] + match["ending"])
            if asked:
                particle = {"이": "이/가", "가": "이/가"}.get(match["particle"])
                said = with_particle(who, particle) if particle else f"{who}에서"
                said = "누가" if who == "누구" else said
                agent = Agent(match["agent"], match["deed"] + match["ending"], thing)
                yield self._fact(unit, "fact", f"{opening} {said} {asked}", match["agent"], text, thing, agent)
        elif noun is not None and 2 <= len(noun) <= 50:
            asked = (
                "누구"
                if re.search(r"(?:자|장|인|매니저|감독|교수|원장|관장|대표)$", thing) and len(noun) <= 10
                else "무엇"
            )
            if _LIST.search(noun) or " " in noun or len(noun) <= 12:
                yield self._fact(unit, "fact", f"{opening} {asked}입니까", noun, text, thing)


def _same_particle(name: str, particle: str) -> str:
    """A name with the particle that the words it stands for had."""
    pairs = {
        "은": "은/는",
        "는": "은/는",
        "이": "이/가",
        "가": "이/가",
        "을": "을/를",
        "를": "을/를",
        "과": "과/와",
        "와": "과/와",
    }
    pairs |= {"으로": "으로/로", "로": "으로/로"}
    return with_particle(name, pairs[particle]) if particle in pairs else name + particle
