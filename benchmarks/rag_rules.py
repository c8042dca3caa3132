"""Cases a second that the judge `rules` evaluates with all six RAG metrics, in one process.

    python benchmarks/rag_rules.py [CASES]

Made-up cases in Chinese, Korean and English: a question, five retrieved contexts of about 300 characters, two reference
contexts, a reference answer of two sentences, and an answer of three, one of them with a wrong number. Every case is
different, so that no cache helps from one to the next.
"""

from __future__ import annotations

import random
import re
import sys
import time

from scored import all_scored
from turnmark.judges.rules.judge import RulesJudge
from turnmark.schemas.judging.cases import EvalCase
from turnmark.suites.rag.case import evaluate_case

SIX = (
    "faithfulness",
    "context_relevance",
    "answer_relevancy",
    "context_recall",
    "context_precision",
    "answer_correctness",
)
FACTS = {
    "en": (
        "The {thing} {n} carries a warranty of {m} months from the date of purchase.",
        "Returns of the {thing} {n} are accepted within {m} days if the original packaging is kept.",
        "The {thing} {n} operates at {m} volts and must not be used above {k} degrees Celsius.",
        "Repairs are handled by the service centre in {place}, which answers requests within {k} working days.",
    ),
    "zh": (
        "{thing}{n}型自购买之日起享有{m}个月的保修服务，购买凭证须由客户妥善保存，遗失时以出厂日期为准。",
        "在保留原包装的前提下，{thing}{n}型在{m}天内可以无理由退货，退货运费由{place}的经销商承担，逾期不再受理。",
        "{thing}{n}型的工作电压为{m}伏，环境温度不得超过{k}摄氏度，长期停用时应当切断电源并放在干燥通风的地方。",
        "维修由{place}服务中心负责，一般在{k}个工作日内答复，复杂的故障会转交给总部的工程师，并及时通知客户进展。",
    ),
    "ko": (
        "{thing} {n}의 보증 기간은 구입일로부터 {m}개월이며 영수증을 반드시 보관해야 합니다.",
        "원래 포장을 보관한 경우 {thing} {n}은 {m}일 이내에 반품할 수 있고 배송비는 {place} 대리점이 부담합니다.",
        "{thing} {n}은 {m}볼트에서 작동하며 섭씨 {k}도를 넘는 환경에서 사용하면 안 됩니다.",
        "수리는 {place} 서비스 센터가 담당하며 영업일 기준 {k}일 안에 답변하고 진행 상황을 알려 드립니다.",
    ),
}
THINGS = {
    "en": ("smart lock", "air purifier", "e-bike battery", "robot vacuum", "home router"),
    "zh": ("智能门锁", "空气净化器", "电动车电池", "扫地机器人", "家用路由器"),
    "ko": ("스마트 도어록", "공기 청정기", "전기 자전거 배터리", "로봇 청소기", "가정용 공유기"),
}
PLACES = {"en": ("Porto", "Leeds", "Austin"), "zh": ("武汉", "成都", "青岛"), "ko": ("광주", "대전", "울산")}
STOP = re.compile(r"(?<=[.。]) ?")
# A number that is not the thing's own.
AMOUNT = re.compile(r"(?<=at )[0-9]+|(?<=为)[0-9]+|[0-9]+(?=볼트)")
QUESTIONS = {
    "en": "What warranty, return period and operating limits apply to the {thing} {n}?",
    "zh": "{thing}{n}型的保修期、退货期限和使用限制分别是什么？",
    "ko": "{thing} {n}의 보증 기간, 반품 기한, 사용 제한은 무엇입니까?",
}


def passage(language: str, thing: str, number: int, source: random.Random, least: int) -> str:
    """Facts about one thing, until the passage has the wanted length."""
    sentences: list[str] = []
    while sum(map(len, sentences)) < least:
        fact = FACTS[language][len(sentences) % 4]
        sentences.append(
            fact.format(
                thing=thing,
                n=number,
                m=source.randint(10, 400),
                k=source.randint(2, 90),
                place=source.choice(PLACES[language]),
            )
        )
    return (" " if language != "zh" else "").join(sentences)


def case(index: int, source: random.Random) -> EvalCase:
    language = ("zh", "ko", "en")[index % 3]
    things = source.sample(THINGS[language], 5)
    numbers = [source.randint(100, 999) for _ in things]
    contexts = [passage(language, thing, n, source, 270) for thing, n in zip(things, numbers, strict=True)]
    sentences = [sentence for sentence in STOP.split(contexts[0]) if sentence]
    between = "" if language == "zh" else " "
    reference = between.join(sentences[:2])
    answer = between.join([*sentences[:2], AMOUNT.sub(str(source.randint(401, 499)), sentences[2], count=1)])
    return EvalCase(
        question=QUESTIONS[language].format(thing=things[0], n=numbers[0]),
        answer=answer,
        ground_truth_answer=reference,
        retrieved_contexts=source.sample(contexts, 5),
        ground_truth_contexts=contexts[:2],
        lang=language,
    )


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    source = random.Random(7)
    cases = [case(index, source) for index in range(count)]
    lengths = [len(text) for each in cases for text in each.retrieved_contexts or ()]
    judge = RulesJudge()
    for each in cases[:30]:
        evaluate_case(each, judge, SIX)
    for language in ("zh", "ko", "en", None):
        chosen = [each for each in cases if language in (None, each.lang)]
        started = time.process_time()
        found = [evaluate_case(each, judge, SIX) for each in chosen]
        seconds = time.process_time() - started
        failed = sum(any(result.status == "failed" for result in one.results.values()) for one in found)
        all_scored(f"cases {language or 'all'}", len(found) - failed, len(found))
        print(f"{language or 'all':<4} {len(chosen):>6} cases {len(chosen) / seconds:>8.0f} cases/s")
    print(f"contexts: 5 of {sum(lengths) / len(lengths):.0f} characters on average; six metrics; one process, CPU time")


if __name__ == "__main__":
    main()
