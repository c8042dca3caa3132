"""Pairs of texts that differ in one value, which readers of values and judges must both notice."""

CHANGED = """\
2024年3月15日 | 2024年9月25日
3월 15일 | 9월 30일
2024-03-15 | 2024-09-30
3/15/2024 | 9/25/2024
7 May 2023 | 7 May 2024
9:00 | 9:30
9 am | 9 pm
-5% | 5%
-20°C | 20°C
负5% | 5%
零下20度 | 20度
영하 20도 | 20도
마이너스 5% | 5%
minus 5% | 5%
R4 | R2
2등급 | 5등급
type 1 | type 2
1型 | 2型
1형 | 2형
600519 | 000858
第12条 | 第21条
제12조 | 제21조
A类 | C类
B12 | B6
α | β
+ | +++
BP 86/148 | BP 148/86
500美元 | 500元
500달러 | 500원
500 dollars | 500 euros
5 mL | 5 mg
10 mg | 10 mg/kg
250 µg | 250 mg
20 units | 20 mL
3个工作日 | 3个月
3 days | 3 weeks
$1.5B | $1.5M
5万 | 5万亿
5천만원 | 5천억원
阳性 | 阴性
양성 | 음성
良性 | 恶性
included | excluded
포함 | 별도
포함 | 제외
收费 | 免费
유료 | 무료
at least 5 | at most 5
"""
