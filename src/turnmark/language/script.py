"""Which language a text is in, told by counting scripts."""

import re

_SAMPLE = 750
_NOISE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://[^\s，。）)]+|<[^<>\n]{1,80}>", re.DOTALL)
_NOT_LETTERS = bytes(code for code in range(256) if not (65 <= code <= 90 or 97 <= code <= 122))


def _classes() -> bytes:
    table = bytearray(b"." * 256)
    table[0x34:0x4E] = b"h" * (0x4E - 0x34)
    table[0x4E:0xA0] = b"h" * (0xA0 - 0x4E)
    table[0xF9:0xFB] = b"hh"
    table[0x11] = ord("k")
    table[0xAC:0xD8] = b"k" * (0xD8 - 0xAC)
    # Greek is left out: it stands for units and variables. Latin with marks is not told from English.
    for page in range(0x04, 0x11):
        table[page] = ord("o")
    return bytes(table)


# One class a high byte of UTF-16: h ideographs, k Hangul, o another script's letters.
_PAGES = _classes()
_KANA = re.compile("[\u3041-\u30fa]")


def count_scripts(text: str) -> dict[str, int]:
    """Count letters by script.

    Returns:
        Code points of "han", "hangul", "kana", "latin" (ASCII letters) and "other"; digits, punctuation and
        symbols count nowhere.

    """
    pages = text.encode("utf-16-le", "surrogatepass")[1::2].translate(_PAGES)
    kana = len(_KANA.findall(text)) if not text.isascii() and _KANA.search(text) else 0
    return {
        "han": pages.count(b"h"),
        "hangul": pages.count(b"k"),
        "kana": kana,
        "latin": len(text.encode("ascii", "ignore").translate(None, _NOT_LETTERS)),
        "other": pages.count(b"o"),
    }


def detect_language(text: str) -> str:
    """Tell the language of a text by its scripts.

    Code, links and tags do not decide unless there is nothing else. A Latin word weighs about as much as one
    ideograph or syllable, so a Chinese sentence with English terms stays Chinese. Languages written in Latin
    letters are not told apart: all are "en".

    Returns:
        "zh", "ko", "en", or "und" when there are no letters or another script prevails.

    """
    sample = text
    if len(text) > _SAMPLE:
        # Head, middle and tail: a reply may open in one language and go on in another.
        third, middle = _SAMPLE // 3, len(text) // 2
        sample = text[:third] + text[middle - third // 2 : middle + third // 2] + text[-third:]
    if "`" in sample or "://" in sample or "<" in sample:
        sample = _NOISE.sub(" ", sample)
    counts = count_scripts(sample)
    if sample is not text and not any(counts.values()):
        counts = count_scripts(text[:_SAMPLE])
    han, hangul, kana = counts["han"], counts["hangul"], counts["kana"]
    if kana > 2 and kana * 8 > han and kana > hangul:
        return "und"
    scores = {"zh": han, "ko": hangul * 1.2, "en": counts["latin"] / 5, "und": counts["other"] / 2}
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] > 0 else "und"
