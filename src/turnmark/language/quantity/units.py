"""Units: how they are written in three languages, what they are called here, and how they convert."""

import re
from typing import Final

# Normalised name: the ways it is written, folded (lower case, half width, simplified).
SPELLINGS: Final[dict[str, str]] = {
    "percent": "% %p %포인트 퍼센트포인트 퍼센트 프로 趴 个百分点 百分点 个点 percent per_cent percentage_points "
    "percentage_point pct",
    "per_mille": "‰ 퍼밀",
    "basis_point": "个基点 基点 bps bp basis_points basis_point",
    "tenth": "成 할",
    "fold": "倍 배 fold -fold x",
    "year": "年 年期 整年 周年 年间 년 년간 개년 해 year years yr yrs -year",
    "year_old": "周岁 岁 세 살 years_old year_old years-old year-old yrs_old yo y/o years_of_age",
    "month": "个月 个多月 月龄 개월 달 달간 month months mo mos",
    "week": "周 个星期 星期 个礼拜 礼拜 주 주간 주일 week weeks wk wks",
    "day": "天 个工作日 个交易日 工作日 交易日 个自然日 일 일간 day days",
    "hour": "个小时 小时 个钟头 钟头 시간 hour hours hr hrs h",
    "minute": "分钟 분 분간 minute minutes min mins",
    "second": "秒 秒钟 초 초간 second seconds sec secs",
    "yuan": "元 块钱 块 元人民币 人民币 rmb cny yuan 위안",
    "krw": "원 won krw 韩元",
    "usd": "美元 美金 달러 dollars dollar usd",
    "hkd": "港元 港币 hkd",
    "eur": "欧元 유로 euros euro eur",
    "jpy": "日元 엔 yen jpy",
    "kg": "公斤 千克 킬로그램 킬로 kg kgs kilograms kilogram kilos kilo",
    "g": "克 그램 g gram grams",
    "mg": "毫克 밀리그램 mg milligrams milligram",
    "ug": "微克 마이크로그램 mcg ug μg micrograms microgram",
    "lb": "磅 파운드 lb lbs pounds pound",
    "oz": "盎司 온스 oz ounces ounce",
    "jin": "斤 市斤 근",
    "ton": "吨 톤 tons tonnes",
    "ml": "毫升 밀리리터 ml cc milliliters millilitres",
    "l": "升 公升 리터 l liter liters litre litres",
    "dl": "dl",
    "cm": "厘米 公分 센티미터 센티 센치 cm centimeters centimetres",
    "mm": "毫米 밀리미터 밀리 mm millimeters",
    "m": "米 公尺 미터 m meters metres",
    "km": "公里 千米 킬로미터 km kilometers kilometres",
    "inch": "英寸 인치 inches inch",
    "ft": "英尺 피트 feet ft foot",
    "mile": "英里 마일 miles mile",
    "mmhg": "mmhg mm_hg 毫米汞柱 밀리미터수은주 수은주밀리미터",
    "bpm": "bpm 次/分钟 次/分 회/분 /min /分 /分钟 /분 beats_per_minute beats/min 次每分",
    "celsius": "°c ℃ 摄氏度 섭씨도 degrees_celsius",
    "fahrenheit": "°f ℉ 华氏度 degrees_fahrenheit",
    "degree": "度 도 ° degrees degree",
    "mg/dl": "mg/dl 毫克/分升 mg/100ml mg%",
    "g/dl": "g/dl 克/分升",
    "g/l": "g/l 克/升",
    "mg/l": "mg/l 毫克/升",
    "mmol/l": "mmol/l mm/l 毫摩尔/升 毫摩/升 毫摩尔每升 밀리몰",
    "umol/l": "μmol/l umol/l 微摩尔/升 mcmol/l",
    "mmol/mol": "mmol/mol",
    "meq/l": "meq/l",
    "ng/ml": "ng/ml ug/l μg/l",
    "pg/ml": "pg/ml",
    "ng/dl": "ng/dl",
    "u/l": "u/l iu/l",
    "miu/l": "miu/l mu/l miu/ml uiu/ml μiu/ml",
    "cells/ul": "/ul /μl cells/ul /mm3 cells/mm3 ×10^9/l x10^9/l *10^9/l 10^9/l ×109/l ×10^3/ul x10^3/ul",
    "ml/min/1.73m2": "ml/min/1.73m2 ml/min/1.73_m2 ml/min/1.73m^2 ml/min/1.73㎡ ml/min/1.73",
    "ml/min": "ml/min 毫升/分钟 毫升/分",
    "kg/m2": "kg/m2 kg/m^2 kg/㎡ 公斤/平方米",
    "mg/kg": "mg/kg 毫克/公斤",
    "g/kg": "g/kg 克/公斤",
    "iu": "iu 国际单位 个单位 单位 단위 units unit",
    "meq": "meq",
    "kcal": "kcal 千卡 大卡 킬로칼로리 칼로리 卡路里 calories",
    "met": "mets",
    "occurrence": "次 回 遍 趟 회 번 차례 times",
    "step": "步 보 걸음 steps",
    "set": "组 세트 셋트 sets rounds 라운드",
    "repetition": "개씩 reps repetitions",
    "tablet": "片 粒 颗 丸 알 정 tablets tablet pills pill capsules capsule caplets 캡슐 胶囊",
    "cup": "杯 잔 컵 cups cup glasses glass",
    "bottle": "瓶 병 bottles bottle",
    "bowl": "碗 공기 그릇 bowls bowl",
    "spoon": "勺 匙 숟가락 숟갈 큰술 작은술 스푼 티스푼 tablespoons tablespoon teaspoons teaspoon tbsp tsp",
    "piece": "块儿 个装 쪽 조각 토막 덩이 slices slice pieces piece servings serving 份 인분",
    "share": "股 shares",
    "lot": "手 lots",
    "person": "人 名 位 명 people patients",
    "item": "个 只 支 条 项 种 类 档 笔 家 套 句 件 本 册 개 가지 마리 권 items",
    "point": "点 포인트 points point",
}

# Spellings that longer words begin with; what follows must not be one of these characters.
FOLLOWED: Final[dict[str, str]] = {
    "프로": "그틴젝스필모바게토",
    "킬로": "와미그바헤칼",
    "成": "员立本交长果功绩熟年人语品",
    "할": "인증당부머수게때지거매",
    "年": "轻级代龄货",
    "天": "气堂然津",
    "周": "转期围边全密刊岁",
    "度": "过假",
    "元": "素旦件老",
    "升": "级值势",
    "克": "服",
    "次": "贷新级日性",
    "回": "来到报撤落购升调避复答头事",
    "人": "民们口生才均气",
    "名": "义称字单",
    "位": "置于数",
    "家": "庭里常长",
    "只": "是能",
    "条": "件",
    "类": "似别资",
    "项": "目",
    "档": "案",
    "本": "金息地币国钱月日年科人身行店院公次期季周来部身票户命着分",
    "册": "子封",
    "권": "한리위유고총장력",
    "手": "机续里头上段动",
    "股": "票市份东息价债权指基",
    "组": "合",
    "步": "入",
    "份": "额",
    "倍": "增",
    "세": "트대포",
    "분": "석류기",
    "주": "식차",
    "년": "대도생차",
    "달": "러",
    "보": "다험통충호",
    "정": "도",
    "번": "째호",
    "회": "차용",
    "배": "당변",
    "원": "인래칙리",
    "개": "월년",
    "알": "코러려레",
    "병": "원",
    "잔": "여",
    "초": "기과",
    "도": "움로시",
    "해": "야서요결당도로주독설지",
}


# But these are words of their own: 四成本金 is four tenths of the principal, 零成本 no cost.
_YET_FOLLOWED: Final[dict[str, tuple[str, ...]]] = {
    "成": (
        *("本金", "本息", "本地", "本币", "本国", "本钱", "本外币", "交易", "交给", "人口", "人工", "人民币"),
        *("年轻", "年金", "年终", "年收入", "年化", "长期", "长债", "长线", "长端", "立即", "立刻", "立马"),
        *("品种", "功能"),
    ),
}


def _by_first_character() -> dict[str, tuple[tuple[str, str, str], ...]]:
    table: dict[str, list[tuple[str, str, str]]] = {}
    for name, spellings in SPELLINGS.items():
        for spelling in spellings.split():
            literal = spelling.replace("_", " ")
            table.setdefault(literal[0], []).append((literal, name, FOLLOWED.get(literal, "")))
    return {first: tuple(sorted(entries, key=lambda entry: -len(entry[0]))) for first, entries in table.items()}


_BY_FIRST = _by_first_character()
UNIT_FIRST_CHARACTERS: Final[frozenset[str]] = frozenset(_BY_FIRST)


def _by_two_characters() -> dict[str, tuple[tuple[str, str, str, bool], ...]]:
    """Spellings by their first two characters, those of one character by it alone; most come with few others."""
    table: dict[str, tuple[tuple[str, str, str, bool], ...]] = {}
    for first, entries in _BY_FIRST.items():
        for opening in (first, *dict.fromkeys(literal[:2] for literal, _, _ in entries)):
            table[opening] = tuple(
                (*entry, entry[0][-1].isascii() and entry[0][-1].isalpha())
                for entry in entries
                if entry[0][:2] in (first, opening)
            )
    return table


_BY_OPENING = _by_two_characters()


def match_unit(text: str, position: int) -> tuple[str, int, str] | None:
    """Return (name, end, spelling) of the unit that starts at a position of a folded text, or None."""
    opening = text[position : position + 2]
    entries = _BY_OPENING.get(opening) or _BY_OPENING.get(opening[:1])
    if entries is None:
        return None
    for literal, name, not_followed, is_latin in entries:
        if text.startswith(literal, position):
            end = position + len(literal)
            following = text[end : end + 1]
            if following in not_followed:
                if following and not text.startswith(_YET_FOLLOWED.get(literal, ()), end):
                    continue
            elif is_latin and following.isascii() and (following.isalpha() or following == "/"):
                continue
            return name, end, literal
    return None


# To one base unit a dimension: (dimension, factor, offset); value in base = (value + offset) * factor.
SCALES: Final[dict[str, tuple[str, float, float]]] = {
    "percent": ("ratio", 0.01, 0.0),
    "per_mille": ("ratio", 0.001, 0.0),
    "basis_point": ("ratio", 0.0001, 0.0),
    "fold": ("ratio", 1.0, 0.0),
    "year": ("time", 365.25, 0.0),
    "year_old": ("time", 365.25, 0.0),
    "month": ("time", 365.25 / 12, 0.0),
    "week": ("time", 7.0, 0.0),
    "day": ("time", 1.0, 0.0),
    "hour": ("time", 1 / 24, 0.0),
    "minute": ("time", 1 / 1440, 0.0),
    "second": ("time", 1 / 86400, 0.0),
    "kg": ("mass", 1000.0, 0.0),
    "g": ("mass", 1.0, 0.0),
    "mg": ("mass", 1e-3, 0.0),
    "ug": ("mass", 1e-6, 0.0),
    "lb": ("mass", 453.59237, 0.0),
    "oz": ("mass", 28.349523125, 0.0),
    "jin": ("mass", 500.0, 0.0),
    "ton": ("mass", 1e6, 0.0),
    "l": ("volume", 1000.0, 0.0),
    "dl": ("volume", 100.0, 0.0),
    "ml": ("volume", 1.0, 0.0),
    "km": ("length", 1e5, 0.0),
    "m": ("length", 100.0, 0.0),
    "cm": ("length", 1.0, 0.0),
    "mm": ("length", 0.1, 0.0),
    "inch": ("length", 2.54, 0.0),
    "ft": ("length", 30.48, 0.0),
    "mile": ("length", 160934.4, 0.0),
    "celsius": ("temperature", 1.0, 0.0),
    "fahrenheit": ("temperature", 5 / 9, -32.0),
    "mg/dl": ("mass concentration", 1.0, 0.0),
    "g/dl": ("mass concentration", 1000.0, 0.0),
    "g/l": ("mass concentration", 100.0, 0.0),
    "mg/l": ("mass concentration", 0.1, 0.0),
    "ng/ml": ("mass concentration", 1e-4, 0.0),
    "ng/dl": ("mass concentration", 1e-6, 0.0),
    "pg/ml": ("mass concentration", 1e-7, 0.0),
    "mmol/l": ("amount concentration", 1.0, 0.0),
    "umol/l": ("amount concentration", 1e-3, 0.0),
}

# Milligrams per decilitre in one millimole per litre: a tenth of the molar mass (g/mol). Urea stands for urea itself,
# urea_nitrogen for the nitrogen in it (two atoms), as United States laboratories report it.
MG_DL_PER_MMOL_L: Final[dict[str, float]] = {
    "glucose": 18.016,
    "cholesterol": 38.67,
    "triglyceride": 88.57,
    "creatinine": 11.312,
    "uric_acid": 16.811,
    "urea": 6.006,
    "urea_nitrogen": 2.8014,
    "bilirubin": 58.466,
    "calcium": 4.0078,
    "magnesium": 2.4305,
    "phosphate": 3.0974,
    "potassium": 3.9098,
    "sodium": 2.2990,
}
_ANALYTES: Final[dict[str, str]] = {
    **dict.fromkeys(("ldl", "hdl", "ldl_cholesterol", "hdl_cholesterol", "total_cholesterol"), "cholesterol"),
    **dict.fromkeys(("triglycerides", "tg"), "triglyceride"),
    "bun": "urea_nitrogen",
    "urate": "uric_acid",
    "k": "potassium",
    "na": "sodium",
}
_MONOVALENT = ("potassium", "sodium")


def convert(value: float, from_unit: str, to_unit: str, analyte: str | None = None) -> float:
    """Convert a value between units.

    Args:
        value: The number.
        from_unit: Unit it is in, by its normalised name.
        to_unit: Unit wanted.
        analyte: What was measured, where mass and amount concentrations meet: "glucose", "cholesterol" (also "ldl",
            "hdl"), "triglyceride", "creatinine", "uric_acid", "urea", "urea_nitrogen", "hba1c", "potassium", …

    Returns:
        The value in ``to_unit``. A year is 365.25 days, a month a twelfth of it. HbA1c goes between percent (NGSP)
        and mmol/mol (IFCC) by the master equation.

    Raises:
        ValueError: The units do not convert into each other, or only with an analyte that was not given.

    """
    if from_unit == to_unit:
        return value
    substance = None if analyte is None else _ANALYTES.get(analyte.lower(), analyte.lower())
    if substance == "hba1c" and {from_unit, to_unit} == {"percent", "mmol/mol"}:
        return (value - 2.152) / 0.09148 if from_unit == "percent" else value * 0.09148 + 2.152
    if "meq/l" in (from_unit, to_unit) and substance in _MONOVALENT:
        # One charge an ion: a milliequivalent is a millimole.
        from_unit, to_unit = (("mmol/l" if unit == "meq/l" else unit) for unit in (from_unit, to_unit))
        return convert(value, from_unit, to_unit, analyte)
    source, target = SCALES.get(from_unit), SCALES.get(to_unit)
    if source is None or target is None:
        unknown = from_unit if source is None else to_unit
        raise ValueError(f"cannot convert {from_unit!r} to {to_unit!r}: no conversion is known for {unknown!r}")
    base = (value + source[2]) * source[1]
    if source[0] != target[0]:
        base = _across(base, (source[0], target[0]), (from_unit, to_unit), substance)
    return base / target[1] - target[2]


def _across(base: float, dimensions: tuple[str, str], units: tuple[str, str], substance: str | None) -> float:
    """Cross from mg/dL to mmol/L or back, with the molar mass of the substance."""
    if set(dimensions) != {"mass concentration", "amount concentration"}:
        raise ValueError(f"cannot convert {units[0]!r} to {units[1]!r}: {dimensions[0]} is not {dimensions[1]}")
    if substance is None:
        raise ValueError(f"cannot convert {units[0]!r} to {units[1]!r} without an analyte, such as analyte='glucose'")
    factor = MG_DL_PER_MMOL_L.get(substance)
    if factor is None:
        known = ", ".join(sorted(MG_DL_PER_MMOL_L))
        raise ValueError(f"cannot convert {units[0]!r} to {units[1]!r} for {substance!r}; known analytes: {known}")
    return base / factor if dimensions[0] == "mass concentration" else base * factor


_UNIT_NAMES = frozenset(SPELLINGS)


def normalise_unit(spelling: str) -> str:
    """Return the normalised name of a unit as written ("mL/min", "公斤", "살").

    Raises:
        ValueError: The spelling is unknown.

    """
    folded = re.sub(r"\s+", " ", spelling.strip().lower().replace("µ", "μ").replace("²", "2"))
    if folded in _UNIT_NAMES:
        return folded
    result = match_unit(folded, 0)
    if result is None or result[1] != len(folded):
        raise ValueError(f"unknown unit {spelling!r}")
    return result[0]
