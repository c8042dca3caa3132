"""Chinese: the words of questions and answers over attributes, and tones."""

from __future__ import annotations

import re

from turnmark.synth.documents.model import Unit
from turnmark.synth.questions.amounts import measure
from turnmark.synth.questions.model import Agent, Attribute, Fact, Kind, Language, Wording
from turnmark.synth.questions.wordlists import any_of, lists

_END = "。.！!；;，, "
_LIST = re.compile("、")
_AT_MOST = re.compile("不超过|不高于|不多于|不得超过|不得高于")
_AT_LEAST = re.compile("不低于|不少于|不得低于|不得少于|至少")
_ASKED = {
    ("时间", "日期"): "是什么时候",
    ("电话", "号码", "热线", "编号", "专线", "费", "费用", "费率", "利率", "价", "价格", "票价"): "是多少",
    ("地点", "产地", "位置", "总部"): "在哪里",
    ("人", "者", "院长", "馆长"): "是谁",
}
_BY_PEOPLE = ("设计", "创作", "撰写", "主持", "发明", "翻译", "绘制", "创办", "主编", "捐赠", "创立", "发现", "建造")


class ChineseWording:
    """What Chinese questions are made with."""

    language: Language = "zh"

    def __init__(self) -> None:
        self._own = lists("zh")

    def _who(self, agent: str, deed: str = "") -> str:
        """How the doer is asked for: 哪家公司, 谁; "" when it is neither an organisation nor somebody."""
        asked = next((asked for ending, asked in self._own.agents.items() if agent.endswith(ending)), "")
        return asked or ("谁" if deed.endswith(_BY_PEOPLE) else "")

    def _fact(
        self, unit: Unit, kind: Kind, question: str, core: str, answer: str, subject: str, agent: Agent | None = None
    ) -> Fact:
        return Fact(unit, kind, self.wording(question), core, f"{answer.rstrip(_END)}。", subject, None, agent)

    def wording(self, question: str) -> Wording:
        """A question in three tones."""
        bare = question.rstrip("？")
        casual = bare if bare.endswith(("吗", "么", "怎么办", "怎么样")) else bare + "呢"
        own = self._own
        return Wording(question, f"{own.opening_formal}{question}", f"{own.opening_casual}{casual}？")

    # ---- attributes

    def attribute_fact(self, attribute: Attribute, unit: Unit, statement: str = "") -> Fact:
        """The question for an attribute."""
        thing = f"{attribute.owner}的{attribute.attribute}"
        quantity = attribute.quantity
        answer = statement or f"{thing}{self._is(attribute.value)}"
        kind: Kind = "fact" if quantity is None else "number"
        return Fact(
            unit,
            kind,
            self.wording(f"{thing}{self._asked(attribute)}？"),
            attribute.value,
            f"{answer}。",
            thing,
            attribute,
        )

    def _is(self, value: str) -> str:
        return value if re.match(r"(?:为|是|不|约为|达|至少|最|高达|仅|均)", value) else f"为{value}"

    def _asked(self, attribute: Attribute) -> str:
        """How a value is asked for: 是多少, 是什么时候, 有哪些."""
        quantity, name = attribute.quantity, attribute.attribute
        if quantity is None:
            if _LIST.search(attribute.value):
                return "有哪些"
            return next((asked for endings, asked in _ASKED.items() if name.endswith(endings)), "是什么")
        if quantity.kind == "date":
            return "是什么时候"
        kind = measure(quantity)
        if _AT_MOST.match(attribute.value):
            return "最高是多少" if kind == "percent" else "最多是多少"
        if _AT_LEAST.match(attribute.value):
            return "最低是多少" if kind in ("percent", "money") else "最少是多少"
        return "是多长时间" if kind == "time" and not name.endswith(("年龄", "数")) else "是多少"

    def comparison(self, more: Attribute, less: Attribute, flip: bool) -> tuple[Wording, str] | None:
        """Which of two things has more of an attribute; ``flip`` names the lesser first."""
        if more.quantity is None:
            return None
        adjective = self._adjective(more)
        first, second = (less, more) if flip else (more, less)
        name = more.attribute
        question = f"{first.owner}和{second.owner}相比，哪个的{name}更{adjective}？"
        both = f"{more.owner}的{name}{self._is(more.value)}，{less.owner}的{name}{self._is(less.value)}"
        return self.wording(question), f"{more.owner}的{name}更{adjective}：{both}。"

    def _adjective(self, attribute: Attribute) -> str:
        assert attribute.quantity is not None  # noqa: S101 - comparisons have one
        if attribute.attribute.endswith(("容量", "面积", "重量", "功率", "体积", "规模", "剂量")):
            return "大"
        if attribute.attribute.endswith(
            ("费", "费率", "价", "价格", "票价", "利率", "额", "温度", "金额", "收益率", "比例", "速度", "高度", "年龄")
        ):
            return "高"
        return self._own.adjectives.get(measure(attribute.quantity), self._own.adjectives["other"])

    def two_attributes(self, one: Attribute, other: Attribute) -> tuple[Wording, str]:
        """Two attributes of one thing."""
        asked = "是多少" if one.quantity and other.quantity else "是什么"
        question = f"{one.owner}的{one.attribute}和{other.attribute}分别{asked}？"
        answer = f"{one.owner}的{one.attribute}{self._is(one.value)}，{other.attribute}{self._is(other.value)}。"
        return self.wording(question), answer

    def two_owners(self, one: Attribute, other: Attribute) -> tuple[Wording, str]:
        """One attribute of two things."""
        asked = "是多少" if one.quantity else "是什么"
        question = f"{one.owner}和{other.owner}的{one.attribute}分别{asked}？"
        first = f"{one.owner}的{one.attribute}{self._is(one.value)}"
        answer = f"{first}，{other.owner}的{other.attribute}{self._is(other.value)}。"
        return self.wording(question), answer

    def bridge(self, agent: Agent, fact: Fact) -> tuple[Wording, str] | None:
        """A question on who does something, without the name: 发行安宁卡的机构总部设在哪里."""
        question = fact.wording.plain
        if not question.startswith(agent.agent):
            return None
        who = self._who(agent.agent).replace("哪家", "").replace("哪个", "").replace("哪所", "") or "人"
        rest = question.removeprefix(agent.agent)
        asked = f"{agent.deed}{agent.thing}的{who}{rest}"
        return self.wording(asked), f"{agent.thing}由{agent.agent}{agent.deed}，{fact.answer}"

    def absent(self, owner: str, attribute: str, asked: str = "") -> tuple[Wording, str]:
        """A question that nothing answers, and the answer that says so."""
        question = f"{owner}的{attribute}是{asked or '多少'}？"
        return self.wording(question), f"抱歉，资料中没有提到{owner}的{attribute}。"

    def unknown(self) -> str:
        """The answer to a question that the documents do not answer."""
        return "抱歉，资料中没有提到这一点。"

    # ---- places

    def names(self, subject: str) -> bool:
        """Whether a subject opens with a name of its own."""
        return re.match(rf".{{2,16}}?(?:{any_of(self._own.agents)})", subject) is not None and len(subject) >= 4

    def in_document(self, question: str, title: str) -> str:
        """A question that names the document it is about."""
        opening = self._own.opening_casual
        if question.startswith(opening):
            return f"{opening}根据《{title.strip('《》')}》，{question.removeprefix(opening)}"
        return f"根据《{title.strip('《》')}》，{question}"

    def situated(self, opening: str, question: str) -> str:
        """A question after the words of who asks."""
        return f"{opening}{question}"
