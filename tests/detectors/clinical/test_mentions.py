"""Mentions that stand on their own, and passages of very long sentences."""

from hypothesis import given
from hypothesis import strategies as st

from turnmark.detectors.clinical.safety.advice import Mention
from turnmark.detectors.clinical.safety.mentions import of_their_own
from turnmark.detectors.clinical.safety.stance import AdviceStanceReader
from turnmark.detectors.clinical.safety.stance_text import StanceText
from turnmark.language.analysis import analyse

SPANS = st.tuples(st.integers(0, 9), st.integers(1, 6)).map(lambda span: (span[0], span[0] + span[1]))
MENTIONS = st.dictionaries(st.tuples(st.sampled_from("ab"), SPANS), st.booleans(), max_size=8)
ASIDES = st.dictionaries(st.sampled_from("ab"), st.lists(SPANS, min_size=1, max_size=3))


@given(MENTIONS, ASIDES)
def test_a_mention_stands_on_its_own_outside_look_alikes_and_longer_words(found, asides):
    mentions = [
        Mention(label, start, end, phrase_advises=False, rule="r", is_word=word)
        for (label, (start, end)), word in found.items()
    ]
    apart = [
        one
        for one in mentions
        if not any(start < one.end and one.start < end for start, end in asides.get(one.label, []))
    ]
    alone = [
        one
        for one in apart
        if not any(
            other.is_word
            and other.label == one.label
            and other.start <= one.start
            and one.end <= other.end
            and other != one
            for other in apart
        )
    ]
    key = [(one.start, one.end, one.label) for one in of_their_own(mentions, asides)]
    assert key == sorted((one.start, one.end, one.label) for one in alone)


def test_a_passage_of_a_very_long_sentence_is_read_with_the_cues_near_it():
    text = "不要吃香蕉也不要喝" * 2000
    read = analyse(text, "zh")
    view = StanceText(read)
    assert len(view.cues) > 4000
    assert 0 < len(view.around(read.segments.sentence_index(9000), 9000, 9002)) < 400


def test_the_far_end_of_a_long_sentence_changes_nothing_near_its_beginning():
    short, tail = "建议您每天吃香蕉", "和苹果" * 3000
    for text in (short, short + tail):
        start = text.index("香蕉")
        assert AdviceStanceReader(analyse(text, "zh")).read(start, start + 2).advised
