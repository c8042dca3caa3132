"""The same facts in three languages, and what each change does to them."""

CASES = {
    "en": {
        "question": "How much may one transfer a day, and what does a transfer cost?",
        "facts": [
            "The daily transfer limit is 50,000 dollars.",
            "Each transfer costs 12 dollars.",
            "Maria Lopez heads the service desk in Lisbon.",
            "The card can be blocked by phone at any time.",
        ],
        "number": ("50,000 dollars", "80,000 dollars"),
        "negation": ("can be blocked", "cannot be blocked"),
        "name": ("Maria Lopez", "Peter Novak"),
        "invented": "Customers also receive a free airport lounge pass for their birthday.",
        "noise": "Whales feed mainly on krill and small fish in the southern ocean.",
        "off_topic": "My grandmother bakes excellent apple cakes every autumn.",
    },
    "zh": {
        "question": "每天最多可以转账多少钱，每笔转账手续费是多少？",
        "facts": [
            "每日转账限额为50000元。",
            "每笔转账手续费为12元。",
            "陈丽华负责里斯本的客服中心。",
            "银行卡可以随时通过电话挂失。",
        ],
        "number": ("50000元", "80000元"),
        "negation": ("可以随时", "不可以随时"),
        "name": ("陈丽华", "王建国"),
        "invented": "客户过生日时还能免费使用机场贵宾休息室。",
        "noise": "鲸鱼主要以南大洋的磷虾和小鱼为食。",
        "off_topic": "我奶奶每年秋天都会烤很好吃的苹果蛋糕。",
    },
    "ko": {
        "question": "하루에 최대 얼마까지 이체할 수 있고 이체 수수료는 얼마입니까?",
        "facts": [
            "하루 이체 한도는 5000만원입니다.",
            "이체 수수료는 건당 500원입니다.",
            "김서연 팀장이 부산 고객센터를 맡고 있습니다.",
            "카드는 전화로 언제든지 정지할 수 있습니다.",
        ],
        "number": ("5000만원", "8000만원"),
        "negation": ("정지할 수 있습니다", "정지할 수 없습니다"),
        "name": ("김서연", "박도윤"),
        "invented": "고객은 생일에 공항 라운지를 무료로 이용할 수 있습니다.",
        "noise": "고래는 주로 남극해의 크릴과 작은 물고기를 먹습니다.",
        "off_topic": "우리 할머니는 가을마다 맛있는 사과 케이크를 구워 주십니다.",
    },
}


def joined(language, facts):
    """Facts as one text."""
    return ("" if language == "zh" else " ").join(facts)


def changed(language, what):
    """All facts with one change: a number, a negation or a name."""
    old, new = CASES[language][what]
    text = joined(language, CASES[language]["facts"])
    assert old in text
    return text.replace(old, new)
