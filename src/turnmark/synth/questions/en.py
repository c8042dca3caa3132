"""English: the words asked for move to the front, and the verb with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from turnmark.synth.documents.model import Unit
from turnmark.synth.documents.units import Line
from turnmark.synth.questions.amounts import Amount, amounts, measure
from turnmark.synth.questions.model import Agent, Attribute, Fact, Kind, Language, Wording
from turnmark.synth.questions.topics import Topic
from turnmark.synth.questions.wordlists import any_of, lists, opens_with, words

_BE = r"is|are|was|were"
_MODAL = r"can|may|must|should|will|cannot"
_SUBJECT = r"(?P<subject>[A-Z][^,;:?!]{1,90}?)"
_OF = re.compile(r"^(?P<attribute>(?:[Tt]he )?.{3,50}?) (?:of|for|on) (?P<owner>(?:the |an? )?.{2,60})$")
_VAGUE = re.compile(r"(?:\b(?:about|approximately|around|roughly|nearly|almost|some|over|just)\s+)+$", re.IGNORECASE)
_TAIL = re.compile(r"^(?:\s*(?P<tail>(?:of|per|for|a|an|each|from|after|before|on|at|in|to|by|every) [^,;]{2,60}))?$")
_LIMIT = re.compile(
    r"(?:\b(?:at most|at least|up to|no more than|not more than|a maximum of|a minimum of|more than|less than)\s+)+$"
)
_LIST = re.compile(r", .*\b(?:and|or)\b | and ")
_CONDITION = re.compile(r"^(?P<when>If|When|Whenever) (?P<condition>[^,;]{6,80}), (?P<main>.{6,160})$")
_BECAUSE = re.compile(
    rf"^{_SUBJECT} (?P<aux>{_BE}|{_MODAL}) (?P<rest>[^,;]{{3,80}}?),? because (?P<reason>.{{6,120}})$"
)
_PURPOSE = re.compile(r"^To (?P<goal>[a-z][^,;]{4,60}), (?P<main>.{6,160})$")
_WHEN_TO = re.compile(r"^(?P<when>Before|After) (?P<doing>[a-z]+ing [^,;]{3,60}), (?P<main>.{6,160})$")
_LOCATED = re.compile(
    rf"^{_SUBJECT} (?P<be>{_BE}) (?P<what>(?:located|based|headquartered|situated|stored|kept|held)) (?P<core>(?:in|at|on|near|beside) [^,;]{{3,80}})$"
)
_BY = re.compile(
    rf"^{_SUBJECT} (?P<be>{_BE}) (?P<deed>[a-z]+(?:ed|wn|en|un|uilt|ade)(?: and [a-z]+ed)?) by (?P<agent>(?:the )?[^,;]{{3,60}})$"
)
_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATED = re.compile(
    rf"^{_SUBJECT} (?P<verb>(?:was|were) [a-z]+(?:ed|wn|en|uilt|ade)|opened|began|started|closed|ended|launched|moved)"
    rf"(?P<place> (?:to|into|at) [^,;0-9]{{2,40}})? (?:in|on) (?P<date>(?:[0-9]{{1,2}} )?(?:{_MONTH} )?(?:[0-9]{{1,2}}, )?[12][0-9]{{3}})"
    r"(?: by [^,;]{2,60})?$"
)
_ORGANISATION = re.compile(
    r"\b(?:Bank|Company|Ltd|Inc|Corp\w*|Group|University|Institute|Agency|Council|Authority|Ministry|Department|Trust|Foundation|Association|Hospital|Management|Partners|Society|Laborator\w+|Pharma\w*|Electric\w*|Systems|Works)\b"
)
_HUMAN = frozenset(
    (
        "designed",
        "written",
        "founded",
        "invented",
        "discovered",
        "directed",
        "composed",
        "painted",
        "led",
        "built",
        "chaired",
    )
)
_PRONOUN = re.compile(
    r"\b(?:it|they|them|its|their|this|these|those|he|she|his|her|him|above|below|following)\b", re.IGNORECASE
)
_CLAUSE_WORDS = re.compile(
    r"\b(?:that|which|who|whose|where|because|although|while|whereas|if|when|but|so|and then|is|are|was|were|has|have|can|must|may|will)\b"
)
_COUNTED = re.compile(
    r"^(?P<noun>[a-z][a-z-]*(?: [a-z][a-z-]*){0,3}?)(?P<tail> (?:per|a|an|each|every|in|of|from|for|at|on|to|by|with|within|after|before) .{2,60})?$"
)
_PREPOSITION = re.compile(
    r"\b(?P<prep>within|for|after|until|up to)\s+(?P<limit>(?:at least|at most|no more than|up to|about|approximately)\s+)?$"
)


class _Clause(NamedTuple):
    """Subject, finite verb and the rest of a statement; ``base`` is the verb behind ``does``, "" for be and modals."""

    subject: str
    verb: str
    rest: str
    base: str
    does: str


class English:
    """Questions in English."""

    language: Language = "en"
    joiner = " "

    def __init__(self) -> None:
        own = lists("en")
        self._own = own
        self._refused = opens_with(own.refused_openings, whole_words=True)
        self._instructions = opens_with(own.instructions, whole_words=True)
        self._self = re.compile(rf"\b(?:[Tt]his|[Tt]he present) (?:{any_of(words(own.self_reference))})\b")
        finite = f"{_BE}|{_MODAL}|{any_of(own.verbs)}|(?:(?<=s )(?:{any_of(words(own.plural_verbs))}))"
        self._finite = re.compile(rf"^{_SUBJECT} (?P<verb>{finite}) (?P<rest>.{{1,140}})$")

    # ---- sentences

    def facts(self, line: Line, unit: Unit, topic: Topic) -> Iterator[Fact]:
        """The questions that one sentence answers."""
        text = line.text.strip().rstrip(".! ")
        if topic.name:
            text = self._self.sub(lambda match: self._named(topic.name, match.group()), text)
            last = topic.name.split()[-1].lower()
            if last in words(self._own.self_reference) and len(topic.name.split()) > 1:
                text = re.sub(
                    rf"\b[Tt]he {last}\b(?! (?:of|that|for))",
                    lambda match: self._named(topic.name, match.group()),
                    text,
                )
        if not 12 <= len(text) <= 240 or "?" in text or '"' in text or "“" in text:
            return
        yield from self._whole(text, unit)
        if self._refused.match(text):
            return
        statement = re.split(r", (?:and|but|so|which|while|although|with) |; ", text)[0]
        yield from self._statement(statement, unit, topic)

    def _named(self, name: str, found: str) -> str:
        the = f"the {name}" if not name[:1].isdigit() else name
        return the[0].upper() + the[1:] if found[0].isupper() else the

    def _whole(self, text: str, unit: Unit) -> Iterator[Fact]:
        if match := _CONDITION.match(text):
            condition, main = match["condition"], match["main"]
            if _PRONOUN.search(condition) or (_PRONOUN.search(main.split(",")[0]) and not self._instructs(main)):
                return
            when = match["when"].lower().replace("whenever", "when")
            asked = "What should you do" if self._instructs(main) else "What happens"
            question, polite = (
                f"{asked} {when} {condition}?",
                f"what {'to do' if self._instructs(main) else 'happens'} {when} {condition}",
            )
            yield self._fact(unit, "fact", question, polite, main, text, condition)
        elif match := _PURPOSE.match(text):
            if self._instructs(match["main"]) and not _PRONOUN.search(match["goal"]):
                goal = match["goal"]
                yield self._fact(unit, "fact", f"How do you {goal}?", f"how to {goal}", match["main"], text, goal)
        elif match := _WHEN_TO.match(text):
            if self._instructs(match["main"]) and not _PRONOUN.search(match["doing"]):
                said = f"{match['when'].lower()} {match['doing']}"
                yield self._fact(
                    unit, "fact", f"What should you do {said}?", f"what to do {said}", match["main"], text, said
                )
        elif (match := _BECAUSE.match(text)) and self._good(match["subject"]):
            subject, aux, rest = self._lower(match["subject"]), match["aux"], match["rest"]
            yield self._fact(
                unit,
                "fact",
                f"Why {aux} {subject} {rest}?",
                f"why {subject} {aux} {rest}",
                match["reason"],
                text,
                subject,
            )

    def _instructs(self, main: str) -> bool:
        return self._instructions.match(main) is not None or main.lower().startswith(("you should ", "you must "))

    def _statement(self, text: str, unit: Unit, topic: Topic) -> Iterator[Fact]:
        if dated := _DATED.match(text):
            yield from self._dated(dated, text, unit)
            return
        found = amounts(text, topic.name)
        clause = self._clause(text)
        if clause is None:
            return
        if not found:
            yield from self._named_things(text, clause, unit)
        elif len(found) == 1 and found[0].quantity.start >= len(clause.subject) and found[0].quantity.kind == "amount":
            yield from self._measured(text, clause, found[0], unit, topic)

    def _clause(self, text: str) -> _Clause | None:
        match = self._finite.match(text)
        if match is None or not self._good(match["subject"]):
            return None
        verb = match["verb"]
        plural = verb in words(self._own.plural_verbs)
        base = verb if plural else self._own.verbs.get(verb, "")
        return _Clause(match["subject"], verb, match["rest"], base, "do" if plural else "does")

    def _good(self, subject: str) -> bool:
        """Whether a subject is a thing that can be named alone."""
        if self._refused.match(subject) or _PRONOUN.search(subject) or len(subject.split()) > 12:
            return False
        return _CLAUSE_WORDS.search(subject) is None

    def _measured(self, text: str, clause: _Clause, amount: Amount, unit: Unit, topic: Topic) -> Iterator[Fact]:
        start, end = amount.quantity.start, amount.quantity.end
        offset = len(text) - len(clause.rest)
        before, behind = clause.rest[: start - offset], text[end:]
        bare = _VAGUE.sub("", before)
        limited = _LIMIT.sub("", bare)
        if clause.verb in _BE.split("|") and not limited.strip():
            yield from self._is_amount(clause, amount, behind, bare, unit, topic, text)
        elif clause.base and not limited.strip():
            yield from self._does_amount(clause, amount, behind, unit, text)
        elif prep := _PREPOSITION.search(bare):
            yield from self._prepositional(
                clause, amount, bare[: prep.start()].strip(), prep["prep"], behind, unit, text
            )
        elif re.search(r"\bevery\s+$", bare) and not behind and clause.verb in f"{_BE}|{_MODAL}".split("|"):
            deed = bare[: bare.rindex("every")].strip()
            subject = self._lower(clause.subject)
            yield self._fact(
                unit, "number", f"How often {clause.verb} {subject} {deed}?", f"how often {subject} {clause.verb} {deed}",
                f"every {amount.words}", text, subject,
            )  # fmt: skip

    def _is_amount(
        self, clause: _Clause, amount: Amount, behind: str, limit: str, unit: Unit, topic: Topic, text: str
    ) -> Iterator[Fact]:
        """The annual fee of the Harbor Card is $95."""
        subject = self._lower(clause.subject)
        if how := re.match(r"^\s*(long|tall|wide|high|deep|old|away)(?= |$)(?P<tail>.*)$", behind):
            word = {"away": "far away"}.get(how[1], how[1])
            tail = how["tail"]
            yield self._fact(
                unit, "number", f"How {word} {clause.verb} {subject}{tail}?", f"how {word} {subject} {clause.verb}{tail}",
                amount.words, text, subject,
            )  # fmt: skip
            return
        tail = _TAIL.match(behind)
        if tail is None or _CLAUSE_WORDS.search(behind):
            return
        rest = f" {tail['tail']}" if tail["tail"] else ""
        attribute = (
            self._split(clause.subject, topic, f"{limit}{amount.words}{rest}".strip(), amount) if not rest else None
        )
        if attribute is not None:
            yield self.attribute_fact(attribute, unit, text)
            return
        yield self._fact(
            unit, "number", f"What {clause.verb} {subject}?", f"what {subject} {clause.verb}",
            f"{limit}{amount.words}{rest}".strip(), text, subject,
        )  # fmt: skip

    def _split(self, subject: str, topic: Topic, value: str, amount: Amount) -> Attribute | None:
        match = _OF.match(subject)
        if match and not match["owner"].startswith(("a ", "an ")):
            return Attribute(match["owner"], re.sub("^[Tt]he ", "", match["attribute"]), value, amount.quantity)
        bare = re.sub("^[Tt]he ", "", subject)
        if (
            topic.owner
            and subject.startswith("The ")
            and topic.owner.lower() not in bare.lower()
            and len(bare.split()) <= 4
        ):
            return Attribute(self._with_article(topic.owner), bare, value, amount.quantity)
        return None

    def _does_amount(self, clause: _Clause, amount: Amount, behind: str, unit: Unit, text: str) -> Iterator[Fact]:
        """The kettle holds 1.7 litres; the hall seats 420 people."""
        subject, base = self._lower(clause.subject), clause.base
        kind = measure(amount.quantity)
        behind = behind.strip()
        if base in ("cost", "weigh", "charge", "pay") and kind in ("money", "weight"):
            asked, tail = "How much", behind
        elif base in ("take", "last", "run") and kind == "time":
            asked, tail = "How long", behind
        elif kind == "percent":
            share = re.match(r"of (?P<whole>.+?)(?: (?P<tail>(?:in|to|on|from|into|for|as|at) .+))?$", behind)
            asked = f"What percentage of {share['whole']}" if share else "What percentage"
            tail = (share["tail"] or "") if share else behind
        else:
            counted = _COUNTED.match(f"{amount.unit.strip()} {behind}".strip())
            if counted is None or kind == "money":
                return
            noun = counted["noun"]
            if not amount.unit.strip() and not noun.split()[-1].endswith(("s", "people", "children", "men", "women")):
                return
            if len(noun.split()) > 1 and amount.unit.strip():
                noun, more = amount.unit.strip(), noun.removeprefix(amount.unit.strip())
                tail = f"{more}{counted['tail'] or ''}".strip()
            else:
                tail = (counted["tail"] or "").strip()
            noun, tail = self._joined_noun(noun, tail)
            asked = f"How many {noun}"
        if _CLAUSE_WORDS.search(tail) or len(tail.split()) > 9:
            return
        tail = f" {tail}" if tail else ""
        yield self._fact(
            unit, "number", f"{asked} {clause.does} {subject} {base}{tail}?", f"{asked[0].lower()}{asked[1:]} {subject} {clause.verb}{tail}",
            amount.words, text, subject,
        )  # fmt: skip

    def _joined_noun(self, noun: str, tail: str) -> tuple[str, str]:
        """Litres of water is one noun."""
        match = re.match(r"of [a-z]+(?: [a-z]+)?(?= (?:per|a|an|each|every|in|from|for|at|on|to)\b|$)", tail)
        return (f"{noun} {match.group()}", tail[match.end() :].strip()) if match else (noun, tail)

    def _prepositional(
        self, clause: _Clause, amount: Amount, deed: str, prep: str, behind: str, unit: Unit, text: str
    ) -> Iterator[Fact]:
        """Claims must be filed within 30 days of the event."""
        noun = amount.unit.strip()
        counted = _TAIL.match(behind)
        if (
            not noun
            or measure(amount.quantity) != "time"
            or counted is None
            or _CLAUSE_WORDS.search(behind)
            or prep == "until"
        ):
            return
        if _CLAUSE_WORDS.search(deed) or _LIST.search(deed):
            return
        noun = noun if noun.endswith("s") else f"{noun}s"
        tail = f" {counted['tail']}" if counted["tail"] else ""
        subject = self._lower(clause.subject)
        asked = f"{prep.capitalize()} how many {noun}{tail}"
        modal = clause.verb in f"{_BE}|{_MODAL}".split("|")
        aux, rest = (clause.verb, deed) if modal else (clause.does, f"{clause.base} {deed}".strip())
        if not modal and not clause.base:
            return
        polite = f"{asked[0].lower()}{asked[1:]} {subject} {clause.verb} {deed}".strip()
        if prep == "for":
            asked, polite = "For how long", f"for how long {subject} {clause.verb} {deed}".strip()
            if tail:
                return
        yield self._fact(
            unit,
            "number",
            f"{asked} {aux} {subject} {rest}?".replace("  ", " ").replace(" ?", "?"),
            polite,
            amount.words,
            text,
            subject,
        )

    def _dated(self, match: re.Match[str], text: str, unit: Unit) -> Iterator[Fact]:
        if not self._good(match["subject"]):
            return
        subject, verb, place = self._lower(match["subject"]), match["verb"], match["place"] or ""
        aux, _, deed = verb.partition(" ")
        polite = f"when {subject} {verb}{place}"
        question = f"When {aux} {subject} {deed}{place}?"
        if not deed:
            past = {"closed": "close", "moved": "move", "began": "begin"}
            question = f"When did {subject} {past.get(verb, verb.removesuffix('ed'))}{place}?"
        yield self._fact(unit, "number", question, polite, match["date"], text, subject)

    def _named_things(self, text: str, clause: _Clause, unit: Unit) -> Iterator[Fact]:
        """Places, makers, parts, definitions and what a thing does."""
        subject = self._lower(clause.subject)
        if match := _LOCATED.match(text):
            be, what = match["be"], match["what"]
            yield self._fact(
                unit,
                "fact",
                f"Where {be} {subject} {what}?",
                f"where {subject} {be} {what}",
                match["core"],
                text,
                subject,
            )
        elif match := _BY.match(text):
            who = self._who(match["agent"], match["deed"])
            if who:
                deed = f"{match['be']} {match['deed']}"
                agent = Agent(match["agent"], deed, subject)
                active = match["deed"] if match["be"] in ("was", "were") else self._own.deeds.get(match["deed"], "")
                question, polite = f"{who} {active} {subject}?", f"{who.lower()} {active} {subject}"
                if not active or not active.endswith(("s", "ed", "built", "made")):
                    question, polite = (
                        f"{who} {deed.split(maxsplit=1)[0]} {subject} {match['deed']} by?",
                        f"{who.lower()} {subject} {deed} by",
                    )
                yield self._fact(unit, "fact", question, polite, match["agent"], text, subject, agent)
        elif clause.base in (
            "include",
            "contain",
            "offer",
            "provide",
            "cover",
            "support",
            "remove",
            "prevent",
            "treat",
            "reduce",
            "track",
            "house",
        ):
            if (
                not _CLAUSE_WORDS.search(clause.rest)
                and len(clause.rest) >= 5
                and (_LIST.search(clause.rest) or clause.base not in ("cover", "offer"))
            ):
                question = f"What {clause.does} {subject} {clause.base}?"
                yield self._fact(unit, "fact", question, f"what {subject} {clause.verb}", clause.rest, text, subject)
        elif (
            clause.verb in ("is", "are")
            and re.match(r"(?:an?|the) [a-z]", clause.rest)
            and len(clause.subject.split()) <= 5
        ):
            asked = "What"
            if " of " not in clause.subject and _OF.match(clause.subject) is None:
                yield self._fact(
                    unit,
                    "fact",
                    f"{asked} {clause.verb} {subject}?",
                    f"what {subject} {clause.verb}",
                    clause.rest,
                    text,
                    subject,
                )

    def _who(self, agent: str, deed: str) -> str:
        """How the doer is asked for; "" when it is no one."""
        if _ORGANISATION.search(agent):
            return "Which organisation"
        if deed in _HUMAN and re.fullmatch(r"(?:[A-Z][\w.'-]+ ?)+|(?:the )?[a-z ]+ [A-Z][\w'-]+ [A-Z][\w'-]+", agent):
            return "Who"
        return ""

    def _lower(self, subject: str) -> str:
        """A subject inside of a sentence: its article or common first word in small letters."""
        first, _, rest = subject.partition(" ")
        following = rest.split(" ")[0] if rest else ""
        if first in ("The", "A", "An") or (first[1:].islower() and following[:1].islower()):
            return subject[0].lower() + subject[1:]
        return (
            subject
            if rest
            else (subject[0].lower() + subject[1:] if first.endswith("s") and first[1:].islower() else subject)
        )

    def _with_article(self, owner: str) -> str:
        """A name as it stands in a sentence: the Harbor Card, the K17, the adult ticket; but Riverton, Dolarin 200."""
        parts = owner.split()
        if parts[0].lower() in ("the", "a", "an"):
            return owner[0].lower() + owner[1:]
        if re.search(r"[A-Za-z]-?[0-9]", parts[-1]) or parts[-1].lower() in words(self._own.self_reference):
            return f"the {owner}"
        return f"the {self._small(owner)}" if len(parts) > 1 and parts[-1].islower() else owner

    def _fact(  # noqa: PLR0913, PLR0917 - the parts of one question
        self,
        unit: Unit,
        kind: Kind,
        question: str,
        polite: str,
        core: str,
        answer: str,
        subject: str,
        agent: Agent | None = None,
    ) -> Fact:
        said = answer[0].upper() + answer[1:].rstrip(".")
        return Fact(unit, kind, self.wording(question, polite), core, f"{said}.", subject, None, agent)

    def wording(self, question: str, polite: str) -> Wording:
        """A question in three tones; ``polite`` is the same question in the order of a statement."""
        casual = f"Quick question: {question[0].lower()}{question[1:]}"
        return Wording(question, f"Could you tell me {polite}?", casual)

    # ---- attributes

    def attribute_fact(self, attribute: Attribute, unit: Unit, statement: str = "") -> Fact:
        """The question for an attribute."""
        attribute = attribute._replace(owner=self._with_article(attribute.owner))
        thing, be = self._thing(attribute.attribute, attribute.owner)
        asked = "What"
        if (
            attribute.quantity is None
            and re.search(r"\b(?:date|hours)$", attribute.attribute.lower())
            and "hours" not in attribute.attribute.lower()
        ):
            asked = "When"
        answer = statement or f"{thing[0].upper()}{thing[1:]} {be} {attribute.value}"
        kind: Kind = "fact" if attribute.quantity is None else "number"
        wording = self.wording(f"{asked} {be} {thing}?", f"{asked.lower()} {thing} {be}")
        return Fact(unit, kind, wording, attribute.value, f"{answer}.", thing, attribute)

    def _thing(self, attribute: str, owner: str) -> tuple[str, str]:
        """``the annual fee of the Harbor Card`` and the verb that goes with it."""
        name = self._small(attribute)
        last = name.split(" of ")[0].split()[-1]
        be = "are" if last.endswith("s") and not last.endswith(("ss", "us", "is")) else "is"
        return f"the {name} of {owner}", be

    def _small(self, attribute: str) -> str:
        first, _, rest = attribute.partition(" ")
        return f"{first.lower()} {rest}".strip() if first[1:].islower() else attribute

    def comparison(self, more: Attribute, less: Attribute, flip: bool) -> tuple[Wording, str] | None:
        """Which of two things has more of an attribute; ``flip`` names the lesser first."""
        if more.quantity is None:
            return None
        one, other = self._with_article(more.owner), self._with_article(less.owner)
        first, second = (other, one) if flip else (one, other)
        word, name = self._adjective(more), self._small(more.attribute)
        article = "the"
        question = f"Which has {article} {word} {name}, {first} or {second}?"
        polite = f"which has {article} {word} {name}, {first} or {second}"
        answer = (
            f"{one[0].upper()}{one[1:]} has {article} {word} {name}: the {name} of {one} {self._thing(name, '')[1]} {more.value}, "
            f"and the {name} of {other} {self._thing(name, '')[1]} {less.value}."
        )
        return self.wording(question, polite), answer

    def _adjective(self, attribute: Attribute) -> str:
        assert attribute.quantity is not None  # noqa: S101 - comparisons have one
        if attribute.attribute.lower().endswith(("weight", "capacity", "area", "limit", "size", "length", "distance")):
            return "greater" if not attribute.attribute.lower().endswith("capacity") else "larger"
        return self._own.adjectives.get(measure(attribute.quantity), self._own.adjectives["other"])

    def two_attributes(self, one: Attribute, other: Attribute) -> tuple[Wording, str]:
        """Two attributes of one thing."""
        owner = self._with_article(one.owner)
        names = f"the {self._small(one.attribute)} and the {self._small(other.attribute)} of {owner}"
        answers = (
            f"The {self._small(one.attribute)} of {owner} {self._thing(one.attribute, '')[1]} {one.value}, "
            f"and the {self._small(other.attribute)} {self._thing(other.attribute, '')[1]} {other.value}."
        )
        return self.wording(f"What are {names}?", f"what {names} are"), answers

    def two_owners(self, one: Attribute, other: Attribute) -> tuple[Wording, str]:
        """One attribute of two things."""
        name = self._small(one.attribute)
        owners = [self._with_article(attribute.owner) for attribute in (one, other)]
        be = self._thing(name, "")[1]
        names = (
            f"the {name} of {owners[0]} and that of {owners[1]}"
            if be == "is"
            else f"the {name} of {owners[0]} and {owners[1]}"
        )
        answer = f"The {name} of {owners[0]} {be} {one.value}, and the {name} of {owners[1]} {be} {other.value}."
        return self.wording(f"What are {names}?", f"what {names} are"), answer

    def bridge(self, agent: Agent, fact: Fact) -> tuple[Wording, str] | None:
        """Where is the organisation that the Harbor Card is issued by headquartered?"""
        name = agent.agent
        question = fact.wording.plain
        pattern = re.compile(rf"\b(?:the )?{re.escape(re.sub('^the ', '', name))}\b")
        if len(pattern.findall(question)) != 1 or not _ORGANISATION.search(name):
            return None
        verb, _, deed = agent.deed.partition(" ")
        who = f"the organisation by which {agent.thing} {verb} {deed}"
        if verb in ("is", "are") and deed in self._own.deeds:
            who = f"the organisation that {self._own.deeds[deed]} {agent.thing}"
        polite = fact.wording.formal.removeprefix("Could you tell me ").rstrip("?")
        thing = agent.thing[0].upper() + agent.thing[1:]
        answer = f"{thing} {agent.deed} by {name}. {fact.answer}"
        return self.wording(pattern.sub(who, question), pattern.sub(who, polite)), answer

    def absent(self, owner: str, attribute: str, asked: str = "") -> tuple[Wording, str]:
        """A question that nothing answers, and the answer that says so."""
        thing, be = self._thing(attribute.replace("_", " "), self._with_article(owner))
        opening = asked.replace("_", " ") or f"What {be}"
        word, _, verb = opening.partition(" ")
        return self.wording(
            f"{opening} {thing}?", f"{word.lower()} {thing} {verb}"
        ), f"The documents do not mention {thing}."

    def unknown(self) -> str:
        """The answer to a question that the documents do not answer."""
        return "The documents do not mention this."

    # ---- places

    def names(self, subject: str) -> bool:
        """Whether a subject opens with a name of its own."""
        return re.search(r"(?<!^)\b[A-Z][a-z]+", subject) is not None

    def in_document(self, question: str, title: str) -> str:
        """A question that names the document it is about."""
        return f"{question.removesuffix('?')}, according to “{title}”?"

    def situated(self, opening: str, question: str) -> str:
        """A question after the words of who asks."""
        return f"{opening} {question}"
