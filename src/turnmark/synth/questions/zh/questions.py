"""Chinese: the words asked for are put in the place of the answer, so the order of a sentence stays."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turnmark.synth.documents.model import Unit
from turnmark.synth.documents.units import Line
from turnmark.synth.questions.amounts import Amount, amounts, measure
from turnmark.synth.questions.model import Agent, Attribute, Fact
from turnmark.synth.questions.topics import Topic
from turnmark.synth.questions.wordlists import any_of, opens_with, words
from turnmark.synth.questions.zh.wording import ChineseWording

_CLAUSES = re.compile(r"[，；,;]|(?<=[^0-9])[：:]")
_END = "。.！!；;，, "
_LIST = re.compile("、")
_FEW = re.compile("月龄|袋|杯|盒|年|个月|天|周|次|片|粒|个|种|步|名|位|张|层|本|部|台|条|滴|支")
_PLACE = re.compile(r"^(?P<subject>.{2,24}?)(?P<verb>位于|坐落于|坐落在|地处|设在|设于)(?P<core>.{2,30})$")
_CALLED = re.compile(r"^(?P<subject>.{2,16}?)(?:是指|指的是|是一[种款类项个家座所部门套份])(?P<core>.{4,80})$")
_MADE_BY = re.compile(
    r"^(?P<subject>.{2,24}?)由(?P<agent>[^，。的]{2,20}?)(?P<deed>负责[一-鿿]{2,4}|(?:共同|联合|独家)?[一-鿿]{2})(?P<tail>(?:的|于)?)$"
)
_PARTS = re.compile(
    r"^(?P<subject>.{2,24}?)(?P<verb>(?:主要)?(?:包括|包含|涵盖)|(?:共)?分为|由)(?P<core>[^，。]{4,80}?)(?P<tail>等?(?:组成|构成)?)$"
)
_CONDITION = re.compile(
    r"^(?:(?P<if>如果|如|若|一旦|万一)(?P<condition>[^，。]{3,40}?)(?:的话|时)?|(?P<when>[^，。]{4,40}?)(?:(?<![小同及按临随暂平])时|的情况下))，(?P<main>.{4,120})$"
)
_BECAUSE = re.compile(r"^(?:由于|因为|因)(?P<reason>[^，。]{3,50})，(?:所以|因此|故)?(?P<effect>[^，。]{5,60})$")
_FOR = re.compile(r"^(?P<effect>[^，。]{5,60})，(?:是因为|因为|这是因为)(?P<reason>[^，。]{3,60})$")
_BEFORE_DATE = re.compile(r"^(?P<subject>.{2,24})(?P<prep>于|在|自)$")
_FOUNDED = re.compile(
    r"(?:成立|创建|建成|开业|开馆|开园|上市|始建|发布|竣工|创办|落成|设立|通车|诞生|创立|动工|投产|启用)$"
)
_BEHIND_DATE = re.compile(r"^(?P<since>起|开始)?(?P<verb>[一-鿿]{2,10})$")
_STATED = re.compile(
    r"^(?P<subject>.{2,14}?)(?<![不但其别就也都还而正却便仍可如若总才只于算乃])是(?P<core>[^的]{2,30}|.{2,24}的[^的]{2,8})$"
)
_USED = re.compile(r"^(?P<subject>.{2,20}?)(?P<verb>适用于|主要用于|用于|适合)(?P<core>.{2,50})$")
_WHEN = re.compile(r"^(?P<when>[^，。]{2,16}?(?:期间|[之以]?前|[之以]?后))，(?P<main>.{4,100})$")
_ROLES = (
    "人",
    "者",
    "经理",
    "馆长",
    "院长",
    "校长",
    "董事长",
    "主任",
    "教授",
    "设计师",
    "建筑师",
    "总裁",
    "主编",
    "导演",
)
_PURPOSE = re.compile(r"^(?:如需|如要|若要|要想|想要|要)(?P<goal>[^，。]{3,24})，(?P<main>.{5,120})$")
_SORTS = re.compile(
    "(?<=[二两三四五六七八九十0-9])(?:个[一-鿿]{2}|[类种级格档期层区组型部段])$|(?<=[二两三四五六七八九十])部分$"
)
_QUOTED = re.compile('[“”"「」『』‘’]')


class Chinese(ChineseWording):
    """Questions in Chinese."""

    def __init__(self) -> None:
        super().__init__()
        own = self._own
        self._copulas = re.compile(f"(?:{any_of(words(own.copulas))})$")
        self._verbs = re.compile(f"(?:{any_of(words(own.quantity_verbs))})")
        self._vague = re.compile(f"(?:{any_of(words(own.vague_before))})+$")
        self._self = re.compile(f"{any_of(words(own.self_reference))}")
        self._inner = re.compile(f"{any_of(words(own.inner_refused))}")
        self._instructions = opens_with(own.instructions)
        self._refused = opens_with(own.refused_openings)

    # ---- sentences

    def facts(self, line: Line, unit: Unit, topic: Topic) -> Iterator[Fact]:
        """The questions that one sentence answers."""
        text = line.text.strip().rstrip(_END)
        if topic.name:
            text = self._self.sub(topic.name, text)
        if not 6 <= len(text) <= 160 or "？" in text or "?" in text or _QUOTED.search(text):
            return
        whole = list(self._whole(text, unit))
        if whole:
            yield from whole
            return
        first = True
        owner = ""
        for clause in _CLAUSES.split(text):
            result = list(self._clause(clause.strip(), unit, topic, owner, first=first))
            yield from result
            owner = next((fact.attribute.owner for fact in result if fact.attribute), "")
            first = False

    def _whole(self, text: str, unit: Unit) -> Iterator[Fact]:
        if purpose := _PURPOSE.match(text):
            if self._instructions.match(purpose["main"]):
                question = (
                    f"{purpose['goal']}应该怎么操作？" if len(purpose["goal"]) > 8 else f"怎样{purpose['goal']}？"
                )
                yield self._fact(unit, "fact", question, purpose["main"], text, purpose["goal"])
        elif moment := _WHEN.match(text):
            when, main = moment["when"], moment["main"]
            if self._instructions.match(main) and self._inner.search(when) is None:
                asked = {"前": "需要先做什么", "后": "需要做什么", "间": "应该注意什么"}[when[-1]]
                yield self._fact(unit, "fact", f"{when}{asked}？", main, text, when)
        elif condition := _CONDITION.match(text):
            yield from self._condition(condition, text, unit)
        elif (because := _BECAUSE.match(text) or _FOR.match(text)) and self._subject(because["effect"]):
            question = f"为什么{because['effect']}？"
            yield self._fact(unit, "fact", question, because["reason"], text, because["effect"])

    def _condition(self, match: re.Match[str], text: str, unit: Unit) -> Iterator[Fact]:
        """What to do, or what happens, in some case."""
        when, said, main = match["when"] or "", match["condition"] or match["when"], match["main"]
        if self._inner.search(said) or (when and not self._subject(when)):
            return
        opening = f"{when}时" if when else f"如果{said}，"
        if self._instructions.match(main):
            yield self._fact(unit, "fact", f"{opening}应该怎么办？", main, text, said)
        elif not self._inner.search(main) and not amounts(main):
            yield self._fact(unit, "fact", f"{opening}会怎么样？", main, text, said)

    def _clause(self, clause: str, unit: Unit, topic: Topic, owner: str, *, first: bool) -> Iterator[Fact]:
        if len(clause) < 5:
            return
        result = amounts(clause, topic.name)
        if len(result) == 1 and (first or owner):
            attribute = self._measured(clause, result[0], topic, owner)
            if attribute is not None:
                yield self.attribute_fact(attribute, unit, clause if attribute.owner in clause else "")
                return
        if not first or not self._subject(clause):
            return
        if len(result) == 1:
            yield from (
                self._dated(clause, result[0], unit)
                if result[0].quantity.kind != "amount"
                else self._in_place(clause, result[0], unit)
            )
        elif not result:
            yield from self._named(clause, unit)

    def _measured(self, clause: str, amount: Amount, topic: Topic, owner: str) -> Attribute | None:
        """An attribute that a clause gives: 稳禾债券的申购费率为0.8%."""
        start, end = amount.quantity.start, amount.quantity.end
        before = self._vague.sub("", clause[:start])
        copula = self._copulas.search(before)
        rest = clause[end:]
        if copula is None or rest.strip(_END + "左右以上以内以下起)）") or amount.quantity.kind == "time":
            return None
        subject = before[: copula.start()]
        subject = re.sub(
            r"(?:应|须|需|可设|可调|可达|可|不得|一般|通常|最高|最低|最多|最长|均|仅|则|也|总)+$", "", subject
        )
        thing, _, name = subject.rpartition("的")
        if not self._subject(subject) or not 2 <= len(name) <= 12:
            return None
        if not thing:
            thing = owner or topic.owner
        if not thing or name in thing or (thing and thing in name):
            if thing and name.startswith(thing) and len(name) - len(thing) >= 2:
                name = name[len(thing) :]
            else:
                return None
        value = clause[copula.start() :].removeprefix("为").removeprefix("是")
        return Attribute(thing, name, value, amount.quantity)

    def _in_place(self, clause: str, amount: Amount, unit: Unit) -> Iterator[Fact]:
        """The number of a clause asked for where it stands: 成人每次服用几片."""
        start, end = amount.quantity.start, amount.quantity.end
        before, rest = self._vague.sub("", clause[:start]), re.sub(r"^(?:左右|多|余)", "", clause[end:])
        verb = self._verbs.search(before, 2)
        if verb is None or not len(before) >= 2 or "的" in rest or len(rest) > 16:
            return
        question = f"{before}{self._how_many(amount)}{rest}？"
        yield self._fact(unit, "number", question, amount.words, clause, before)

    def _how_many(self, amount: Amount) -> str:
        unit = amount.unit
        if measure(amount.quantity) == "percent":
            return "百分之多少"
        if not unit:
            return "多少"
        return f"几{unit}" if amount.quantity.high <= 10 and _FEW.match(unit) else f"多少{unit}"

    def _dated(self, clause: str, amount: Amount, unit: Unit) -> Iterator[Fact]:
        """南湖图书馆于1958年建成, 星港银行成立于1996年."""
        before = _BEFORE_DATE.match(clause[: amount.quantity.start])
        behind = clause[amount.quantity.end :]
        if before is None or amount.quantity.kind != "date":
            return
        asked = "哪一年" if re.fullmatch(r"[0-9]{4}年", amount.words) else "什么时候"
        subject, date = before["subject"], amount.words
        founded = _FOUNDED.search(subject) if not behind else None
        if founded:
            subject = subject[: founded.start()]
            question = f"{subject}是{asked}{founded.group()}的？"
        elif (after := _BEHIND_DATE.match(behind)) is None:
            question = ""
        elif before["prep"] == "自" or after["since"]:
            question = f"{subject}从{asked}开始{after['verb'].removeprefix('开始')}？"
        else:
            question = f"{subject}是{asked}{after['verb']}的？"
        if question:
            yield self._fact(unit, "number", question, date, clause, subject)

    def _named(self, clause: str, unit: Unit) -> Iterator[Fact]:
        """Places, makers, parts and definitions."""
        if match := _PLACE.match(clause):
            verb = match["verb"]
            question = f"{match['subject']}{verb if verb in ('位于', '设在') else '位于'}哪里？"
            yield self._fact(unit, "fact", question, match["core"], clause, match["subject"])
        elif (match := _MADE_BY.match(clause)) and (who := self._who(match["agent"], match["deed"])):
            deed = match["deed"]
            question = f"{match['subject']}由{who}{deed}？"
            agent = Agent(match["agent"], deed, match["subject"])
            yield self._fact(unit, "fact", question, match["agent"], clause, match["subject"], agent)
        elif (match := _PARTS.match(clause)) and _LIST.search(match["core"]):
            yield from self._parts(match, clause, unit)
        elif match := _CALLED.match(clause):
            subject = match["subject"]
            if "的" not in subject and not self._verbs.search(subject, 2):
                yield self._fact(unit, "fact", f"{subject}是什么？", match["core"], clause, subject)
        elif match := _STATED.match(clause):
            asked = "谁" if match["subject"].endswith(_ROLES) else "什么"
            yield self._fact(unit, "fact", f"{match['subject']}是{asked}？", match["core"], clause, match["subject"])
        elif match := _USED.match(clause):
            people = "人群" if match["core"].endswith(("人", "者", "客户", "家庭", "居民")) else ""
            question = f"{match['subject']}{match['verb']}什么{people}？"
            yield self._fact(unit, "fact", question, match["core"], clause, match["subject"])

    def _parts(self, match: re.Match[str], clause: str, unit: Unit) -> Iterator[Fact]:
        subject, verb, tail = match["subject"], match["verb"], match["tail"].removeprefix("等")
        if verb == "由" and tail not in ("组成", "构成"):
            return
        if verb.endswith("分为"):
            counted = _SORTS.search(match["core"])
            question = f"{subject}分为哪几{counted.group() if counted else '类'}？"
        elif verb == "由":
            question = f"{subject}由哪些部分{tail}？"
        else:
            question = f"{subject}{verb}哪些内容？"
        yield self._fact(unit, "fact", question, match["core"], clause, subject)

    def _subject(self, text: str) -> bool:
        """Whether a clause opens with a thing that can be named alone."""
        return len(text) >= 2 and not self._refused.match(text) and self._inner.search(text) is None
