"""What a quantity is measured in: further units and currencies, and how all of them convert.

The tables of this package are kept, after trying ``pint``: it knows no Chinese or Korean unit (斤, 亩, 평), no
working days, no IU as a unit of medicine, and no currencies that must *not* convert; its registry takes longer to load
than most runs read (one to two seconds, measured), and one conversion half a millisecond. What is needed is a factor a
unit, which the tables say in a line each.
"""

from __future__ import annotations

from turnmark.language.quantity.units import SCALES

# Normalised name: how it is written, folded; underscores stand for spaces.
_SPELLINGS: dict[str, str] = {
    "workday": "个工作日 工作日 个交易日 交易日 영업일 근무일 거래일 "
    "business_days business_day working_days working_day "
    "trading_days banking_days",
    "krw": "韩元 韩币 원화",
    "hkd": "元港币 港币 港元 홍콩달러 홍콩_달러 hong_kong_dollars",
    "mop": "澳门元 澳门币 元澳门币",
    "twd": "新台币 台币 元新台币 대만달러 nt_dollars",
    "usd": "元美元 元美金 us_dollars u.s._dollars bucks 미국달러 미국_달러",
    "gbp": "英镑 파운드화 pounds_sterling gbp quid",
    "jpy": "日元 日圆 円 엔화",
    "eur": "欧元",
    "cad": "加元 加币 캐나다달러 canadian_dollars cad",
    "aud": "澳元 澳币 호주달러 australian_dollars aud",
    "sgd": "新加坡元 新元 싱가포르달러 singapore_dollars sgd",
    "chf": "瑞士法郎 瑞郎 스위스프랑 swiss_francs chf",
    "inr": "卢比 루피 rupees rupee inr",
    "thb": "泰铢 바트 baht thb บาท",
    "vnd": "越南盾 동화 dong vnd",
    "yuan": "yuan_renminbi 위안화",
    "cent": "cents cent 美分 센트",
    "m2": "平方米 平米 ㎡ m2 m² sqm sq_m 제곱미터 평방미터 square_meters square_metres",
    "pyeong": "평 坪",
    "km2": "平方公里 km2 ㎢ 제곱킬로미터 square_kilometers square_kilometres",
    "sqft": "平方英尺 sq_ft sqft square_feet 제곱피트",
    "hectare": "公顷 헥타르 hectares hectare ha",
    "acre": "英亩 에이커 acres acre",
    "mu": "亩",
    "mm2": "平方毫米 mm2 제곱밀리미터 square_millimeters square_millimetres",
    "m3": "立方米 m3 ㎥ 세제곱미터 입방미터 cubic_meters cubic_metres",
    "gallon": "加仑 갤런 gallons gallon gal",
    "pint": "品脱 파인트 pints pint",
    "w": "瓦 瓦特 와트 w watts watt",
    "kw": "千瓦 킬로와트 kw kilowatts kilowatt",
    "mw": "兆瓦 메가와트 megawatts megawatt",
    "kwh": "千瓦时 度电 킬로와트시 kwh",
    "wh": "瓦时 wh",
    "v": "伏 伏特 볼트 v volts volt",
    "a": "安 安培 암페어 amps amp",
    "mah": "毫安时 毫安 mah",
    "hz": "赫兹 헤르츠 hz",
    "khz": "千赫 khz",
    "mhz": "兆赫 mhz",
    "ghz": "吉赫 ghz",
    "db": "分贝 데시벨 db decibels",
    "pa": "帕 pa",
    "kpa": "千帕 kpa",
    "mpa": "兆帕 mpa",
    "bar": "巴 bar",
    "psi": "psi",
    "byte": "字节 바이트 bytes",
    "kb": "kb 킬로바이트 kilobytes",
    "mb": "mb 메가바이트 메가 megabytes 兆",
    "gb": "gb 기가바이트 기가 gigabytes gigs",
    "tb": "tb 테라바이트 테라 terabytes",
    "mbps": "mbps 메가비피에스",
    "gbps": "gbps",
    "pixel": "像素 픽셀 화소 pixels px megapixels",
    "km/h": "km/h kph 公里/小时 千米/小时 시속 kilometers_per_hour kilometres_per_hour",
    "mph": "mph 英里/小时 miles_per_hour",
    "m/s": "m/s 米/秒 meters_per_second metres_per_second",
    "knot": "节 노트 knots knot",
    "yard": "码 야드 yards yard yd",
    "nm": "纳米 나노미터 nm nanometers",
    "um": "微米 마이크로미터 um μm microns",
    "li": "里",
    "liang": "两",
    "quarter": "个季度 분기_동안 quarters",
    "decade": "decades decade",
    "fortnight": "fortnights fortnight",
    "night": "晚 박 nights night",
    "credit": "学分 학점 credits credit_hours credit",
    "course": "门课程 门课 과목 courses course",
    "sheet": "张 장 매 sheets sheet",
    "seat": "석 좌석 seats seat",
    "room": "间 객실 rooms room",
    "household": "户 가구 세대 households household",
    "vehicle": "辆 台 대 vehicles cars units_sold",
    "session": "场 节课 sessions session",
    "bag": "袋 봉지 포대 bags bag",
    "box": "箱 盒 박스 상자 boxes box cartons",
    "month_installment": "期 기분 installments instalments",
    "word": "字 자 words",
    "line": "회선 行 lines",
    "copy": "份 부 copies",
    "ppm": "ppm",
    "ml/min": "毫升/分钟",
    "mg/day": "mg/day mg/d 毫克/天 mg/日",
    "iu/kg": "iu/kg u/kg",
    "ug/kg": "μg/kg mcg/kg ug/kg",
    "ml/kg": "ml/kg 毫升/公斤",
    "ml/h": "ml/h ml/hr 毫升/小时",
    "mg/ml": "mg/ml 毫克/毫升",
    "unit/ml": "units/ml",
}

CURRENCIES = frozenset(
    ("yuan", "krw", "usd", "hkd", "mop", "twd", "eur", "gbp", "jpy", "cad", "aud", "sgd", "chf", "inr", "thb", "vnd")
)
DURATIONS = frozenset(
    ("year", "month", "week", "day", "hour", "minute", "second", "workday", "quarter", "decade", "fortnight")
)
# Units that count things rather than measure them; two of them may count the same.
COUNTERS = frozenset(
    (
        "",
        "item",
        "person",
        "occurrence",
        "point",
        "share",
        "set",
        "piece",
        "vehicle",
        "household",
        "copy",
        "line",
        "room",
        "credit",
        "course",
        "sheet",
        "seat",
    )
)

# (dimension, factor, offset), as in ``units.SCALES``.
_MORE_SCALES: dict[str, tuple[str, float, float]] = {
    "quarter": ("time", 365.25 / 4, 0.0),
    "decade": ("time", 3652.5, 0.0),
    "fortnight": ("time", 14.0, 0.0),
    "m2": ("area", 1.0, 0.0),
    "pyeong": ("area", 400 / 121, 0.0),
    "km2": ("area", 1e6, 0.0),
    "sqft": ("area", 0.09290304, 0.0),
    "hectare": ("area", 1e4, 0.0),
    "acre": ("area", 4046.8564224, 0.0),
    "mu": ("area", 2000 / 3, 0.0),
    "mm2": ("area", 1e-6, 0.0),
    "m3": ("volume", 1e6, 0.0),
    "gallon": ("volume", 3785.411784, 0.0),
    "pint": ("volume", 473.176473, 0.0),
    "w": ("power", 1.0, 0.0),
    "kw": ("power", 1e3, 0.0),
    "mw": ("power", 1e6, 0.0),
    "wh": ("energy", 1.0, 0.0),
    "kwh": ("energy", 1e3, 0.0),
    "hz": ("frequency", 1.0, 0.0),
    "khz": ("frequency", 1e3, 0.0),
    "mhz": ("frequency", 1e6, 0.0),
    "ghz": ("frequency", 1e9, 0.0),
    "pa": ("pressure", 1.0, 0.0),
    "kpa": ("pressure", 1e3, 0.0),
    "mpa": ("pressure", 1e6, 0.0),
    "bar": ("pressure", 1e5, 0.0),
    "psi": ("pressure", 6894.757, 0.0),
    "byte": ("data", 1e-3, 0.0),
    "kb": ("data", 1.0, 0.0),
    "mb": ("data", 1e3, 0.0),
    "gb": ("data", 1e6, 0.0),
    "tb": ("data", 1e9, 0.0),
    "mbps": ("data rate", 1.0, 0.0),
    "gbps": ("data rate", 1e3, 0.0),
    "km/h": ("speed", 1.0, 0.0),
    "mph": ("speed", 1.609344, 0.0),
    "m/s": ("speed", 3.6, 0.0),
    "knot": ("speed", 1.852, 0.0),
    "yard": ("length", 91.44, 0.0),
    "nm": ("length", 1e-7, 0.0),
    "um": ("length", 1e-4, 0.0),
    "li": ("length", 5e4, 0.0),
    "liang": ("mass", 50.0, 0.0),
    "workday": ("working time", 1.0, 0.0),
}
_ALL_SCALES = {**SCALES, **_MORE_SCALES}


def _table() -> dict[str, tuple[tuple[str, str], ...]]:
    results: dict[str, list[tuple[str, str]]] = {}
    for name, spellings in _SPELLINGS.items():
        for spelling in spellings.split():
            literal = spelling.replace("_", " ")
            results.setdefault(literal[0], []).append((literal, name))
    return {first: tuple(sorted(each, key=lambda entry: -len(entry[0]))) for first, each in results.items()}


_BY_FIRST = _table()
# What may not follow a short word, which else begins another one.
_NOT_BEFORE = {
    "w": "0",
    "平米": "",
    "평": "일균가생소점안범당",
    "度电": "",
    "伏": "天",
    "安": "全装排",
    "帕": "",
    "巴": "士",
    "节": "假约日能",
    "里": "面程拿它最放出抽留给先划用投买",
    "两": "种个年天次位项者份人类款年",
    "晚": "上会期点",
    "박": "람사스",
    "석": "사박유탄",
    "장": "소기점비치애관학단면중",
    "매": "달월년주일일출수",
    "间": "隔接",
    "台": "风阶",
    "대": "상출한학금표한대응기비체부신",
    "场": "所地馆",
    "袋": "",
    "盒": "",
    "字": "段",
    "자": "리동기료격녀신",
    "行": "业为政",
    "份": "额",
    "부": "터분문",
    "期": "间限",
    "兆": "",
    "메가": "바",
    "기가": "바",
    "노트": "북",
    "가구": "점",
    "세대": "주",
    "码": "",
    "亩": "",
    "学分": "",
    "户": "口",
}


def match_measure(text: str, position: int) -> tuple[str, int] | None:
    """(name, end) of a further unit that starts at a position of a folded text, or None."""
    for literal, name in _BY_FIRST.get(text[position : position + 1], ()):
        if not text.startswith(literal, position):
            continue
        end = position + len(literal)
        following = text[end : end + 1]
        if literal[-1].isascii() and literal[-1].isalnum() and following.isascii() and following.isalpha():
            continue
        if following and following in _NOT_BEFORE.get(literal, ""):
            continue
        return name, end
    return None


def dimension(unit: str) -> str:
    """What a unit measures: "time", "mass", "currency" …; the unit itself where it converts into no other."""
    if unit in CURRENCIES:
        return "currency"
    scale = _ALL_SCALES.get(unit)
    return unit if scale is None else scale[0]


def in_base(value: float, unit: str) -> float:
    """A value in the base unit of its dimension."""
    scale = _ALL_SCALES.get(unit)
    return value if scale is None else (value + scale[2]) * scale[1]
