"""The words of the pages about comparisons, in the languages of the interface."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

COMPARISON_TEXTS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": {
            "comparison": "Comparison",
            "systems": "Systems",
            "side_by_side": "Systems side by side",
            "side_note": "Dot: pooled figure over the turns that all systems have. Bar: its interval over dialogues.",
            "all_systems": "All systems on the turns that all of them have ({turns})",
            "table_note": "Bold: best. †: not significantly worse than the best (paired permutation test).",
            "table_note_plain": "*: best. †: not significantly worse than the best.",
            "no_values": "Without a figure: {measures}.",
            "all_systems_grouped": "All systems, each on the turns of its group",
            "group": (
                "{systems}: figures on the {turns} turns ({dialogs} dialogues) that they share; "
                "best and † hold among these systems."
            ),
            "group_alone": (
                "{systems}: shares no turn with the others; figures on its own {turns} turns ({dialogs} dialogues)."
            ),
            "missing_pairs": (
                "{measure} failed on a side of {count} pairs (both sides have a value in {coverage} % of the turns). "
                "With these at the ends of the scale, the difference would lie between {low} and {high}."
            ),
            "compared_percentile bootstrap": "percentiles of resampled dialogues",
            "compared_bias-corrected and accelerated bootstrap": "BCa of resampled dialogues",
            "compared_Student's t of linearised differences": "Student's t over dialogues, no resampling",
            "against": "{second} against {first}",
            "difference": "difference",
            "p_value": "p",
            "p_holm": "p (Holm)",
            "p_bh": "p (BH)",
            "p_bh_short": "BH",
            "drawn_note": "Drawings show the difference as a part of the scale of its measure.",
            "effect": "effect d",
            "detectable": "detectable",
            "win_tie_loss": "better / same / worse",
            "dialogs": "dialogues",
            "needed": "dialogues needed",
            "verdict": "verdict",
            "better_first": "{first} better",
            "better_second": "{second} better",
            "better_undecided": "undecided",
            "better_undone": "undecided could undo it",
            "signature_warning": "The two runs were not marked alike; differences may come from that:",
            "columns_left": "The terminal is too narrow for all columns; --format json and --out hold them.",
            "unpaired": "{first_count} turns only in {first}, {second_count} only in {second}; they enter no figure.",
            "changed": "Turns that were marked differently ({shown} of {total})",
            "how_difference": (
                "Difference is second minus first. Intervals keep dialogues whole ({method}; {draws} draws, "
                "seed {seed}, {level} %); p-values swap whole dialogues; Holm and Benjamini–Hochberg correct for all "
                "measures at once. Detectable is the smallest true difference that would be found with 80 % power."
            ),
        },
        "zh": {
            "comparison": "对比",
            "systems": "系统",
            "side_by_side": "系统并列",
            "side_note": "点：各系统共有轮次上的合并数字。横条：按对话重抽样的区间。",
            "all_systems": "所有系统，仅限各系统都有的轮次（{turns}）",
            "table_note": "粗体：最好。†：与最好者相比没有显著更差（配对置换检验）。",
            "table_note_plain": "*：最好。†：与最好者相比没有显著更差。",
            "no_values": "没有数值：{measures}。",
            "all_systems_grouped": "所有系统，各自限于所在组的轮次",
            "group": (
                "{systems}：数字基于它们共有的 {turns} 个轮次（{dialogs} 段对话）；最好与 † 只在这些系统之间比较。"
            ),
            "group_alone": "{systems}：与其他系统没有共同轮次，数字基于它自己的 {turns} 个轮次（{dialogs} 段对话）。",
            "missing_pairs": (
                "{measure} 在 {count} 对中有一方评分失败（双方都有数值的轮次占 {coverage} %）。"
                "若这些轮次取量表两端的值，差值会在 {low} 与 {high} 之间。"
            ),
            "compared_percentile bootstrap": "按对话重抽样的百分位",
            "compared_bias-corrected and accelerated bootstrap": "按对话重抽样的 BCa",
            "compared_Student's t of linearised differences": "按对话的 t 分布公式，不重抽样",
            "against": "{second} 对比 {first}",
            "difference": "差值",
            "p_value": "p 值",
            "p_holm": "p（Holm）",
            "p_bh": "p（BH）",
            "p_bh_short": "BH",
            "drawn_note": "图中的差值以该指标刻度的比例表示。",
            "effect": "效应量 d",
            "detectable": "可检出差值",
            "win_tie_loss": "更好 / 相同 / 更差",
            "dialogs": "对话数",
            "needed": "所需对话数",
            "verdict": "结论",
            "better_first": "{first} 更好",
            "better_second": "{second} 更好",
            "better_undecided": "无法判定",
            "better_undone": "未判定的部分可能推翻",
            "signature_warning": "两次运行的评分方式不同，差异可能由此而来：",
            "columns_left": "终端太窄，未显示全部列；--format json 和 --out 含有全部内容。",
            "unpaired": "{first_count} 个轮次只在 {first} 中，{second_count} 个只在 {second} 中，均不计入任何数字。",
            "changed": "评分不同的轮次（显示 {shown} / {total}）",
            "how_difference": (
                "差值为后者减前者。区间保持对话完整（{method}；{draws} 次，种子 {seed}，{level} %）；"
                "p 值按整段对话互换得到；Holm 与 Benjamini–Hochberg 同时校正所有指标。"
                "可检出差值指以 80 % 把握能发现的最小真实差异。"
            ),
        },
        "ko": {
            "comparison": "비교",
            "systems": "시스템",
            "side_by_side": "시스템 나란히 보기",
            "side_note": "점: 모든 시스템에 있는 턴의 합산 수치. 막대: 대화 단위 구간.",
            "all_systems": "모든 시스템 (모두에 있는 턴 {turns}개)",
            "table_note": "굵게: 최고. †: 최고보다 유의하게 나쁘지 않음(대응 순열 검정).",
            "table_note_plain": "*: 최고. †: 최고보다 유의하게 나쁘지 않음.",
            "no_values": "수치 없음: {measures}.",
            "all_systems_grouped": "모든 시스템 (각 그룹의 턴 기준)",
            "group": (
                "{systems}: 함께 가진 턴 {turns}개(대화 {dialogs}개) 기준이며, "
                "최고와 † 표시는 이 시스템들 사이의 비교입니다."
            ),
            "group_alone": "{systems}: 다른 시스템과 공통된 턴이 없어 자체 턴 {turns}개(대화 {dialogs}개) 기준입니다.",
            "missing_pairs": (
                "{measure}: {count}쌍에서 한쪽 채점이 실패했습니다(양쪽 값이 있는 턴 {coverage} %). "
                "이 턴들이 척도의 양 끝 값이라면 차이는 {low}에서 {high} 사이입니다."
            ),
            "compared_percentile bootstrap": "대화 재표집 백분위수",
            "compared_bias-corrected and accelerated bootstrap": "대화 재표집 BCa",
            "compared_Student's t of linearised differences": "대화 단위 t 분포 공식(재표집 없음)",
            "against": "{second} 대 {first}",
            "difference": "차이",
            "p_value": "p값",
            "p_holm": "p (Holm)",
            "p_bh": "p (BH)",
            "p_bh_short": "BH",
            "drawn_note": "그림의 차이는 측정값 눈금에 대한 비율입니다.",
            "effect": "효과 크기 d",
            "detectable": "검출 가능 차이",
            "win_tie_loss": "더 나음 / 같음 / 더 나쁨",
            "dialogs": "대화 수",
            "needed": "필요한 대화 수",
            "verdict": "판정",
            "better_first": "{first} 우세",
            "better_second": "{second} 우세",
            "better_undecided": "판정 불가",
            "better_undone": "판정되지 않은 부분이 뒤집을 수 있음",
            "signature_warning": "두 실행의 채점 방식이 달라 차이가 거기서 올 수 있습니다:",
            "columns_left": "터미널이 좁아 일부 열을 뺐습니다. --format json과 --out에 모두 있습니다.",
            "unpaired": (
                "{first}에만 있는 턴 {first_count}개, {second}에만 있는 턴 {second_count}개는 집계하지 않았습니다."
            ),
            "changed": "점수가 달라진 턴 ({total}개 중 {shown}개 표시)",
            "how_difference": (
                "차이는 둘째에서 첫째를 뺀 값입니다. 구간은 대화를 통째로 다루며({method}; {draws}회, "
                "시드 {seed}, {level} %), p값은 대화 단위 교환으로 구하며 "
                "Holm과 Benjamini–Hochberg로 모든 측정값을 함께 보정합니다. "
                "검출 가능 차이는 검정력 80 %로 찾을 수 있는 가장 작은 실제 차이입니다."
            ),
        },
    }
)
