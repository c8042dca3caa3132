"""English: the shapes of sentences that questions are made of."""

from __future__ import annotations

import re

BE = "is|are|was|were"
MODAL = "can|may|must|should|will|cannot"
FIXED = frozenset(f"{BE}|{MODAL}".split("|"))
"""Verbs that go before the subject in a question without the help of ``do``."""
SUBJECT = r"(?P<subject>[A-Z][^,;:?!]{1,90}?)"

OF = re.compile(r"^(?P<attribute>(?:[Tt]he )?.{3,50}?) (?:of|for|on) (?P<owner>(?:the |an? )?.{2,60})$")
VAGUE = re.compile(r"(?:\b(?:about|approximately|around|roughly|nearly|almost|some|over|just)\s+)+$", re.IGNORECASE)
LIMIT = re.compile(
    r"(?:\b(?:at most|at least|up to|no more than|not more than|a maximum of|a minimum of|more than|less than)\s+)+$"
)
TAIL = re.compile(r"^(?:\s*(?P<tail>(?:of|per|for|a|an|each|from|after|before|on|at|in|to|by|every) [^,;]{2,60}))?$")
EVERY = re.compile(r"\bevery\s+$")
LIST = re.compile(r", .*\b(?:and|or)\b | and ")
CONDITION = re.compile(r"^(?P<when>If|When|Whenever) (?P<condition>[^,;]{6,80}), (?P<main>.{6,160})$")
BECAUSE = re.compile(rf"^{SUBJECT} (?P<aux>{BE}|{MODAL}) (?P<rest>[^,;]{{3,80}}?),? because (?P<reason>.{{6,120}})$")
PURPOSE = re.compile(r"^To (?P<goal>[a-z][^,;]{4,60}), (?P<main>.{6,160})$")
WHEN_TO = re.compile(r"^(?P<when>Before|After) (?P<doing>[a-z]+ing [^,;]{3,60}), (?P<main>.{6,160})$")
LOCATED = re.compile(
    rf"^{SUBJECT} (?P<be>{BE}) (?P<what>located|based|headquartered|situated|stored|kept|held) "
    r"(?P<core>(?:in|at|on|near|beside) [^,;]{3,80})$"
)
BY = re.compile(
    rf"^{SUBJECT} (?P<be>{BE}) (?P<deed>[a-z]+(?:ed|wn|en|un|uilt|ade)(?: and [a-z]+ed)?) "
    r"by (?P<agent>(?:the )?[^,;]{3,60})$"
)
_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
DATED = re.compile(
    rf"^{SUBJECT} (?P<verb>(?:was|were) [a-z]+(?:ed|wn|en|uilt|ade)|opened|began|started|closed|ended|launched|moved)"
    r"(?P<place> (?:to|into|at) [^,;0-9]{2,40})? (?:in|on) "
    rf"(?P<date>(?:[0-9]{{1,2}} )?(?:{_MONTH} )?(?:[0-9]{{1,2}}, )?[12][0-9]{{3}})(?: by [^,;]{{2,60}})?$"
)
ORGANISATION = re.compile(
    r"\b(?:Bank|Company|Ltd|Inc|Corp\w*|Group|University|Institute|Agency|Council|Authority|Ministry|Department|Trust"
    r"|Foundation|Association|Hospital|Management|Partners|Society|Laborator\w+|Pharma\w*|Electric\w*|Systems|Works)\b"
)
PERSON = re.compile(r"(?:[A-Z][\w.'-]+ ?)+|(?:the )?[a-z ]+ [A-Z][\w'-]+ [A-Z][\w'-]+")
HUMAN_DEEDS = frozenset(
    ("designed", "written", "founded", "invented", "discovered", "directed", "composed", "painted", "led", "built")
)
PRONOUN = re.compile(
    r"\b(?:it|they|them|its|their|this|these|those|he|she|his|her|him|above|below|following)\b", re.IGNORECASE
)
CLAUSE_WORDS = re.compile(
    r"\b(?:that|which|who|whose|where|because|although|while|whereas|if|when|but|so|and then|is|are|was|were|has|have"
    r"|can|must|may|will)\b"
)
COUNTED = re.compile(
    r"^(?P<noun>[a-z][a-z-]*(?: [a-z][a-z-]*){0,3}?)"
    r"(?P<tail> (?:per|a|an|each|every|in|of|from|for|at|on|to|by|with|within|after|before) .{2,60})?$"
)
PREPOSITION = re.compile(
    r"\b(?P<prep>within|for|after|up to)\s+(?:(?:at least|at most|no more than|up to|about|approximately)\s+)?$"
)
UNFINISHED = re.compile(r"^(?:an?|the) |\b(?:of|to|in|on|with|for|at|by)$")
"""What can not stand at the end of a question: a noun that the question would cut off, a lone preposition."""
SHARE = re.compile(r"of (?P<whole>.+?)(?: (?P<tail>(?:in|to|on|from|into|for|as|at) .+))?$")
HOW = re.compile(r"^\s*(?P<how>long|tall|wide|high|deep|old|away)(?= |$)(?P<tail>.*)$")
SUBSTANCE = re.compile(r"of [a-z]+(?: [a-z]+)?(?= (?:per|a|an|each|every|in|from|for|at|on|to)\b|$)")
NEXT_STATEMENT = re.compile(r", (?:and|but|so|which|while|although|with) |; ")
A_KIND = re.compile(r"(?:an?|the) [a-z]")
