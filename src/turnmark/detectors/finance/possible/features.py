"""A sentence as buckets of hashed n-grams: what the learned model knows of it."""

from __future__ import annotations

import itertools
import re
import zlib

BUCKETS = 1 << 14
LONGEST = 300
"""Characters of a sentence that are read; a longer one is no sentence."""
_WORDS = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+|[가-힣]+")
_DIGITS = re.compile(r"\d+")


def features(folded: str) -> list[int]:
    """The buckets of a folded sentence, each once, in order.

    Character n-grams (one to four without spaces for Chinese, inside words for Korean) and words with their pairs.
    Numbers are one sign each: what is possible does not hang on a value. The hash is CRC-32, the same everywhere.
    """
    text = _DIGITS.sub("0", folded[:LONGEST])
    words = _WORDS.findall(text)
    grams = {f"w {word}" for word in words}
    grams.update(f"p {first} {second}" for first, second in itertools.pairwise(words))
    packed = "".join(text.split())
    latin = sum(letter.isascii() for letter in packed) * 2 > len(packed)
    if latin:
        for word in words:
            grams.update(f"c {word[:length]}" for length in (4, 5, 6) if len(word) > length)
    else:
        for length in (1, 2, 3, 4):
            grams.update(packed[start : start + length] for start in range(len(packed) - length + 1))
    return sorted({zlib.crc32(gram.encode("utf-8", "surrogatepass")) % BUCKETS for gram in grams})
