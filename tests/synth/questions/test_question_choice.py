import random
from collections import Counter

import pytest

from turnmark.errors import PackError, UsageError
from turnmark.synth.documents.model import Document, Unit
from turnmark.synth.documents.units import passages
from turnmark.synth.questions.model import Candidate, Persona, Wording
from turnmark.synth.questions.personas import persona_for, read_personas, said, shipped_personas
from turnmark.synth.questions.reading import unit_facts
from turnmark.synth.questions.selection import Chooser, Known, absent_candidates, pair_candidates
from turnmark.synth.questions.speakers import speaker
from turnmark.synth.questions.topics import Topics

CARDS = {
    "zh": (
        """# 青禾卡产品说明

青禾卡由绿田银行发行。青禾卡的年费为80元。青禾卡的取现限额为2万元。

## 期限

青禾卡的有效期为5年。
""",
        "# 紫云卡产品说明\n\n紫云卡由绿田银行发行。紫云卡的年费为200元。\n",
        "# 绿田银行简介\n\n绿田银行成立于1996年。\n",
    ),
    "en": (
        """# Sprout Card Key Facts

The Sprout Card is issued by Alder Bank. The annual fee of the Sprout Card is $80.
The cash limit of the Sprout Card is $500.

## Term

The term of the Sprout Card is five years.
""",
        "# Cloud Card Key Facts\n\nThe Cloud Card is issued by Alder Bank. The annual fee of the Cloud Card is $200.\n",
        "# Alder Bank\n\nAlder Bank was founded in 1996.\n",
    ),
    "ko": (
        """# 새싹카드 상품 안내

새싹카드는 초록은행이 발행한다. 새싹카드의 연회비는 8만 원이다. 새싹카드의 인출 한도는 50만 원이다.

## 기간

새싹카드의 유효 기간은 5년이다.
""",
        "# 구름카드 상품 안내\n\n구름카드는 초록은행이 발행한다. 구름카드의 연회비는 20만 원이다.\n",
        "# 초록은행 소개\n\n초록은행은 1996년에 설립되었다.\n",
    ),
}


def known(language):
    found = []
    for number, text in enumerate(CARDS[language]):
        own = list(passages(Document(f"{number}.md", text, "utf-8")))
        topics = Topics(own, language)
        found += [
            Known(fact, topics.topic(passage))
            for passage in own
            for fact in unit_facts(passage, topics.topic(passage), speaker(language))
        ]
    return found


@pytest.mark.parametrize(
    ("language", "comparison", "bridge", "owners", "attributes"),
    [
        (
            "zh", "哪个的年费更高？", "发行青禾卡的银行是哪一年成立的？",
            "的年费分别是多少？", "青禾卡的年费和有效期分别是多少？",
        ),
        (
            "en", "Which has the higher annual fee, ", "When was the organisation that issues the Sprout Card founded?",
            "What are the annual fee of the ", "What are the annual fee and the term of the Sprout Card?",
        ),
        (
            "ko", " 중 연회비가 더 높은 것은 무엇인가요?", "새싹카드를 발행하는 은행은 언제 설립되었나요?",
            "의 연회비는 각각 얼마인가요?", "새싹카드의 연회비와 유효 기간은 각각 어떻게 되나요?",
        ),
    ],
)  # fmt: skip
def test_pairs_of_facts(language, comparison, bridge, owners, attributes):
    found = list(pair_candidates(known(language), speaker(language), random.Random(1)))
    compared = [one for one in found if one.kind == "comparison"]
    assert [comparison in one.wording.plain for one in compared] == [True]
    assert compared[0].core.replace(" ", "") in ("200元", "$200", "20만원")
    questions = {one.wording.plain: one for one in found if one.kind == "multi_hop"}
    assert bridge in questions
    assert attributes in questions
    assert any(owners in question for question in questions)
    assert all(len(one.units) == 2 for one in found)
    assert {unit.file for unit in questions[bridge].units} == {"0.md", "2.md"}


def test_questions_without_an_answer_ask_first_for_what_others_of_the_kind_have():
    found = [one.wording.plain for one in absent_candidates(known("zh"), speaker("zh"), random.Random(1))]
    assert set(found[:2]) == {"紫云卡的取现限额是多少？", "紫云卡的有效期是多少？"}
    assert "青禾卡的客服电话是多少？" in found[2:]


def candidate(question, answer="It is $80.", core="$80", kind="number", units=("a#1",)):
    wording = Wording(question, f"Could you tell me {question}", f"Hey, {question}")
    return Candidate(kind, wording, answer, core, tuple(Unit(name, "a.md", 0, 1, "t") for name in units), "en")


def test_doubles_leading_questions_and_unsupported_answers_are_left_out():
    chooser = Chooser(
        lambda _question, answer, _contexts: "$80" in answer, lambda question, _subject: "slogan" in question
    )
    assert chooser.accepts(candidate("What is the annual fee?"))
    assert not chooser.accepts(candidate("what is the ANNUAL fee"))
    assert not chooser.accepts(candidate("How much is the yearly charge?"))
    assert not chooser.accepts(candidate("Is the fee of $80 waived?", units=("a#2",)))
    assert not chooser.accepts(candidate("What is the late fee?", "It is $9.", "$9"))
    assert not chooser.accepts(candidate("What is the slogan?", "Not said.", "", "unanswerable", ()))
    assert chooser.accepts(candidate("What is the hotline?", "Not said.", "", "unanswerable", ()))
    assert chooser.left == Counter(
        {
            "asked already": 2,
            "the question holds its answer": 1,
            "the judge does not see the answer in its unit": 1,
            "the documents may answer it": 1,
        }
    )


def test_kinds_are_balanced_while_there_are_any():
    chooser = Chooser(lambda *_: True, lambda *_: False)
    facts = [
        candidate(f"What is thing {number}?", core=f"c{number}", kind="fact", units=(f"a#{number}",))
        for number in range(9)
    ]
    numbers = [candidate(f"How many are in {n}?", core=f"n{n}", units=(f"b#{n}",)) for n in range(2)]
    chosen = chooser.choose("en", {"fact": iter(facts), "number": iter(numbers)}, 7)
    assert [one.kind for one in chosen] == ["fact", "number", "fact", "number", "fact", "fact", "fact"]


def test_there_are_never_more_unanswerable_questions_than_of_the_most_frequent_other_kind():
    chooser = Chooser(lambda *_: True, lambda *_: False)
    unanswerable = [candidate(f"What is absent {n}?", "Not said.", "", "unanswerable", ()) for n in range(9)]
    facts = [candidate(f"What is thing {n}?", core=f"c{n}", kind="fact", units=(f"a#{n}",)) for n in range(2)]
    chosen = chooser.choose("en", {"fact": iter(facts), "unanswerable": iter(unanswerable)}, 9)
    assert [one.kind for one in chosen] == ["fact", "unanswerable", "fact", "unanswerable"]


def test_a_persona_is_chosen_by_interest_and_kind_and_speaks_in_its_tone():
    plain = Persona(id="p", name="n", lang="en")
    keen = Persona(
        id="k",
        name="n",
        lang="en",
        tone="formal",
        shape="situated",
        opening="I compare fees.",
        interest=["Fee"],
        kinds=["number"],
    )
    used = Counter(k=1)
    fee = candidate("what is the fee?")
    assert persona_for(fee, (plain, keen), used) is keen
    assert persona_for(fee._replace(kind="fact"), (plain, keen), used) is plain
    assert persona_for(fee, (Persona(id="z", name="n", lang="zh"),), used) is None
    found = said(fee._replace(document="Card Facts"), keen, speaker("en"), many_documents=True)
    assert found == "I compare fees. Could you tell me what is the fee, according to “Card Facts”?"
    assert said(fee._replace(document="Card Facts"), plain, speaker("en"), many_documents=False) == "what is the fee?"


def test_shipped_personas_serve_every_language_in_every_tone():
    found = shipped_personas()
    assert {(persona.lang, persona.tone) for persona in found} == {
        (language, tone) for language in ("zh", "ko", "en") for tone in ("plain", "formal", "casual")
    }


def test_files_of_personas(tmp_path):
    path = tmp_path / "personas.json"
    path.write_text('{"personas": [{"id": "a", "name": "nurse", "lang": "en", "interest": ["dose"]}]}')
    assert read_personas(path) == (Persona(id="a", name="nurse", lang="en", interest=["dose"]),)
    path.write_text('{"personas": [{"id": "a", "name": "n", "lang": "en"}, {"id": "a", "name": "n", "lang": "ko"}]}')
    with pytest.raises(UsageError, match="a more than once"):
        read_personas(path)
    path = tmp_path / "personas.yaml"
    path.write_text("personas:\n  - {id: a, name: n, lang: en, tone: loud}\n  - {id: b, name: n, lang: xx}\n")
    with pytest.raises(PackError, match=r"personas\.yaml:2: .*tone") as caught:
        read_personas(path)
    assert "personas.yaml:3" in str(caught.value)
    path.write_text("personas:\n  - {id: a, name: n, lang: en, shape: situated}\n")
    with pytest.raises(PackError, match="opening"):
        read_personas(path)
