"""Whether words except something from what is said before them."""

from turnmark.language.later import later

_OPENS = later(
    r"(?i)[\s,;.，；。、]*(?:and\s+|or\s+)?(?:except|unless|other\s+than|apart\s+from|save\s+for|but|if|when|or)\b"
    r"|[\s,;.，；。、]*(?:除|但|不过|只有|如果|若|或者|(?:단|다만|예외|만약|또는)(?![가-힣]))"
)


def opens_exception(text: str) -> bool:
    """Whether a text begins with words that except something, or hold only in a case (except bitcoin, 除非, 다만)."""
    return _OPENS.match(text) is not None
