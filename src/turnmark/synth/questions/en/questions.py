"""English: the words asked for move to the front, and the verb with them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from turnmark.synth.documents.model import Unit
from turnmark.synth.documents.units import Line
from turnmark.synth.questions.amounts import Amount, amounts, measure
from turnmark.synth.questions.en import patterns as shapes
from turnmark.synth.questions.en.wording import EnglishWording
from turnmark.synth.questions.model import Agent, Attribute, Fact
from turnmark.synth.questions.topics import Topic
from turnmark.synth.questions.wordlists import any_of, opens_with, words


class _Clause(NamedTuple):
    """Subject, finite verb and the rest of a statement; ``base`` is the verb behind ``does``, "" for be and modals."""

    subject: str
    verb: str
    rest: str
    base: str
    does: str


class English(EnglishWording):
    """Questions in English."""

    def __init__(self) -> None:
        super().__init__()
        own = self._own
        self._refused = opens_with(own.refused_openings, whole_words=True)
        self._instructions = opens_with(own.instructions, whole_words=True)
        self._self = re.compile(rf"\b(?:[Tt]his|[Tt]he present) (?:{any_of(words(own.self_reference))})\b")
        finite = f"{shapes.BE}|{shapes.MODAL}|{any_of(own.verbs)}|(?:(?<=s )(?:{any_of(words(own.plural_verbs))}))"
        self._finite = re.compile(rf"^{shapes.SUBJECT} (?P<verb>{finite}) (?P<rest>.{{1,140}})$")

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
        statement = shapes.NEXT_STATEMENT.split(text)[0]
        yield from self._statement(statement, unit, topic)

    def _named(self, name: str, found: str) -> str:
        the = f"the {name}" if not name[:1].isdigit() else name
        return the[0].upper() + the[1:] if found[0].isupper() else the

    def _whole(self, text: str, unit: Unit) -> Iterator[Fact]:
        if match := shapes.CONDITION.match(text):
            condition, main = match["condition"], match["main"]
            if shapes.PRONOUN.search(condition) or (
                shapes.PRONOUN.search(main.split(",")[0]) and not self._instructs(main)
            ):
                return
            when = match["when"].lower().replace("whenever", "when")
            asked = "What should you do" if self._instructs(main) else "What happens"
            question, polite = (
                f"{asked} {when} {condition}?",
                f"what {'to do' if self._instructs(main) else 'happens'} {when} {condition}",
            )
            yield self._fact(unit, "fact", question, polite, main, text, condition)
        elif match := shapes.PURPOSE.match(text):
            if self._instructs(match["main"]) and not shapes.PRONOUN.search(match["goal"]):
                goal = match["goal"]
                yield self._fact(unit, "fact", f"How do you {goal}?", f"how to {goal}", match["main"], text, goal)
        elif match := shapes.WHEN_TO.match(text):
            if self._instructs(match["main"]) and not shapes.PRONOUN.search(match["doing"]):
                said = f"{match['when'].lower()} {match['doing']}"
                yield self._fact(
                    unit, "fact", f"What should you do {said}?", f"what to do {said}", match["main"], text, said
                )
        elif (match := shapes.BECAUSE.match(text)) and self._good(match["subject"]):
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
        if dated := shapes.DATED.match(text):
            yield from self._dated(dated, text, unit)
            return
        result = amounts(text, topic.name)
        clause = self._clause(text)
        if clause is None:
            return
        if not result:
            yield from self._named_things(text, clause, unit)
        elif (
            len(result) == 1 and result[0].quantity.start >= len(clause.subject) and result[0].quantity.kind == "amount"
        ):
            yield from self._measured(text, clause, result[0], unit, topic)

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
        if self._refused.match(subject) or shapes.PRONOUN.search(subject) or len(subject.split()) > 12:
            return False
        return shapes.CLAUSE_WORDS.search(subject) is None

    def _measured(self, text: str, clause: _Clause, amount: Amount, unit: Unit, topic: Topic) -> Iterator[Fact]:
        start, end = amount.quantity.start, amount.quantity.end
        offset = len(text) - len(clause.rest)
        before, behind = clause.rest[: start - offset], text[end:]
        bare = shapes.VAGUE.sub("", before)
        limited = shapes.LIMIT.sub("", bare)
        if clause.verb in shapes.BE.split("|") and not limited.strip():
            yield from self._is_amount(clause, amount, behind, bare, unit, topic, text)
        elif clause.base and not limited.strip():
            yield from self._does_amount(clause, amount, behind, unit, text)
        elif (prep := shapes.PREPOSITION.search(bare)) and not shapes.UNFINISHED.search(bare[: prep.start()].strip()):
            yield from self._prepositional(
                clause, amount, bare[: prep.start()].strip(), prep["prep"], behind, unit, text
            )
        elif shapes.EVERY.search(bare) and not behind and clause.verb in shapes.FIXED:
            deed = bare[: bare.rindex("every")].strip()
            subject = self._lower(clause.subject)
            yield self._fact(
                unit, "number", f"How often {clause.verb} {subject} {deed}?",
                f"how often {subject} {clause.verb} {deed}",
                f"every {amount.words}", text, subject,
            )  # fmt: skip

    def _is_amount(
        self, clause: _Clause, amount: Amount, behind: str, limit: str, unit: Unit, topic: Topic, text: str
    ) -> Iterator[Fact]:
        """The annual fee of the Harbor Card is $95."""
        subject = self._lower(clause.subject)
        if how := shapes.HOW.match(behind):
            word, tail = {"away": "far away"}.get(how["how"], how["how"]), how["tail"]
            yield self._fact(
                unit, "number", f"How {word} {clause.verb} {subject}{tail}?",
                f"how {word} {subject} {clause.verb}{tail}", amount.words, text, subject,
            )  # fmt: skip
            return
        tail = shapes.TAIL.match(behind)
        if tail is None or shapes.CLAUSE_WORDS.search(behind):
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
        match = shapes.OF.match(subject)
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
            share = shapes.SHARE.match(behind)
            asked = f"What percentage of {share['whole']}" if share else "What percentage"
            tail = (share["tail"] or "") if share else behind
        else:
            counted = shapes.COUNTED.match(f"{amount.unit.strip()} {behind}".strip())
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
        if shapes.CLAUSE_WORDS.search(tail) or len(tail.split()) > 9:
            return
        tail = f" {tail}" if tail else ""
        yield self._fact(
            unit, "number", f"{asked} {clause.does} {subject} {base}{tail}?",
            f"{asked[0].lower()}{asked[1:]} {subject} {clause.verb}{tail}", amount.words, text, subject,
        )  # fmt: skip

    def _joined_noun(self, noun: str, tail: str) -> tuple[str, str]:
        """Litres of water is one noun."""
        match = shapes.SUBSTANCE.match(tail)
        return (f"{noun} {match.group()}", tail[match.end() :].strip()) if match else (noun, tail)

    def _prepositional(
        self, clause: _Clause, amount: Amount, deed: str, prep: str, behind: str, unit: Unit, text: str
    ) -> Iterator[Fact]:
        """Claims must be filed within 30 days of the event."""
        noun = amount.unit.strip()
        counted = shapes.TAIL.match(behind)
        if (
            not noun
            or measure(amount.quantity) != "time"
            or counted is None
            or shapes.CLAUSE_WORDS.search(behind)
            or prep == "until"
        ):
            return
        if shapes.CLAUSE_WORDS.search(deed) or shapes.LIST.search(deed):
            return
        noun = noun if noun.endswith("s") else f"{noun}s"
        tail = f" {counted['tail']}" if counted["tail"] else ""
        subject = self._lower(clause.subject)
        asked = f"{prep.capitalize()} how many {noun}{tail}"
        modal = clause.verb in shapes.FIXED
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
        subject, verb, position = self._lower(match["subject"]), match["verb"], match["place"] or ""
        aux, _, deed = verb.partition(" ")
        polite = f"when {subject} {verb}{position}"
        question = f"When {aux} {subject} {deed}{position}?"
        if not deed:
            past = {"closed": "close", "moved": "move", "began": "begin"}
            question = f"When did {subject} {past.get(verb, verb.removesuffix('ed'))}{position}?"
        yield self._fact(unit, "number", question, polite, match["date"], text, subject)

    def _named_things(self, text: str, clause: _Clause, unit: Unit) -> Iterator[Fact]:
        """Places, makers, parts, definitions and what a thing does."""
        subject = self._lower(clause.subject)
        if match := shapes.LOCATED.match(text):
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
        elif match := shapes.BY.match(text):
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
                not shapes.CLAUSE_WORDS.search(clause.rest)
                and len(clause.rest) >= 5
                and (shapes.LIST.search(clause.rest) or clause.base not in ("cover", "offer", "include", "contain"))
            ):
                question = f"What {clause.does} {subject} {clause.base}?"
                if clause.base == "include" and clause.does == "do":
                    group = subject if subject.startswith("the ") else f"the {subject}"
                    yield self._fact(
                        unit, "fact", f"What are {group}?", f"what {group} are", clause.rest, text, subject
                    )
                    return
                yield self._fact(unit, "fact", question, f"what {subject} {clause.verb}", clause.rest, text, subject)
        elif clause.verb in ("is", "are") and shapes.A_KIND.match(clause.rest) and len(clause.subject.split()) <= 5:
            asked = "What"
            if " of " not in clause.subject and shapes.OF.match(clause.subject) is None:
                yield self._fact(
                    unit,
                    "fact",
                    f"{asked} {clause.verb} {subject}?",
                    f"what {subject} {clause.verb}",
                    clause.rest,
                    text,
                    subject,
                )
