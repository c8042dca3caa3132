"""The distinctive words of a procedure of the record, by which an answer names it in everyday words.

"retinal laser therapy" is named by "after the retinal laser", 동정맥루 조성술 by 동정맥루: what is left when the words
that every procedure shares (surgery, insertion, 수술, 成形术) are taken away.
"""

from __future__ import annotations

from turnmark.language.later import later

_SHARED = later(
    r"\b(?:surgery|operation|procedure|therapy|treatment|insertion|implantation|placement|replacement|repair|removal"
    r"|resection|creation|formation|laparoscopic|open|total|partial|left|right|bilateral|status|post|of|the|for|with|and|in)\b"
    r"|(?:제거|절제|삽입|조성|치환|재건|봉합|성형|교정|이식|복원|확장|성형|시행)?(?:수술|시술|술)(?:후|력)?(?![가-힣])|치료(?![가-힣])|전체|부분|좌측|우측|양측|복강경"
    r"|(?:切除|植入|置入|置换|修补|成形|重建|摘除|移植|造口|造瘘)?(?:手术|术)后?|治疗|左侧|右侧|双侧|腹腔镜"
)
_WORD = later("[a-z]{4,}|[가-힣]{2,}|[\u4e00-\u9fff]{2,}")


def distinctive_words(procedure: str) -> list[str]:
    """Return the words of a folded procedure that tell it from others, in order; empty when none does."""
    return _WORD.findall(_SHARED.sub(" ", procedure))


_REACH = 24
"""Characters between two words of one procedure."""
# A long word names a procedure alone (동정맥루, elastography); 무릎 and knee are parts of the body.
_TELLS_ALONE = later("[가-힣]{4}|[a-z]{10}")
_OPERATED = later(
    r"surgery|operation|operated|replace|implant|removed|repair|procedure|수술|시술|[가-힣]술(?![가-힣])|삽입|제거|이식|术|置换|植入|切除"
)


def naming_span(procedure: str, text: str) -> tuple[int, int] | None:
    """Return where a folded text names a procedure: whole, by its distinctive words, or one and an operation."""
    whole = text.find(procedure)
    if whole >= 0:
        return whole, whole + len(procedure)
    names = distinctive_words(procedure)
    for name in names:
        start = text.find(name)
        while start >= 0:
            end = start + len(name)
            around = text[max(0, start - _REACH) : end + _REACH]
            others = [other for other in names if other != name]
            alone = _TELLS_ALONE.match(name) is not None
            together = bool(others) and all(other in around for other in others)
            if together or alone or _OPERATED.search(around.replace(name, " ")):
                return start, end
            start = text.find(name, end)
    return None
