"""Korean particles by how a word is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.language.text.particles import final_consonant, with_particle


@pytest.mark.parametrize(
    ("word", "topic"),
    [
        ("당뇨병", "당뇨병은"),
        ("당화혈색소", "당화혈색소는"),
        ("7.2%", "7.2%는"),
        ("메트포르민 500mg", "메트포르민 500mg은"),
        ("154mg/dL", "154mg/dL는"),
        ("72/min", "72/min은"),
        ("131/82mmHg", "131/82mmHg는"),
        ("48mL/min/1.73m2", "48mL/min/1.73m2는"),
        ("55mmol/mol", "55mmol/mol은"),
        ("187×10^3/uL", "187×10^3/uL는"),
        ("HbA1c", "HbA1c는"),
        ("LDL", "LDL은"),
        ("BMI", "BMI는"),
        ("metformin", "metformin은"),
        ("고혈압(HTN)", "고혈압(HTN)은"),
        ("‘천식’", "‘천식’은"),
        ("27.1", "27.1은"),
        ("5", "5는"),
        ("", "는"),
    ],
)
def test_topic_particle_follows_the_reading(word, topic):
    assert with_particle(word, "은/는") == topic


@pytest.mark.parametrize(
    ("word", "particle", "expected"),
    [
        ("두통", "으로/로", "두통으로"),
        ("피로", "으로/로", "피로로"),
        ("수술", "으로/로", "수술로"),
        ("수술", "을/를", "수술을"),
        ("체중 98.4kg", "이었/였", "체중 98.4kg이었"),
        ("혈압 120/80mmHg", "이었/였", "혈압 120/80mmHg였"),
    ],
)
def test_other_particles(word, particle, expected):
    assert with_particle(word, particle) == expected


@given(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3))
def test_every_syllable_takes_the_particle_of_its_final_consonant(syllable):
    closed = (ord(syllable) - 0xAC00) % 28 > 0
    assert with_particle(syllable, "이/가") == syllable + ("이" if closed else "가")


@given(st.text())
def test_any_text_gets_one_of_the_two(text):
    assert 0 <= final_consonant(text) < 28
    assert with_particle(text, "은/는") in {text + "은", text + "는"}
