"""Where one sentence falls into clauses, by the rules of its own language."""

import re

from turnmark.language.later import later

Span = tuple[int, int]

_HANGUL = later("[\uac00-\ud7a3]")
_HAN = later("[\u4e00-\u9fff]")

# A match begins where a clause may end: at a stop, a comma or a space, or at the word that opens the next one. What
# stands before is asked behind, so that all other characters are passed over quickly.
_STOPS = frozenset(",;-")
_ZH = later(
    ",|;|--+"
    "|但(?<!不但)(?!愿|凡|书)|然而|可是|反而|而是|而非|而不是|而(?=[您你他她我])|却(?!步|实)|只不过|反之|不如(?=[^,;。])"
)
_EN_OPENING = later(
    r"[\s\"'(*_]*(?:if|when|whenever|because|since|although|though|while|once|unless|after|before|as|with|for|given|"
    r"even|until|at|in|on|instead|rather|despite|without)\b"
)
_EN_SUBJECT = (
    r"(?:you|you're|you'll|you've|we|we'll|we'd|i|i'd|i'll|i'm|i've|it|it's|they|he|she|this|that|that's|these|those"
    r"|there|there's|here|let's|please|then|so|but|yet|or\s+else|just|instead|also|otherwise|which|who|who's|where"
    r"|whose|because|since|although|though|while|whereas|however|unless|if|rather|not|try|keep|take|use|swap|choose"
    r"|pick|have|eat|drink|walk|start|stop|ask|call|go|stay|avoid|skip|limit|check|do|don't|never|consider|aim|see"
    r"|your|our|my|his|her|their)"
)
_EN = later(
    r"[;:,\s-](?:(?<=;)|(?<=-)-+|(?<=:)(?=\s)"
    rf"|(?<=,)(?=\s+(?:(?:and\s+|so\s+)?{_EN_SUBJECT}\b|and\s+(?:is|are|was|were|can|will|has)\b))"
    r"|(?<=\s)(?=(?:but|however|although|though|whereas|while|because|unless|yet|rather\s+than|instead\s+of|if"
    r"|and\s+(?=(?:you|we|i|it|they|don't|do\s+not|never|instead)\b))\b))"
)
_KO_ON = "(?!있|계|싶|나서|나면|됩니다|돼요|괜찮|좋|무방|된다|되지|되고|될|안 [되돼됩])"
"""What does not follow an ending that connects: 하고 있다, 해도 됩니다 are one predicate."""
_KO_CONNECTIVE = (
    "(?:(?<=[만데며로까니서면나록가는도고][ ,])"
    "(?:(?<=[가-힣](?:지만|는데|은데|인데|한데|던데|으며|하며|시며|되며|이며|므로|니까|으니|시니|하니|되니|이니|어서|아서"
    "|해서|셔서|여서|워서|려서|라서|져서|거나|도록|다가|면서|으나|아도|어도|해도|셔도)[ ,])"
    "|(?<=[가-힣](?:지마는|더라도)[ ,])|(?<=[가-힣]면[ ,])(?<![수화측반표장국직전정대]면[ ,])"
    "|(?<=[가-힣][시하되않있없이쉬리기우먹오가지추두내받주놓겠았었였했됐맞쓰나키르꾸쌓높낮얻잡풀달들걸막찾씻닦볶삶굽피챙]"
    "고[ ,])"
    "|(?<=[가-힣]고,)|(?<=말고[ ,])))"
)
"""The end of a word with an ending of one to three syllables that connects, with the comma or space behind it."""
_KO_OPENING = rf"(?:하지만(?!,| {_KO_ON})|그러나|다만|대신(?! 에)|그런데|반면)"
_KO = later(
    r"[ ,;-](?:(?<=;)|(?<=-)-+"
    rf"|(?<=,)(?:(?= ?(?:하지만|그러나|다만|대신|그런데|반면|오히려|혹시|그리고|또))|{_KO_CONNECTIVE})"
    rf"|(?<= )(?:{_KO_CONNECTIVE}{_KO_ON}{_KO_OPENING}?|{_KO_OPENING}))"
)
_KO_OPENS = later(_KO_OPENING)
_KO_LONGEST_ENDING = 4
"""Syllables of an ending with the one before it."""


_KO_AHEAD = 40
"""More characters than any expression looks ahead, so that a long sentence is not copied for each of its clauses."""


def sentence_language(text: str, start: int, end: int) -> str:
    """Return "ko", "zh" or "en" for a stretch of text: any Hangul decides, then any ideograph."""
    if _HANGUL.search(text, start, end):
        return "ko"
    return "zh" if _HAN.search(text, start, end) else "en"


def _is_number_comma(base: str, position: int, end: int) -> bool:
    """Tell a thousands separator (1,234) from a comma between two statements (600519，1480)."""
    following = base[position + 1 : min(end, position + 5)]
    if position == 0 or not base[position - 1].isdigit() or not following[:3].isdigit() or len(following) < 3:
        return False
    if len(following) == 4 and following[3].isdigit():
        return False
    # A full-width comma belongs to a number only among full-width digits.
    return base[position] == "," or not following[0].isascii()


def _cuts(text: str, base: str, start: int, end: int) -> list[int]:
    language = sentence_language(text, start, end)
    if language == "ko":
        return _ko_cuts(text, base, start, end)
    cuts: list[int] = []
    if language == "en" and _EN_OPENING.match(text, start, end):
        # A sentence that opens with a subordinate clause ends it at the first comma.
        comma = text.find(", ", start, end)
        if comma >= 0:
            cuts.append(comma + 1)
    for match in (_EN if language == "en" else _ZH).finditer(text, start, end):
        first, last = match.span()
        mark = text[first]
        if language == "zh" and mark not in _STOPS:
            cuts.append(first)
        elif mark != "," or not _is_number_comma(base, first, end):
            cuts.append(last)
    return sorted(cuts)


def _ko_cuts(text: str, base: str, start: int, end: int) -> list[int]:
    cuts: list[int] = []
    opening = _KO_OPENS.match(text, start, end) if text[start - 1 : start] == " " else None
    opened = opening.end() if opening else -_KO_LONGEST_ENDING - 1
    for item in _KO.finditer(text, start, end):
        first = item.start()
        match: re.Match[str] | None = item
        if 0 <= first - opened <= _KO_LONGEST_ENDING:
            # A word that opens a clause lends no syllable to an ending: 대신하며.
            match = _KO.match(text[opened : min(end, first + _KO_AHEAD)], first - opened)
        if match is None:
            continue
        size = match.end() - match.start()
        if text[first] == "-":
            cuts.append(first + size)
        elif text[first] != "," or not _is_number_comma(base, first, end):
            cuts.append(first + 1)
        if size > 1:
            opened = first + size
    return cuts


_BLANKS = frozenset(" \n")


def split_clauses(text: str, base: str, start: int, end: int) -> list[Span]:
    """Cut one sentence into clauses.

    Args:
        text: Folded text.
        base: Unfolded text of the same length; tells full-width from half-width commas.
        start: First code point of the sentence.
        end: End of the sentence.

    Returns:
        Spans in order, trimmed of spaces; each keeps its closing punctuation. At least one span.

    """
    spans: list[Span] = []
    position = start
    for cut in (*_cuts(text, base, start, end), end):
        first, last = position, cut
        while first < last and text[first] in _BLANKS:
            first += 1
        while last > first and text[last - 1] in _BLANKS:
            last -= 1
        if first < last:
            spans.append((first, last))
        position = max(position, cut)
    return spans or [(start, end)]
