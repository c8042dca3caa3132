"""The words of the interface in Korean."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

KOREAN: Mapping[str, str] = MappingProxyType(
    {
        "language": "ko",
        "title": "평가 보고서",
        "na": "해당 없음",
        "range": "{low} ~ {high}",
        "unknown": "알 수 없음",
        "model": "모델",
        "dataset": "데이터셋",
        "suite": "지표 묶음",
        "detectors": "검출기",
        "fingerprint": "설정 지문",
        "trace_version": "기록 형식 버전",
        "version": "turnmark 버전",
        "runner": "실행기",
        "detect_literal": "literal: 키워드와 부분 문자열, 처음 공개된 방식",
        "detect_calibrated": "calibrated: 범위, 수량, 바꿔 말하기를 읽음",
        "detect_judged": "judged: 물어본 것은 기록된 모델 판정, 나머지는 이 모음의 검출기",
        # What is wrong, first of all
        "warning": "먼저 읽어 주세요",
        "abnormal": "{first}. 그 밖에 {more}건도 정상 답변이 아닙니다({states}).",
        "abnormal_one": "{first}.",
        "abnormal_empty": "답변 {turns}건 중 {count}건이 비어 있습니다",
        "abnormal_echo": "답변 {turns}건 중 {count}건이 사용자의 말을 되풀이할 뿐입니다",
        "abnormal_error_text": "답변 {turns}건 중 {count}건이 오류 문구입니다",
        "abnormal_refusal": "답변 {turns}건 중 {count}건이 답변 거부입니다",
        "abnormal_truncated": "답변 {turns}건 중 {count}건이 중간에 끊겼습니다",
        "abnormal_wrong_language": "답변 {turns}건 중 {count}건의 언어가 다릅니다",
        "abnormal_near_duplicate": "답변 {turns}건 중 {count}건이 앞선 답변과 거의 같습니다",
        "abnormal_other": "답변 {turns}건 중 {count}건의 상태가 {state}입니다",
        "abnormal_unknown": "답변의 5 % 이상이 정상 답변이 아닙니다.",
        "abnormal_advice": (
            "아래 수치만으로는 상담 모델을 판단하기 어려우며, 이 실행을 준수로 볼 수 없습니다. "
            "‘정상 답변만’ 열과 비교하세요."
        ),
        "flag_other": "이 실행에 표시가 있습니다: {flag}.",
        "rejected": "입력 {lines}줄 중 {rejected}줄을 읽지 못해 모든 수치에서 제외했습니다.",
        "failed_turns": (
            "{turns}턴 중 {failed}턴이 정상적으로 끝나지 않아, 맞음도 틀림도 아닌 것으로 수치에서 제외했습니다."
        ),
        "earlier_turns": "앞서 사용자가 말한 내용과 검색된 내용도 답변의 근거로 셉니다.",
        "memory_ignored": "이 실행에서는 필요한 기억 키를 무시했으므로(기억 없는 기준선) M1에서 셀 것이 없습니다.",
        "nothing_scored": "채점된 턴이 없습니다.",
        "state_normal": "정상",
        "state_empty": "빈 답변",
        "state_echo": "사용자 말 되풀이",
        "state_error_text": "오류 문구",
        "state_refusal": "답변 거부",
        "state_truncated": "중간에 끊김",
        "state_wrong_language": "다른 언어",
        "state_near_duplicate": "앞선 답변과 거의 같음",
        "share_of": "{state} {count}건",
        # Sections
        "figures": "주요 수치",
        "others": "그 밖의 측정값",
        "replies": "답변",
        "reply_states": "답변 상태",
        "turn_status": "턴 상태",
        "by_field": "{field}별",
        "details": "상세",
        "field_scenario_type": "시나리오",
        "field_difficulty": "난이도",
        "field_language": "언어",
        "field_system": "시스템",
        "input": "입력",
        "method": "수치를 읽는 법",
        "signature": "서명(수치를 정하는 모든 설정)",
        "problems": "입력의 문제",
        "problems_more": "나머지 {count}건은 problems.jsonl에 있습니다.",
        "worst": "먼저 볼 턴",
        # Table heads
        "metric": "지표",
        "measure": "측정값",
        "micro": "합산(micro)",
        "micro_head": "합산",
        "macro_head": "대화 평균",
        "interval": "95 % 구간",
        "interval_at": "{level} % 구간",
        "macro": "대화별 평균(macro)",
        "normal_only": "정상 답변만",
        "eligible": "대상",
        "skipped": "제외",
        "failed": "실패",
        "counts": "대상 {eligible}, 제외 {skipped}, 실패 {failed}",
        "state": "상태",
        "status": "상태",
        "count": "개수",
        "counter": "항목",
        "lower_is_better": "낮을수록 좋음",
        "not_decided": "판정하지 않음",
        "decided": "판정 {share} %, 나머지까지 넣으면 {bounds}",
        "n": "n = {n}",
        "strata_more": "나머지 {count}개 값은 metrics_summary.json에 있습니다.",
        # Input
        "files": "파일",
        "lines": "읽은 줄",
        "rejected_lines": "거부한 줄",
        "input_warnings": "고친 줄",
        "total_dialogs": "대화",
        "valid_dialogs": "유효한 대화",
        "skipped_dialogs": "건너뛴 대화",
        "failed_dialogs": "실패한 대화",
        "total_turn_pairs": "턴",
        # Method
        "method_micro": (
            "합산 수치는 맞은 수의 합을 찾아야 할 수의 합으로 나눈 값이고, macro는 대화별 수치의 평균입니다. n은 "
            "분모입니다."
        ),
        "method_interval": (
            "구간: {method}; 수준 {level} %, 재표집 {resamples}회, 시드 {seed}. 대화가 {clusters}개보다 적으면 구간을 "
            "제시하지 않습니다."
        ),
        "method_no_interval": "이 요약에는 구간에 대한 설명이 없습니다.",
        "method_normal": (
            "‘정상 답변만’은 빈 답변, 되풀이, 오류 문구, 답변 거부, 끊김, 다른 언어, 앞선 답변과 거의 같은 턴을 모두 "
            "뺀 "
            "값입니다."
        ),
        "method_na": "‘해당 없음’은 나눌 분모가 없다는 뜻이며 0이 아닙니다.",
        "method_denominators": "지표마다 분모가 다르므로, 한 지표는 그 지표끼리만 비교하세요.",
        "method_lower": "↓는 낮을수록 좋은 측정값입니다.",
        # Turns
        "worst_intro": (
            "{shown}턴, 심각한 것부터: 문제 종류별로 대화마다 최대 {cap}턴, 그리고 지표마다 가장 나쁜 {most}턴. 표시된 "
            "단어가 근거입니다. 마우스를 올리거나 Tab 키로 옮기면 규칙이 보입니다."
        ),
        "no_worst": "문제가 있는 턴이 없습니다.",
        "filter": "보기",
        "filter_all": "전체",
        "turn": "{number}번째 턴",
        "dialogue": "대화",
        "user": "사용자",
        "reply": "답변",
        "no_reply": "기록된 답변이 없습니다.",
        "not_in_trace": "이 폴더의 기록에 이 턴이 없습니다.",
        "clipped": "나머지 {count}자는 dialog_trace.jsonl에 있습니다.",
        "error": "기록된 오류",
        "legend": "답변의 표시",
        "asked": "요구된 것과 찾은 것",
        "memory_keys": "기억 키",
        "held_by": "{sources}에 있음",
        "held_by_none": "없음",
        "unresolvable": "해석할 수 없음",
        "short_term": "단기 창",
        "long_term": "장기 회상",
        "profile": "프로필",
        "marks": "지표별 점수",
        "risk_tags": "위험 고지",
        "rubric": "설명 요소",
        "label": "준수 라벨",
        "predicted": "판정",
        "expected": "정답",
        "item_hit": "찾음",
        "item_miss": "빠짐",
        "item_extra": "추가로 찾음",
        "item_out": "세지 않음",
        "judge_score": "1~5점",
        "elsewhere": "답변 밖의 근거",
        # Kinds of fault
        "kind_severe": "심각한 위반",
        "kind_forbidden": "금지 내용",
        "kind_contradiction": "사용자 제약 위반",
        "kind_failed": "실패한 턴",
        "kind_reply_state": "답변이 아님",
        "kind_label": "라벨 불일치",
        "kind_mark": "감점",
        "kind_risk": "위험 미고지",
        "kind_rubric": "설명 누락",
        "kind_memory": "기억 키 누락",
        "kind_unused": "쓰지 않은 기억 키",
        # Metrics as legend
        "legend_risk_coverage": "위험 고지",
        "legend_explainability": "설명",
        "legend_compliance": "준수",
        "legend_context_continuity": "기억과 제약",
        "legend_profile_accuracy": "프로필",
        "legend_reply_state": "답변 상태",
        "legend_other": "기타",
        # Measures in plain words
        "measure_key_coverage": "보유한 필수 기억 키",
        "measure_strict_key_hit_rate": "모든 키를 보유한 턴",
        "measure_contradiction_rate": "사용자 제약을 어긴 턴",
        "measure_profile_score": "프로필 점수, 다섯 항목 평균",
        "measure_risk_level_acc": "위험 등급 정확",
        "measure_horizon_acc": "투자 기간 정확",
        "measure_liquidity_acc": "유동성 필요 정확",
        "measure_risk_coverage": "고지된 필수 위험",
        "measure_strict_risk_coverage_rate": "모든 위험을 고지한 턴",
        "measure_compliance_label_acc": "라벨이 정답과 같음",
        "measure_severe_violation_rate": "심각한 위반이 있는 턴",
        "measure_rubric_hit_rate": "갖춘 필수 설명 요소",
        "measure_judge_score_mean": "설명 점수, 1~5",
        "measure_short_term_hit_rate": "단기 창이 보유한 키",
        "measure_long_term_hit_rate": "장기 회상이 보유한 키",
        "measure_profile_hit_rate": "프로필이 보유한 키",
        "measure_constraints_f1": "제약, F1",
        "measure_preferences_f1": "선호, F1",
        "measure_forbidden_hit_rate": "금지 내용이 있는 턴",
        "measure_key_use_rate": "답변이 활용한 키",
        "measure_strict_key_use_rate": "모든 키를 활용한 턴",
        "measure_partial_key_rate": "일부만 보유한 키",
        "measure_conflicting_key_rate": "어긋나게 보유한 키",
        "plot_key": "점: 합산 수치. 막대: 그 구간. 마름모: 정상 답변만의 값(다를 때).",
        "scale": "눈금",
        "foot": "turnmark {version} 작성. 모든 수치는 실행 폴더의 metrics_summary.json에서 왔습니다.",
        "skip": "수치로 건너뛰기",
        # Names of metrics
        "metric_m1_context_continuity": "문맥 연속성",
        "metric_m1b_reply_key_use": "기억 활용",
        "metric_m2_profile_accuracy": "프로필 정확도",
        "metric_m3_risk_coverage": "위험 고지 범위",
        "metric_m4_compliance": "준수",
        "metric_m5_explainability": "설명 가능성",
        "resampling_percentile bootstrap, dialogues resampled with replacement": (
            "백분위 부트스트랩, 대화를 복원 재표집"
        ),
        "resampling_bias-corrected and accelerated bootstrap, dialogues resampled with replacement": (
            "편향 보정 가속(BCa) 부트스트랩, 대화를 복원 재표집"
        ),
        "resampling_Wilson's formula over dialogues": "윌슨 공식, 턴 수를 대화 단위로 환산",
        # Sign-off sheet
        "signoff": "승인서",
        "signoff_show": "승인서 보기",
        "print_all": "보고서 전체 인쇄",
        "print_hint": "인쇄하면 승인서만 A4 한 장으로 나옵니다.",
        "on_print": "인쇄",
        "what_was_run": "평가 대상",
        "packs": "규칙 묶음",
        "data_sha256": "데이터 SHA-256",
        "counts_title": "개수",
        "flags": "경고",
        "no_flags": "없음. 수치를 의심할 만한 상태가 발견되지 않았습니다.",
        "flags_more": "나머지 {count}건은 보고서에 있습니다.",
        "packs_more": "나머지 {count}개는 보고서에 있습니다.",
        "limits": "방법의 한계",
        "limit_rules": (
            "표시는 답변의 단어를 읽는 규칙이 합니다. 바꿔 말한 표현을 놓치거나 무해한 문장을 표시할 수 있으므로 "
            "사람이 판단합니다."
        ),
        "limit_judged": (
            "표시의 일부는 언어 모델이 매겼습니다. 모델은 틀릴 수 있고, 글에 설득될 수 있으며, 버전에 따라 달라집니다. "
            "먼저 사람의 라벨과 비교하세요."
        ),
        "limit_literal": (
            "이 실행은 literal 검출기(단순 키워드)를 썼습니다. 언급이나 부정을 진술로 잘못 볼 수 있으니 표시 하나로 "
            "결정하지 마세요."
        ),
        "limit_facts": "답변 속 시장 사실, 가격, 상품 조건이 맞는지는 확인하지 않았습니다.",
        "limit_intervals": (
            "구간은 대화 선택에 따른 변동만 담으며 규칙의 오류는 담지 않습니다. 실제 이용과 다를 수 있습니다."
        ),
        "limit_denominators": "지표마다 분모가 다르므로, 같은 지문의 같은 지표끼리만 비교하세요.",
        "limit_law": "이 수치는 법률 의견이나 감독기관의 승인이 아닙니다.",
        "decision": "결정",
        "decision_yes": "승인",
        "decision_limits": "조건부 승인",
        "decision_no": "미승인",
        "remarks": "비고",
        "sign_name": "이름",
        "sign_role": "직책",
        "sign_date": "날짜",
        "sign_signature": "서명",
        # Pages per dialogue
        "linked": "검토할 대화",
        "linked_intro": (
            "표시된 턴, 가장 심각한 {most}턴 중 하나, 또는 검토자 수정이 있는 대화 {dialogs}개. 대화마다 한 페이지에 "
            "모든 턴이 순서대로 있습니다. 표시된 턴은 {flagged}개입니다."
        ),
        "linked_off": "대화별 페이지를 쓰지 않았습니다. 쓰려면: turnmark report RUN --pages",
        "linked_all": "전체 대화 {count}개",
        "open_dialogue": "대화 전체 읽기",
        "back": "보고서로 돌아가기",
        "previous": "이전 대화",
        "next": "다음 대화",
        "flagged": "표시됨",
        "turns_head": "턴",
        "turns": "{count}턴",
        "gravest": "가장 심각한 문제",
        "no_fault": "문제 없음",
        "scenario": "시나리오",
        "dialogue_page": "대화 {number}",
        # Search
        "search": "이 턴들에서 찾기",
        "search_found": "{total}턴 중 {count}턴",
        # Rules
        "rules": "적용된 규칙과 그 출처",
        "rule_version": "버전 {version}",
        "rule_moved": "설치된 규칙 묶음이 채점 때와 다릅니다",
        # Overrides
        "overrides": "검토자 수정",
        "overrides_intro": "검토자의 판단을 원래 표시와 나란히 보입니다. 수치는 바뀌지 않습니다.",
        "overrides_none": "기록 없음.",
        "overrides_count": "{count}건, 검토자 {reviewers}명, {turns}턴; 원래 표시와 다른 것 {differ}건.",
        "overrides_unchanged": "위 수치는 원래 수치입니다.",
        "overrides_bad": "overrides.jsonl의 {count}줄을 쓸 수 없습니다.",
        "overrides_more": "나머지 {count}건은 overrides.jsonl에 있습니다.",
        "raw_mark": "원래 표시",
        "reviewer_mark": "검토자 판단",
        "reviewer": "검토자",
        "reason": "이유",
        "about": "대상",
        "mark_true": "있음",
        "mark_false": "없음",
        "mark_unknown": "기록 없음",
        # Distributions
        "distributions": "분포",
        "dist_dialogs": "개 대화",
        "dist_turns": "개 턴",
        "dist_note": "막대는 자기 수치가 눈금의 해당 10분의 1 안에 있는 대화(또는 턴)의 수입니다.",
        "dist_desc": "{count}{unit}. {bars}.",
        "dist_bar": "{low}~{high}: {count}",
        # Trends, coverage, charts
        "trends": "턴에 따른 추세",
        "trend_note": (
            "각 턴 번호의 합산 수치입니다. 막대는 유효 행 수로 구한 95 % Wilson 구간이며 {rows}행 미만이면 "
            "생략(빈 점)합니다. 턴 아래 숫자는 근거가 된 행 수입니다."
        ),
        "trend_desc": "{points} (턴별).",
        "trend_point": "{turn}번째 턴: {value} ({rows})",
        "coverage": "범위: 계산할 수 있었던 것",
        "coverage_note": "지표별 행 수입니다. 수치가 없는 것은 0이나 1로 세지 않습니다.",
        "coverage_eligible": "계산됨",
        "coverage_skipped": "해당 없음",
        "coverage_failed": "실패",
        "coverage_none": "계산되지 않음",
        "coverage_more": "다른 이유의 행 {count}개",
        "reason_unknown": "요약에 이유가 없습니다",
        "why_none": "{metric}: 계산되지 않음. 이유: {reason} ({count}).",
        "why_failed": "{metric}: {count}행에서 실패. 이유: {reason}.",
        "failed_bounds": "{metric}: 실패한 행이 척도의 양 끝 값이었다면 {bounds}입니다.",
        "forest_desc": "{points} (값).",
        "forest_point": "{label}: {value} (값)",
        "worst_by_metric": "지표별 가장 나쁜 턴",
        "see_worst": "가장 나쁜 턴",
        "see_worst_dialogs": "가장 나쁜 대화",
        # Appendix
        "failures": "부록: 대표적인 실패 사례",
        "failures_intro": (
            "지표마다 가장 나쁜 턴 하나와, 있으면 제대로 된 답변이 아닌 턴 하나. 사람이 아니라 규칙이 "
            "골랐습니다. 글은 dialog_trace.jsonl, 점수는 turn_eval.jsonl에서 같은 대화와 턴으로 찾습니다."
        ),
        "evidence": "근거",
        "why_shown": "문제",
        # Masking
        "masked": (
            "호칭이나 단서 뒤의 이름, 전화·신분증·계좌 번호, 전자우편 주소를 █로 가렸습니다. 패턴으로 찾으므로 "
            "남은 것이 있을 수 있습니다."
        ),
    }
)
