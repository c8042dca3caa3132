"""Which character folding makes of which: the table that `tools/generate.py` writes to ``folding.json``."""

import unicodedata

import msgspec
import opencc

_QUOTES = {
    **dict.fromkeys("“”„‟「」『』〝〞〟«»", '"'),
    **dict.fromkeys("‘’‚‛′´", "'"),
}
_DASHES = dict.fromkeys("‐‑‒–—―−﹣－⁃─", "-")
_TILDES = dict.fromkeys("～〜∼˜⁓", "~")
_SPACES = dict.fromkeys(
    "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t", " "
)
_LINES = dict.fromkeys("\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029", "\n")
_SINGLES = {
    "﹪": "%",
    "٪": "%",
    "µ": "μ",
    "・": "·",
    "‧": "·",
    "•": "·",
    "﹐": ",",
    "﹔": ";",
    "﹕": ":",
    "⁄": "/",
    "∕": "/",
    "￥": "¥",
    "￡": "£",
    "￦": "₩",
}
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01234567890123456789", strict=True))


def made() -> bytes:
    """What the file should hold: the characters that change, and what each becomes, as two texts of one length."""
    table = dict(sorted(_table().items()))
    return msgspec.json.encode(["".join(table), "".join(table.values())]) + b"\n"


def _table() -> dict[str, str]:
    """Every character that folding changes, with the one character that replaces it.

    Traditional characters are read from the tables of opencc (mainland, Taiwan and Hong Kong variants), one
    character at a time, so that no phrase rule can change the length of a text.
    """
    ideographs = [chr(code) for low, high in ((0x3400, 0x4DC0), (0x4E00, 0xA000)) for code in range(low, high)]
    # Lines keep opencc from seeing phrases.
    joined = "\n".join(ideographs)
    table: dict[str, str] = {"著": "着"}
    for variant in ("hk2s", "t2s"):
        converted = opencc.OpenCC(variant).convert(joined).split("\n")
        table.update((old, new) for old, new in zip(ideographs, converted, strict=True) if old != new and len(new) == 1)
    for code in range(0xF900, 0xFB00):
        compatible = unicodedata.normalize("NFKC", chr(code))
        if len(compatible) == 1 and compatible != chr(code):
            table[chr(code)] = compatible
    # Two steps at most: a compatibility form of a traditional character.
    table = {old: table.get(new, new) for old, new in table.items()}
    table.update((chr(code), chr(code - 0xFEE0)) for code in range(0xFF01, 0xFF5F))
    table.update((chr(code), chr(code).lower()) for code in range(ord("A"), ord("Z") + 1))
    table.update((chr(0xFF21 + index), chr(ord("a") + index)) for index in range(26))
    for part in (_QUOTES, _DASHES, _TILDES, _SPACES, _LINES, _SINGLES, _SUPERSCRIPTS):
        table.update(part)
    return table
