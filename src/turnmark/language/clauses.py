"""Where one sentence falls into clauses, by the rules of its own language."""

import re

Span = tuple[int, int]

_HANGUL = re.compile("[\uac00-\ud7a3]")
_HAN = re.compile("[\u4e00-\u9fff]")

# Groups named "after" cut behind the match, "before" cut in front of it.
_ZH = re.compile(
    r"(?P<after>[,;]|--+)"
    r"|(?P<before>(?<!不)但(?!愿|凡|书)|然而|可是|反而|而是|而非|而不是|而(?=[您你他她我])|却(?!步|实)|只不过|反之|不如(?=[^,;。]))"
)
_EN_OPENING = re.compile(
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
_EN = re.compile(
    rf"(?P<after>;|--+|:(?=\s)|,(?=\s+(?:and\s+|so\s+)?{_EN_SUBJECT}\b)|,(?=\s+and\s+(?:is|are|was|were|can|will|has)\b))"
    r"|(?P<before>(?<=\s)(?:but|however|although|though|whereas|while|because|unless|yet|rather\s+than|instead\s+of|if"
    r"|and\s+(?=(?:you|we|i|it|they|don't|do\s+not|never|instead)\b)))\b"
)
# An ending of one to three syllables before a space or a comma; asked first, most positions are done with.
_KO_CONNECTIVE = re.compile(
    "(?:[\uac00-\ud7a3](?=[\uac00-\ud7a3]{1,3}[ ,])"
    "(?:지만|는데|은데|인데|한데|던데|으며|하며|시며|되며|이며|므로|니까|으니|시니|하니|되니|이니|어서|아서|해서|셔서|여서"
    "|워서|려서|라서|져서|(?<![수화측반표장국직전정대])면|거나|도록|다가|면서|으나|지마는|더라도|아도|어도|해도|셔도"
    "|[시하되않있없이쉬리기우먹오가지추두내받주놓겠았었였했됐맞쓰나키르꾸쌓높낮얻잡풀달들걸막찾씻닦볶삶굽피챙]고"
    "|고(?=,))"
    "|말고)"
    "(?=,| (?!(?:있|계|싶|나서|나면|됩니다|돼요|괜찮|좋|무방|된다|되지|되고|될|안 [되돼됩])))"
)
_KO = re.compile(
    r"(?P<after>;|--+|,(?= ?(?:하지만|그러나|다만|대신|그런데|반면|오히려|혹시|그리고|또))"
    rf"|{_KO_CONNECTIVE.pattern},?)"
    r"|(?P<before>(?<= )(?:하지만|그러나|다만|대신(?! 에)|그런데|반면))"
)


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
    pattern = {"zh": _ZH, "en": _EN, "ko": _KO}[language]
    cuts: list[int] = []
    if language == "en" and _EN_OPENING.match(text, start, end):
        # A sentence that opens with a subordinate clause ends it at the first comma.
        comma = text.find(", ", start, end)
        if comma >= 0:
            cuts.append(comma + 1)
    for match in pattern.finditer(text, start, end):
        if match.lastgroup == "before":
            cuts.append(match.start())
        elif text[match.start()] != "," or not _is_number_comma(base, match.start(), end):
            cuts.append(match.end())
    return sorted(cuts)


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
        while first < last and text[first] in " \n":
            first += 1
        while last > first and text[last - 1] in " \n":
            last -= 1
        if first < last:
            spans.append((first, last))
        position = max(position, cut)
    return spans or [(start, end)]
