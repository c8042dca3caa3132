"""Numbers in English words: twenty-five, a third, one and a half, six point nine."""

import re

from turnmark.language.later import later
from turnmark.language.quantity import numerals as nm
from turnmark.language.quantity.atom import Atom
from turnmark.language.quantity.units import match_unit

EN_SCALE = later(r" ?(thousand|million|billion|trillion|lakh|crore|bn|mn|tn)s?\b")
_WORD = "|".join(sorted((*nm.EN_WORDS, *nm.EN_SCALES), key=len, reverse=True))
_EN_DIGITS = {word: str(nm.EN_WORDS[word]) for word in "zero one two three four five six seven eight nine".split()}  # noqa: SIM905
_FIRST_WORD = "|".join(sorted(nm.EN_WORDS, key=len, reverse=True))
_EN_RUN = later(rf"(?<![a-z-])(?:{_FIRST_WORD})(?:(?:[ -]| and )(?:{_WORD})){{0,9}}(?![a-z])")
_EN_PART = later(
    r"(?<![a-z-])(?:(?P<count>a|an|one|two|three|four|five|six|seven|eight|nine)[ -]{1,2}"
    r"(?P<part>half|third|thirds|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?)"
    r"(?=$| of| less| more| cup| hour| an?\b| to| ?[,.;:)*]| and| glass| tablet| pill| protein| vegetables| grains)"
    r"|(?P<half>half))(?![a-z])(?! past)"
)
# Six point nine.
_EN_DECIMALS = later(rf" point(?P<digits>(?: (?:{'|'.join(_EN_DIGITS)}))+)(?![a-z-])")
# One and a half; a year and a half, two points and a half.
AND_A_HALF = later(r"[ -]and[ -](?:a|one)[ -]half(?![a-z])")
_DETERMINERS = frozenset(("the", "this", "that", "next", "last", "past", "first", "final", "every", "each", "another"))
_BEFORE_HALF = later(r"(?<![a-z0-9])(?:[0-9]+|[a-z]+)(?:[ -][a-z]+){1,3} and (?:a |one )?$")
_EN_WORD = later("[a-z]+")
_EN_FIRST = frozenset((*nm.EN_WORDS, "a", "an", "half"))
_EN_NUMBERS = frozenset((*nm.EN_WORDS, "half", *nm.EN_FRACTIONS))


def english_atoms(text: str) -> list[Atom]:
    """The numbers of a folded text that are written in English words, in order."""
    atoms: list[Atom] = []
    # Most texts hold an article but no number in words.
    if _EN_NUMBERS.isdisjoint(_EN_WORD.findall(text)):
        return atoms
    halves = "half" in text
    for word in _EN_WORD.finditer(text):
        if word.group() not in _EN_FIRST and not (halves and word.group() in _DETERMINERS):
            continue
        start = word.start()
        if one_and_a_half := _one_and_a_half(text, word) if halves else None:
            atoms.append(one_and_a_half)
        elif part := _EN_PART.match(text, start):
            if _goes_with_noun(text, part):
                continue
            count = nm.parse_en(part["count"]) if part["count"] else None
            value = 0.5 if part["half"] else (count.low if count else 1.0) / nm.EN_FRACTIONS[part["part"]]
            atoms.append(Atom(*part.span(), value, value, False, "fraction", False))
        elif run := _EN_RUN.match(text, start):
            atom = _en_run(text, run)
            if atom is not None and (not atoms or atoms[-1].end <= start):
                atoms.append(atom)
    return atoms


def _one_and_a_half(text: str, word: re.Match[str]) -> Atom | None:
    """Return the one that no number says before a unit and a half: a year and a half, the next year and a half."""
    start, end = word.span()
    unit = match_unit(text, end + 1)
    if unit is None or not AND_A_HALF.match(text, unit[1]):
        return None
    if word.group() in ("a", "an"):
        return Atom(start, end, 1.0, 1.0, False, "words", True)
    return Atom(end + 1, end + 1, 1.0, 1.0, False, "words", True) if word.group() in _DETERMINERS else None


def _goes_with_noun(text: str, part: re.Match[str]) -> bool:
    """Tell the half of "a page and a half", which is no share, from that of "a third in cash and a half in bonds"."""
    if not (part["half"] or part["part"] == "half") or text.startswith((" in ", " of ", " to "), part.end()):
        return False
    start = part.start()
    articled = part["part"] == "half" or text[max(0, start - 2) : start] in ("a ", "e ")
    return articled and _BEFORE_HALF.search(text, max(0, start - 40), start) is not None


def _en_run(text: str, run: re.Match[str]) -> Atom | None:
    written, end = run.group(), run.end()
    parsed = nm.parse_en(written)
    while parsed is None and " " in written:
        # "five ten" is two numbers: take the longest beginning that is one.
        written = written.rpartition(" ")[0]
        end = run.start() + len(written)
        parsed = nm.parse_en(written)
    if parsed is None:
        return None
    value = parsed.low
    if decimals := _EN_DECIMALS.match(text, end):
        value = float(f"{value:g}." + "".join(_EN_DIGITS[word] for word in decimals["digits"].split()))
        return Atom(run.start(), decimals.end(), value, value, False, "digits", False)
    if half := AND_A_HALF.match(text, end):
        value, end = value + 0.5, half.end()
        if scale := EN_SCALE.match(text, end):
            value, end = value * nm.EN_DIGIT_SCALES[scale[1]], scale.end()
    return Atom(run.start(), end, value, value, False, "words", value < 13)
