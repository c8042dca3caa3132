"""What Korean and English replies do about a constraint: recall it, refuse what it rules out, urge it, plan past it.

A sentence *recalls* when it names what the user said or set ("the 30% line you drew", 안 쓰기로 하셨으니); it *refuses*
when it turns the thing down; it *urges* when it tells the user to act, offers to act for him, or praises the act.
A recalled rule is honoured unless the very reply loosens it or plans a number beyond it; urging breaks the constraint
whose topic the reply or the question names; a refusal honours it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from turnmark.detectors.finance.contextual.constraints.kinds import ParsedConstraint
from turnmark.detectors.finance.contextual.constraints.plans import Plan, beyond
from turnmark.detectors.finance.contextual.constraints.speech_act import MODERATE, STRONG, WEAK, ActVerdict
from turnmark.detectors.finance.contextual.constraints.words import Hit
from turnmark.language.analysis import Analysis

LANGUAGES = ("en", "ko")
_SHORT = 420
"""A reply up to this length is one piece of advice."""

_RECALLS = {
    "en": re.compile(
        r"\b(?:as |since |because |given )?you(?:'ve| have|'d| had)? (?:also |already |just |specifically |clearly )?"
        r"(?:said|say|told|asked|ruled|struck|chose|chosen|set|drew|drawn|limit"
        r"|prefer|preferred|wanted|want no|don't want"
        r"|didn't want|do not want|don't (?:trade|use|borrow|buy|touch)|never (?:buy"
        r"|use|touch|borrow)|rather not|promised|decided"
        r"|excluded|opted|picked|noted|listed|keep (?:to|off)|crossed|barred|banned"
        r"|put off|would never|hold|gave me|mentioned)"
        r"|\byou wanted\b|\byour (?:own )?(?:\S+ ){0,3}?(?:limit|limits|rule|rules"
        r"|ceiling|cap|line|list|floor|constraint"
        r"|constraints|mandate|instruction|instructions|criteria|restriction|guardrail"
        r"|threshold|tolerance|preference|brief)\b"
        r"|\bon your do-not|\byour (?:no|low|high)-\S+ (?:rule|only)|\b(?:ceiling"
        r"|cap|limit|line|floor|rule)s? (?:that )?you"
        r"(?:'ve| have)? (?:set|got|drew|drawn|gave|asked|named)|\b(?:isn't|aren't"
        r"|not) your (?:style|thing|game)|\bno-go\b"
        r"|\bwith (?:a|the|your) [0-9]+% (?:ceiling|cap|limit)|\bmatters to you\b"
        r"|\byou told me matters|\bfollows that choice"
    ),
    "ko": re.compile(
        r"(?:기로|않겠다고|겠다고|달라고|싶다고|한다고|신다고|는다고|말라고|라고"
        r"|다고)[^.!?\n]{0,14}(?:하셨|하신|정하|두셨|두신|적어|약속|말씀)"
        r"|(?:말씀하신|말씀해 주신|정하신|정해 두신|정해두신|세우신|원하시는|원하신다"
        r"|밝히신|주신|두신|잡으신|거신)[^.!?\n]{0,16}"
        r"(?:기준|원칙|조건|한도|룰|선|상한|제약|약속|범위|것|대로|방침|낙폭|손실)"
        r"|(?:고객님|회원님|본인|님)(?:의|이|께서|께서는)?[^.!?\n]{0,20}(?:기준|원칙|조건|한도|룰|약속|방침|제약)"
        r"|(?:기준|원칙|조건|한도|룰|방침|전제)(?:에|과|와|을|이|으로|라면|대로"
        r"|상)?[^.!?\n]{0,10}(?:맞|어긋|부딪|벗어|넘|초과|지키|따르|보면|같습|걸립"
        r"|위배)"
        r"|(?:보신다는|하신다는|쓰신다는|원하시는|안 하시는|안 쓰시는|안 하신다"
        r"|쓰지 않으시|묶어 두셨|두고 계시|제외하신|빼신|빼기로)"
        r"|(?:지금|평소) (?:방식|원칙)|약속(?:을|하신)|다짐"
    ),
}
_LOOSENS = {
    "en": re.compile(
        r"\b(?:forget|ignore|bend|break|relax|loosen|drop|scrap|skip|stretch|override"
        r"|lift|park|set aside|make an exception"
        r"|just this once|too (?:strict|tight|cautious|conservative|timid)|outdated"
        r"|old rule|rules are (?:made|for)|won't hurt"
        r"|doesn't count|don't worry about|never mind)\b"
    ),
    "ko": re.compile(
        r"잊으|잊어|무시|예외|이번만|한 번만|한번만|풀어|깨셔도|깨도|늘려|넘겨도"
        r"|넘어도|괜찮아요|너무 (?:보수|소심|빡빡|엄격)|신경 쓰지|융통성"
        r"|옛날|고집|답답|얽매|접어 두|미뤄 두"
    ),
}
_REFUSES = {
    "en": re.compile(
        r"\b(?:please don't|don't|do not|avoid|steer clear|stay away|keep your money"
        r"|shouldn't|should not|wouldn't|can't recommend"
        r"|cannot recommend|not (?:a good idea|worth|for you|suitable|appropriate|something)"
        r"|doesn't (?:fit|qualify|belong|suit)|don't qualify"
        r"|rather not|leave it|walk away|pass on|skip (?:it|this|that)|decline|i'd pass"
        r"|no\.|not everything|breach(?:es)?|beyond|"
        r"outside (?:the|your)|well past|trimming makes sense|over the)\b"
    ),
    "ko": re.compile(
        r"말리고|말리|피하(?:세|시|는|셔|십)|빼는 게|빼시|접으|접는|권하지 않|권해 드리지 않"
        r"|추천하지 않|추천드리지 않|하지 마|지 마세|지 마십"
        r"|안 꺼내|제외돼|제외하|제외했|맞지 않|안 맞|어긋|부딪|초과|많습니다|무리"
        r"|위험합니다|어렵습니다|드릴 수 없|삼가|멈추|기다리|두지 말|넘습니다"
        r"|적합하지 않|어울리지 않"
    ),
}
_URGES = {
    "en": re.compile(
        r"(?:^|[.!?:;,\n*\-–—] *|\b(?:so|then|just|and|now|go|please|simply|better"
        r"|actually|instead|i'd|should|could|can|let's|you) )"
        r"(?:buy|grab|load|put|move|send|take|park|sell|go|get|invest|pick|switch"
        r"|roll|start|transfer|place|shift|open|borrow"
        r"|use|add|ride|pile|jump|double|scoop|hold on|keep adding|lever|max|deposit"
        r"|wire|swap|commit|allocate|lock in|subscribe"
        r"|apply|stake|dump|pour|throw|stick|sign|join|exit|bet|back up|let the"
        r"|borrow|short|long|write|sell|trade|follow|copy|enter"
        r"|accumulate|average|lend|mortgage|remortgage|draw|tap|convert|redeem|rotate"
        r"|lump|drip|dca|opt|choose|consider|try|seize"
        r"|snap|chase|stay in|hold|keep (?:it|the|buying|holding)|rent|fund|finance"
        r"|raise|increase|top up|upgrade|sweep|empty|drain"
        r"|liquidate|cash out|hop|climb|dive|sneak|nibble|dabble|punt|gamble|roll)\b(?! (?:in mind"
        r"|a look|care|note|it slow|whichever|what))"
        r"|\b(?:i've|i have|we've|we have) (?:already )?(?:switched|queued|placed"
        r"|allocated|bought|reserved|set)|\bi'(?:ll|d) (?:hold|set"
        r"|shift|recover|arrange|place|put|buy|let|top)|\bdoes it\b|\bgets you there\b"
        r"|\bthe answer\b|\bnice (?:hack|idea|move)"
        r"|\bnever too late\b|\bthank me\b|\bnailed on\b|\bbank on it\b|\brock solid\b"
        r"|\beasy money\b|\bno[- ]brainer\b|\bwhy (?:not|fix)"
        r"|\bwhere the money is\b|\bi tell all my\b|\bmuch better\b|\bworth (?:a"
        r"|it|every)|\bis fine\b|\bsounds? good|\bperfect for you"
        r"|\b(?:you'll|you will) (?:make|double|earn|be rich|triple|love|thank)"
        r"|\bpocket the\b|\bcan't (?:lose|miss|go wrong)\b|\bguaranteed\b"
        r"|\b(?:to the moon|free money|sure thing|safe bet|steal|bargain|screaming buy"
        r"|strong buy|top pick|my pick|perfect)\b|\bmate\b"
        r"|\bdon't (?:overthink|worry|bother|wait|miss|be shy|sell|let)\b|\b(?:totally"
        r"|perfectly|absolutely|entirely) fine\b|\bdo it now\b"
        r"|\b(?:i|we) (?:recommend|suggest|advise|propose)\b|\bgood idea\b|\bgo (?:ahead"
        r"|all)\b|\bwould (?:buy|put|go|take|add|load)\b"
        r"|\bhandles?\b.{0,12}\bfine\b|\bonly regret|\bnot slowing|\bheading to"
        r"|\bgroup is right|\bbetter leverage|\bgo for it\b"
    ),
    "ko": re.compile(
        r"(?:으|하|사|담|넣|타|쓰|돌리|굴리|옮기|잡|모으|싣|실|얹|채우|태우|긁|던지"
        r"|매수하|투자하|가입하|신청하|보내|두|갈아타|바꾸|맡기|누르|노리|들어가)"
        r"(?:시|으시)?(?:세요|셔야죠|십시오|시죠|시면 (?:돼|됩|딱|그만|무난|충분)"
        r"|면 (?:됩니다|돼요|그만)|라고 권|시기 좋)"
        r"|(?:실으세요|담으세요|넣으세요|태우세요|채우세요|긁으세요|사세요|타세요"
        r"|쓰세요|쓰시면|던지세요|매도하세요|매수하세요|돌리세요)"
        r"|[가-힣](?<!지 마)(?<!피하)(?<!확인하)(?<!기다리)(?<!보)(?<!주의하)(?<!살피)(?<!참고하)"
        r"(?<!생각해 보)(?<!조심하)"
        r"(?:세요"
        r"|십시오|으세요|시죠|시면 됩니다|시면 돼요)(?![가-힣])"
        r"|(?:사|담|타|넣|지르|질러|들어가|올라타|가|쓰|빌리|당기|당겨|모으)(?:자(?=[.!?, ])"
        r"|죠|면 돼|면 됩니다|도 됩니다|도 돼요|셔도 됩니다|셔도 괜찮)"
        r"|추천(?:합니다|드립니다|드려요|해요|하는|드릴)|권합니다|권해 드립|권해드립"
        r"|제시합니다|소개해 드릴|보내 드릴|채워 드립|열어 줍니다"
        r"|걱정 ?(?:마|없|안)|문제 ?없|괜찮(?:아요|습니다)|나쁘지 않|매력적|유리합니다"
        r"|이득|남는 장사|(?<!횡)보장(?!하지|되지|하는 (?:것|건)|은 없|이 없|할 수)"
        r"|책임지|늦기 전|기회|놓치|대박|먹고|불려|키워"
        r"|(?:해|하|넣|사|담)도 (?:돼요|됩니다|좋|괜찮|무방)|낫(?:습니다|고요|죠)"
        r"|답이(?:지|죠|에요|예요)|(?:레버리지|etf|종목|이거|그거)죠|충분히[^.!?\n]{0,10}(?:만"
        r"|감당|가능)|해 볼 만|괜찮은 선택|가장 효과적|딱 좋|무조건"
        r"|확실하게|배짱|(?:로|배|까지|끝까지) 갑니다(?=[.!?])|이유는 (?:하나도 )?없|늦지 않|타는 사람이 버"
        r"|황금 구간|좋은 기회|먹을 게 많|두 배 효율|빠르|매수$|에 매수"
        r"|겨우 시동|남았어요|필요 없|안 쌓아도|그만이에요|(?:감당|배짱)[^.!?\n]{0,8}(?:하실"
        r"|있으)|그때는[^.!?\n]{0,12}됩니다"
    ),
}
_PRAISES = {
    "en": re.compile(
        r"\b(?:better|best|easy|easily|profits?|upside|gains?|double|doubles|triple"
        r"|rise|rises|higher|growing|beats?|pays?|benefits?"
        r"|advantage|strong|cheap|win|wins|winner|smart|clever|safe|safely|attractive"
        r"|rewards?|opportunity|extra|free|fast|quick"
        r"|quickly|earns?|boosts?|lucrative|solid|ideal|great|good|excellent|fantastic"
        r"|booming|outperforms?|full upside|protected)\b"
    ),
    "ko": re.compile(
        r"오릅니다|올라요|오를|수익(?!률)|이익|유리|장점|혜택|높은|높습니다|안전|좋(?:은"
        r"|습|아|죠)|강(?:한|합|세)|기대|매력|효율|빨리|빠르|쉽|싸|저렴|크게|두 배"
        r"|받을 수"
        r"|버는|벌|이득|성장|상승|반등|회복|불어|짭짤|쏠쏠|든든|최고|최적"
    ),
}
_WARNS = {
    "en": re.compile(
        r"\b(?:risks?|risky|losses|loss|lose|lost|fall|falls|fell|drop|drops|dropped"
        r"|however|but|careful|caution|volatile|worse|worst"
        r"|default|collapse|wiped|trap|danger|dangerous|unlikely|warning|never see|can't sell|illegal|fraud|scam)\b"
    ),
    "ko": re.compile(
        r"위험|손실|손해|하락|떨어|빠지|빠졌|잃|주의|조심|다만|하지만|그러나|부담"
        r"|불리|무너|반토막|깨지|날아|못 |사기|불법|경고|어렵|밀리|부도|상폐"
    ),
}
_ASKS_FOR_FACTS = {
    "en": re.compile(
        r"\bwhat (?:is|are|does|happened|happens)\b|\bhow (?:do|does|did) (?:i|it|they)\b|\bexplain\b|\bdifference\b"
    ),
    "ko": re.compile(r"뭐예요|무엇|뜻|의미|차이|왜|어떻게 되|어떤 일이"),
}


_RULES_OUT_BEFORE = re.compile(r"\b(?:no|never|not|without|nothing|avoid)\b[^.,;?!]*$")
_RULES_OUT_AFTER = re.compile(r"^[^.?!]{0,10}(?:안 [하쓰사]|하지 않|쓰지 않|빼고|제외|싫)")


class Sentence(NamedTuple):
    """A sentence of a reply in folded offsets, with what it does."""

    start: int
    end: int
    recalls: bool
    refuses: bool
    urges: bool


class Acts:
    """One Korean or English reply, by sentence."""

    def __init__(self, analysis: Analysis, question: Analysis, language: str) -> None:
        self.text = analysis.folded.text
        self.question = question.folded.text
        self.language = language
        self.sentences = [self._read(start, end) for start, end in analysis.sentence_spans]
        self.plan = Plan(
            analysis, question, [(sentence.start, sentence.end) for sentence in self.sentences if sentence.urges]
        )

    def _read(self, start: int, end: int) -> Sentence:
        text, language = self.text[start:end], self.language
        asks = text.rstrip(" \n*\"'").endswith("?")
        recalls = _RECALLS[language].search(text) is not None and not _LOOSENS[language].search(text)
        refuses = _REFUSES[language].search(text) is not None
        urges = not asks and not recalls and not refuses and _URGES[language].search(text) is not None
        return Sentence(start, end, recalls, refuses and not asks, urges)

    def judge(
        self, asked: ParsedConstraint, hits: Sequence[Hit], asked_hits: Sequence[Hit], *, alone: bool
    ) -> ActVerdict | None:
        """What the reply makes of one constraint; ``alone`` when the user has no other."""
        topics = [hit for hit in hits if hit.entry.role == "topic"]
        named = any(hit.entry.role == "topic" and not self._ruled_out(hit) for hit in asked_hits)
        recalled = self._recalled(asked, hits, alone=alone)
        planned = beyond(self.plan, asked)
        if recalled:
            return ActVerdict(-1, STRONG, recalled.start, recalled.end, "line_recalled")
        if planned:
            return planned
        return self._taken(topics, named=named)

    def _ruled_out(self, hit: Hit) -> bool:
        """Whether the question names a topic only to state the user's rule (no leverage)."""
        before, after = self.question[max(0, hit.start - 12) : hit.start], self.question[hit.end : hit.end + 20]
        return (
            _RULES_OUT_AFTER.search(after) if self.language == "ko" else _RULES_OUT_BEFORE.search(before)
        ) is not None

    def _recalled(self, asked: ParsedConstraint, hits: Sequence[Hit], *, alone: bool) -> Sentence | None:
        """The first sentence that recalls this constraint: the only one, or one whose words or number it holds."""
        own = [hit.start for hit in hits if hit.entry.role in ("topic", "preferred", "named")]
        for sentence in self.sentences:
            if not sentence.recalls:
                continue
            text = self.text[sentence.start : sentence.end]
            value = asked.value is not None and re.search(rf"(?<![0-9.]){asked.value:g}(?![0-9])", text) is not None
            if alone or value or any(sentence.start <= index < sentence.end for index in own):
                return sentence
        return None

    def _leans(self, topics: Sequence[Hit]) -> ActVerdict | None:
        """Praise of a topic in a short reply that warns of nothing, where no knowledge was asked for."""
        language = self.language
        facts = _ASKS_FOR_FACTS[language].search(self.question)
        if not topics or facts or len(self.text) > _SHORT or _WARNS[language].search(self.text):
            return None
        praise = _PRAISES[language].search(self.text)
        if praise is None:
            return None
        start, end = min(topics[0].start, praise.start()), max(topics[0].end, praise.end())
        return ActVerdict(1, MODERATE, start, end, "praised")

    def _about(self, sentence: Sentence, topics: Sequence[Hit]) -> bool:
        """Whether a sentence speaks of a topic: in a long reply only where it, or the one before, names it."""
        if len(self.text) <= _SHORT:
            return True
        position = self.sentences.index(sentence)
        first = self.sentences[max(0, position - 1)].start
        return any(first <= hit.start < sentence.end for hit in topics)

    def _taken(self, topics: Sequence[Hit], *, named: bool) -> ActVerdict | None:
        """What sentences that urge or refuse make of a topic that the reply or the question names."""
        if not topics and not named:
            return None
        urging = [sentence for sentence in self.sentences if sentence.urges and self._about(sentence, topics)]
        refusing = [sentence for sentence in self.sentences if sentence.refuses]
        at = topics[0] if topics else None
        if urging and refusing and len(self.text) <= _SHORT:
            return None  # a short reply that does both leaves open what it comes to
        if urging:
            first = urging[0]
            start, end = (min(at.start, first.start), max(at.end, first.end)) if at else (first.start, first.end)
            return ActVerdict(1, STRONG if at else MODERATE, start, end, "urged")
        leaning = self._leans(topics)
        if leaning and not refusing:
            return leaning
        if refusing and not _ASKS_FOR_FACTS[self.language].search(self.question):
            first = refusing[0]
            return ActVerdict(-1, WEAK, first.start, first.end, "refused")
        return None
