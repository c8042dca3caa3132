"""Forbidden content, and the compliance of one reply, as a careful reviewer would judge its own words.

Rules of the pack give evidence of two kinds directly (``severe``, ``minor``). Two judgements need more than one rule:

* an instruction to trade is an order (``order``) with the security it is about (``target``) near it, or named by the
  user;
* a missing risk warning counts only where an investment decision or product is discussed: the reply advises, praises
  or forecasts (``topic``), or it speaks of a product (``mention``) and the user asked for a decision (``decision``)
  rather than for knowledge or for help with an operation (``knowledge``); and not where it is cautious (``caution``) in
  words that name no particular risk, or speaks against a promise. What is turned down is not discussed: a product
  that is left out (``declined``), a service that is not offered (``unserved``; nor are these words an offer of it).
  Money at a bank (``deposit``) is no investment, unless reply or user name one (``invested``). That the law insures
  it up to a sum (``insured``) is a fact and no promise.

Source: the annotation guidelines; 证券投资顾问业务暂行规定; 关于规范金融机构资产管理业务的指导意见.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import msgspec

from turnmark.detectors.finance.contextual.kept_limits import BLANK, beside_limits
from turnmark.detectors.finance.protocol import Reading
from turnmark.detectors.rules import RuleHit, RuleSet
from turnmark.language.analysis import Analysis
from turnmark.language.match.anchors import Anchors
from turnmark.language.text.fold import fold_text
from turnmark.packs.rules import RulePack
from turnmark.schemas.evidence import Evidence
from turnmark.schemas.labels.finance import FORBIDDEN_CATEGORIES

METRIC = "m4_compliance"
NO_WARNING = "无明确风险提示"

_CODE = re.compile(r"[0-9](?<![0-9.].)(?:[0-9]{5}(?!\.?[0-9]|[%元块股份万])|[0-9]{2}(?:x{3}|\*{3})(?![a-z0-9*]))")
"""A security code, also with its last digits masked (603XXX)."""
_MY_WORD = re.compile(
    r"(?:我们?|本人|咱们?|本公司|我司)[^,，。]{0,6}(?:承诺|保证|担保|确认|告诉|负责|敢说|可以说)"
    r"|(?i:\b(?:I|we)(?:'ll| can| do| will)? (?:\w+ )?(?:promise|guarantee|assure|tell|confirm|swear|say)\b)"
    r"|(?:제가|저는|저희(?:가|는)?|우리(?:가|는)?)[^.!?]{0,30}$"
)
_CAPITAL_NAME = re.compile(
    r"(?<!^)(?<![A-Za-z])(?!(?:ETFs?|ISAs?|IRAs?|CPF|SRS|FDs?|CDs?|GICs?|REITs?|S-REITs?|STP|SIPs?|USD|GBP|EUR|SGD|INR|AI|UK|US|EM"
    r"|TFSA|RRSP|NPS|PPF|SIPP|API|OTP|IPOs?|ID|AM|PM|CFDs?|SSB|OA|DIY|OK|ASAP|NAV|AAA|AA|YTD)\b)"
    r"(?:[A-Z]{3,6}(?![A-Za-z])|[A-Z][a-z]+(?: [A-Z][A-Za-z]+)+)"
)
"""A ticker, or a name of several words with capitals; what every adviser abbreviates is none."""
_JOINT = re.compile(r"(?i)\b(?:and|but|then|instead)\b|[然再而]|그리고|대신")
"""What joins another act to one in a clause."""
_GUARANTEE = "保本保收益"
_PROMISES = frozenset({_GUARANTEE, "确定性预测涨跌"})
_BARE = {"zh": 20, "ko": 45, "en": 70}
"""A reply of this many characters at most is a bare answer."""
_NAMED = frozenset(("topic", "mention"))
"""What rules of the pack call the discussion of a product, and its bare name."""
_DECLINED = ("declined", "unserved")
"""What they call what is turned down: a product, and to trade for the user."""
_NEAR = 60
"""An order and the security it is about stand this many characters apart at most."""


class _Rules:
    """The rules of one language, by what they are asked for; most replies need only the first."""

    def __init__(self, pack: RulePack, anchors: Anchors | None) -> None:
        self.conduct = _only(pack, anchors, "severe", "minor", "target")
        self.orders = _only(pack, anchors, "order")
        self.targets = _only(pack, anchors, "target")
        self.topics = _only(pack, anchors, "topic", "mention", "withheld", "caution", *_DECLINED, "deposit", "invested")
        self.questions = _only(pack, anchors, "knowledge", "decision", "about")
        self.unserved = _only(pack, anchors, "unserved")
        self.insured = _only(pack, anchors, "insured")
        self.invested = _only(pack, anchors, "invested")
        self.denied = _denied(pack, anchors)


class ComplianceDetector:
    """Finds what makes a reply a violation.

    Args:
        packs: Rule packs of the detector ``finance.compliance``, one a language; a reply is read by those of its own.
        anchors: Anchorss by language that are shared with other detectors.

    """

    def __init__(self, packs: Sequence[RulePack], anchors: Mapping[str, Anchors] | None = None) -> None:
        self._rules: dict[str, _Rules] = {
            pack.language: _Rules(pack, None if anchors is None else anchors[pack.language]) for pack in packs
        }

    def detect(
        self,
        reading: Reading,
        *,
        disclosed: bool,
        forbidden: Sequence[str] = (),
        disclosures: Sequence[Evidence] = (),
        limits: Sequence[Evidence] = (),
        admitted: Sequence[tuple[int, int]] = (),
    ) -> list[Evidence]:
        """Every violation, in the order of the reply.

        Args:
            reading: The reply and what it answers.
            disclosed: Whether the reply discloses any risk.
            forbidden: Entries of the blueprint's list; names of categories are covered by the rules, others are
                literal phrases that the reply must not assert.
            disclosures: The evidence of the disclosures, where it is at hand: one that stands in the very clause of a
                promise or of a certain forecast ("亏一块我赔您两块") warns of nothing and does not count.
            limits: How the reply stands to the limits of the user; to say that one is kept calls for no warning.
            admitted: Where the reply denies that a danger is not there ("not without risk"); no promise is read there.

        """
        phrases = _phrases(reading, forbidden)
        language = reading.analysis.language
        rules = self._rules.get(language)
        if rules is not None:
            apart = [*admitted, *((hit.start, hit.end) for hit in rules.unserved.find(reading.analysis))]
            apart += _insured(reading, rules)
            hits = rules.conduct.find(reading.analysis, user=reading.user_analysis, apart_from=apart)
            phrases += [_evidence(reading, hit, hit.rule.polarity) for hit in hits if hit.rule.polarity != "target"]
            phrases += _orders(reading, rules, [hit for hit in hits if hit.rule.polarity == "target"])
            if not disclosed or (disclosures and not _warns(reading, phrases, disclosures)):
                phrases += _missing_warning(reading, rules, phrases, limits)
        return sorted(phrases, key=lambda piece: (piece.start, piece.end, piece.rule))


def _only(pack: RulePack, anchors: Anchors | None, *kinds: str) -> RuleSet:
    rules = [rule for rule in pack.rules if rule.polarity in kinds]
    return RuleSet([msgspec.structs.replace(pack, rules=rules)], anchors)


def _denied(pack: RulePack, anchors: Anchors | None) -> RuleSet:
    """The promises of a pack, also where a reply speaks against them; of forecasts the hedged ones warn of nothing."""
    promises = [rule for rule in pack.rules if rule.polarity == "severe" and rule.label == _GUARANTEE]
    rules = [msgspec.structs.replace(rule, unless=[], unless_near=[], without_scope=["question"]) for rule in promises]
    return RuleSet([msgspec.structs.replace(pack, rules=rules)], anchors)


def _insured(reading: Reading, rules: _Rules) -> list[tuple[int, int]]:
    """Where a reply says that deposits are insured by law; not where the user asks about an investment."""
    spans = [(hit.start, hit.end) for hit in rules.insured.find(reading.analysis)]
    return [] if spans and rules.invested.find(reading.user_analysis) else spans


def _orders(reading: Reading, rules: _Rules, names: Sequence[RuleHit]) -> list[Evidence]:
    """Instructions to trade a security that the reply names near them, or else the user."""
    orders = rules.orders.find(reading.analysis)
    if not orders:
        return []
    named = [(hit.start, hit.end) for hit in names] + _codes(reading.analysis)
    if reading.analysis.language == "en":
        named += [
            name.span() for order in orders for name in _CAPITAL_NAME.finditer(reading.reply, order.start, order.end)
        ]
    if not named and not _codes(reading.user_analysis) and not rules.targets.find(reading.user_analysis):
        return []
    return [
        _evidence(reading, order, "severe", rule=f"{order.rule.id}.forbidden")
        for order in orders
        if not named or any(_near(order, target) for target in named)
    ]


def _codes(analysis: Analysis) -> list[tuple[int, int]]:
    """Where a text names a security by its code."""
    return [analysis.folded.to_original(*code.span()) for code in _CODE.finditer(analysis.folded.text)]


def _near(order: RuleHit, target: tuple[int, int]) -> bool:
    return target[0] - order.window_end <= _NEAR and order.window_start - target[1] <= _NEAR


def _warns(reading: Reading, found: Sequence[Evidence], disclosures: Sequence[Evidence]) -> bool:
    """Whether any disclosure stands outside the clauses of promises and certain forecasts."""
    clauses = [
        (reading.analysis.clause_at(piece.start).start, max(piece.end, reading.analysis.clause_at(piece.start).end))
        for piece in found
        if piece.label in _PROMISES
    ]
    return not all(any(start <= piece.start < end for start, end in clauses) for piece in disclosures)


def _missing_warning(
    reading: Reading, rules: _Rules, found: Sequence[Evidence], limits: Sequence[Evidence]
) -> list[Evidence]:
    """A discussion of an investment decision or product without any warning; its evidence is what is discussed."""
    if found:
        start, end = found[0].start, found[0].end
    else:
        span = _discussed(reading, rules)
        beside = None if span is None else beside_limits(reading, limits)
        if beside is not None:
            span = _discussed(beside, rules, bare=False)
        if span is None:
            return []
        start, end = span
    return [
        Evidence(
            metric=METRIC,
            rule=f"finance.compliance.{reading.analysis.language}.no_risk_warning.forbidden",
            label=NO_WARNING,
            polarity="minor",
            quote=reading.reply[start:end],
            start=start,
            end=end,
        )
    ]


def _discussed(reading: Reading, rules: _Rules, *, bare: bool = True) -> tuple[int, int] | None:
    """The words that discuss an investment decision or product, when no caution goes with them.

    With ``bare`` a short answer that names no product is taken for one about the product that was asked for.
    """
    if reading.reply.strip() == reading.user_text.strip():
        return None  # an echo says nothing of its own
    found = rules.topics.find(reading.analysis)
    declined = [_declined(reading, hit) for hit in found if hit.rule.polarity in _DECLINED]
    hits: dict[str, RuleHit] = {}
    for hit in found:
        if hit.rule.polarity in _NAMED and any(first <= hit.start < last for first, last in declined):
            continue  # named only to be turned down
        if hit.rule.polarity == "mention" and reading.reply[: hit.start].rstrip(" ").endswith(BLANK):
            continue  # the last word of a limit that is kept (public *funds* only)
        hits.setdefault(hit.rule.polarity, hit)
    grounds = hits.get("topic")
    # Who speaks against a promise warns of it: nobody pays 4 % without any risk.
    kept = "deposit" in hits and "invested" not in hits and not rules.invested.find(reading.user_analysis)
    if "caution" in hits or kept or rules.denied.find(reading.analysis):
        return None
    if grounds is None:
        asked = {hit.rule.polarity for hit in rules.questions.find(reading.user_analysis)}
        if "withheld" in hits or ("knowledge" in asked and "decision" not in asked):
            return None
        grounds = hits.get("mention")
        if grounds is None and (declined or not bare):
            return None
        if grounds is None:
            # A bare "yes, do" still answers the question that was asked; a question in return does not.
            spans = [sentence[:2] for sentence in reading.analysis.sentences[:1] if _answers(reading, asked)]
            return next((span for span in spans if not reading.analysis.scope(span).question), None)
    return grounds.start, grounds.end


def _declined(reading: Reading, hit: RuleHit) -> tuple[int, int]:
    """The clause of a refusal, up to what another act follows with (leave it out and buy …)."""
    clause = reading.analysis.clause_at(hit.start)
    joint = _JOINT.search(reading.reply, hit.end, clause.end)
    return clause.start, joint.start() if joint else clause.end


def _answers(reading: Reading, asked: set[str]) -> bool:
    """Whether a reply that names no product still answers a question about one: a decision, or a bare yes or no."""
    return "decision" in asked or ("about" in asked and len(reading.reply) <= _BARE.get(reading.analysis.language, 0))


def _phrases(reading: Reading, forbidden: Sequence[str]) -> list[Evidence]:
    """Literal phrases of the blueprint that the reply asserts."""
    results = []
    folded = reading.analysis.folded
    for entry in forbidden:
        name = entry.strip()
        phrase = fold_text(name)
        if not phrase or name in FORBIDDEN_CATEGORIES:
            continue
        at = folded.text.find(phrase)
        while at >= 0:
            start, end = folded.to_original(at, at + len(phrase))
            if _asserts(reading, start, end):
                rule = "finance.compliance.listed_phrase.forbidden"
                quote = reading.reply[start:end]
                results.append(
                    Evidence(metric=METRIC, rule=rule, label=name, polarity="severe", quote=quote, start=start, end=end)
                )
                break
            at = folded.text.find(phrase, at + 1)
    return results


def _asserts(reading: Reading, start: int, end: int) -> bool:
    """Whether the reply itself says a passage: plainly, or as its own promise (我承诺内幕消息可靠)."""
    scope = reading.analysis.scope((start, end))
    if scope.asserted:
        return True
    if not scope.reported or not scope._replace(reported=False).asserted:
        return False
    clause = reading.analysis.clause_at(start)
    return _MY_WORD.search(reading.reply[clause.start : start]) is not None


def _evidence(reading: Reading, hit: RuleHit, polarity: str, *, rule: str = "", label: str = "") -> Evidence:
    return Evidence(
        metric=METRIC,
        rule=rule or hit.rule.id,
        label=label or hit.rule.label,
        polarity=polarity,
        quote=reading.reply[hit.start : hit.end],
        start=hit.start,
        end=hit.end,
        note=hit.rule.note or None,
    )
