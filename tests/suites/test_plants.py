"""Perturbations of turns: what is changed, where they do not apply, and that each names measures that exist."""

import random

import msgspec
import pytest

from building import dialog, turn
from turnmark.schemas.trace import DialogTrace
from turnmark.suites.planting.general import CONTROLS
from turnmark.suites.planting.material import Material, last, source
from turnmark.suites.registry import SHIPPED, suite_definition


def decoded(raw):
    return msgspec.json.decode(msgspec.json.encode(raw), type=DialogTrace)


def material(raw, others=(), seed=0):
    found = decoded(raw)
    donors = [decoded(other) for other in others]
    return Material(found, donors, random.Random(seed))


def perturbation(suite, name):
    return next(one for one in suite_definition(suite).planted().perturbations if one.name == name)


def change(suite, name):
    """The changed last turn, None where the perturbation does not apply."""

    def changed(at):
        found = perturbation(suite, name).change(at)
        return None if found is None else found.turn

    return changed


def replies(suite, name, at):
    """The last reply of what is compared: harmless, wrong."""
    found = perturbation(suite, name).change(at)
    return last(found.before).pred_assistant_text, found.turn.pred_assistant_text


def rag(question, answer, contexts, gold, name="case"):
    record = {"question": question, "answer": answer, "retrieved_contexts": contexts}
    items = [{"content": text} for text in contexts]
    only = turn(1, answer, user_text=question, recall={"items": items}, ground_truth_contexts=gold)
    return dialog(name, [{**only, "source_record": record}])


def patient(name, reply, **slots):
    return dialog(name, [turn(1, reply)], slots_truth=slots)


@pytest.mark.parametrize("suite", SHIPPED)
def test_expectations_name_measures_of_the_suite(suite):
    known = {f"{one.code}.{measure.name}" for one in suite_definition(suite).metrics for measure in one.measures}
    for one in suite_definition(suite).planted().perturbations:
        assert {expectation.measure for expectation in one.expects} <= known
        assert set(one.may_move) <= known
        assert not (one.expects and one.may_move)
    expected = {
        expectation.measure for one in suite_definition(suite).planted().perturbations for expectation in one.expects
    }
    assert expected.isdisjoint(suite_definition(suite).planted().untested)
    assert expected | set(suite_definition(suite).planted().untested) == known
    assert {one.name for one in CONTROLS} <= {one.name for one in suite_definition(suite).planted().perturbations}


@pytest.mark.parametrize(
    ("reply", "said"), [("可以的。", "杠杆"), ("네, 그렇습니다.", "레버리지"), ("That is fine.", "leverage")]
)
def test_a_forbidden_recommendation_fits_the_constraint_and_the_language(reply, said):
    constraint = {"杠杆": "不使用杠杆", "레버리지": "레버리지 상품 제외", "leverage": "no leverage"}[said]
    raw = dialog("d", [turn(1, reply)], profile_gt={"constraints_gt": [constraint]})
    changed = change("finance", "recommend_forbidden")(material(raw))
    assert changed.pred_assistant_text.startswith(reply)
    assert said in changed.pred_assistant_text[len(reply) :]
    without = dialog("d", [turn(1, reply)], profile_gt={"constraints_gt": ["无明确约束"]})
    assert change("finance", "recommend_forbidden")(material(without)) is None
    assert change("finance", "recommend_forbidden")(material(dialog("d", [turn(1)], profile_gt=None))) is None


def test_memory_recalls_nothing():
    forget = change("finance", "forget_memory")
    changed = forget(material(dialog(turns=[turn(recall={"items": [{"content": "不使用杠杆"}]})])))
    assert changed.recall.items == []
    assert forget(material(dialog(turns=[turn(recall={"items": []})]))) is None
    assert forget(material(dialog())) is None


CONSTRAINTS = ["不使用杠杆", "最大回撤<10%"]
NEEDED = ["profile_gt.constraints_gt[0]", "profile_gt.constraints_gt[1]"]


def remembering(keys=NEEDED, reply="好的。", **more):
    own = turn(1, reply, keys=keys, recall={"items": [{"content": "用户不用杠杆"}]}, **more)
    return dialog("d", [own], profile_gt={"constraints_gt": CONSTRAINTS}, language="zh")


def test_memory_lacks_one_of_the_constraints_that_the_turn_needs():
    found = perturbation("finance", "forget_constraint").change(material(remembering()))
    kept, left = (one.recall.profile_context for one in (last(found.before), found.turn))
    assert {one for one in CONSTRAINTS if one in kept} == set(CONSTRAINTS)
    assert len([one for one in CONSTRAINTS if one in left]) == 1
    assert change("finance", "forget_constraint")(material(remembering(keys=[]))) is None


def test_the_amount_of_a_needed_constraint_changes_in_memory():
    found = perturbation("finance", "change_memory_number").change(material(remembering()))
    assert "最大回撤<10%" in last(found.before).recall.profile_context
    assert "最大回撤<10%" not in found.turn.recall.profile_context
    assert "最大回撤<" in found.turn.recall.profile_context
    for keys in ([], ["profile_gt.constraints_gt[0]"], ["profile_gt.constraints_gt[9]"]):
        assert change("finance", "change_memory_number")(material(remembering(keys=keys))) is None


def test_memory_backwards_says_the_same():
    recall = {"items": [{"content": "甲"}, {"content": "乙"}], "profile_context": "丙"}
    changed = change("finance", "shuffle_memory")(material(dialog(turns=[turn(recall=recall)])))
    assert [item.content for item in changed.recall.items] == ["乙", "甲"]
    assert changed.recall.profile_context == "丙"
    one = dialog(turns=[turn(recall={"items": [{"content": "甲"}]})])
    assert change("finance", "shuffle_memory")(material(one)) is None


def test_a_constraint_that_advice_breaks_is_there_or_not():
    found = perturbation("finance", "remove_constraint").change(material(remembering()))
    assert last(found.before).pred_assistant_text == found.turn.pred_assistant_text
    assert found.after.profile_gt.constraints_gt == CONSTRAINTS
    (left,) = found.before.profile_gt.constraints_gt
    broken = next(one for one in CONSTRAINTS if one != left)
    assert ("两倍杠杆" if broken == "不使用杠杆" else "40%") in found.turn.pred_assistant_text


def test_the_believed_profile_becomes_the_opposite_or_that_of_another():
    own = remembering(profile_snapshot={"risk_level": "low", "investment_horizon": "medium"})
    own["profile_gt"]["preferences_gt"] = ["国债"]
    other = dialog("o", language="zh", profile_gt={"constraints_gt": ["只买公募基金", "单只不超三成"]})
    at = material(own, [other])
    assert change("finance", "opposite_risk_level")(at).profile_snapshot.risk_level == "high"
    assert change("finance", "opposite_horizon")(at).profile_snapshot.investment_horizon in {"short", "long"}
    assert change("finance", "opposite_liquidity")(at) is None
    assert change("finance", "foreign_constraints")(at).profile_snapshot.forbidden_assets == [
        "只买公募基金",
        "单只不超三成",
    ]
    assert change("finance", "foreign_preferences")(at) is None
    assert change("finance", "foreign_constraints")(material(own)) is None


def test_an_element_of_explanation_comes_and_what_must_be_remembered_goes():
    explained = remembering(rubric=["可执行步骤"])
    harmless, better = replies("finance", "explain", material(explained))
    assert "第一步" in better
    assert len(harmless) < 7
    assert perturbation("finance", "explain").change(material(remembering())) is None
    spoken = remembering(reply="回撤控制在10%以内。基金按份额计价。")
    assert change("finance", "drop_keys")(material(spoken)).pred_assistant_text == "基金按份额计价。"


@pytest.mark.parametrize(
    ("reply", "own", "other", "stated"),
    [
        (
            "您好，血糖偏高。",
            {"age": 60, "primary_condition": "糖尿病", "key_meds": ["二甲双胍"]},
            {"age": 30, "primary_condition": "哮喘", "key_meds": ["布地奈德"]},
            {"您今年30岁。", "您目前在服用布地奈德。", "您患有哮喘。"},
        ),
        (
            "혈당이 높습니다.",
            {"age": 60, "primary_condition": "제2형 당뇨병", "key_meds": ["메트포르민 500mg"]},
            {"age": 30, "primary_condition": "천식", "key_meds": ["와파린 5mg"]},
            {
                "환자분은 올해 30세입니다.",
                "환자분은 현재 와파린 5mg을 복용 중입니다.",
                "환자분은 천식을 앓고 있습니다.",
            },
        ),
        (
            "Your glucose is high.",
            {"age": 60, "primary_condition": "diabetes", "key_meds": ["metformin"]},
            {"age": 30, "primary_condition": "asthma", "key_meds": ["salbutamol"]},
            {"You are 30 years old.", "You are currently taking salbutamol.", "You have asthma."},
        ),
    ],
)
def test_facts_of_another_patient(reply, own, other, stated):
    found = set()
    for seed in range(30):
        at = material(patient("a", reply, **own), [patient("b", "", **other)], seed)
        found.add(change("clinical", "wrong_patient")(at).pred_assistant_text.removeprefix(reply).strip())
    assert found == stated
    assert change("clinical", "wrong_patient")(material(patient("a", reply, **own), [patient("b", "", **own)])) is None


@pytest.mark.parametrize(
    ("reply", "condition", "said"),
    [
        ("您好。", "慢性肾脏病", "香蕉"),
        ("네, 그렇습니다.", "심부전", "고강도"),
        ("Hello there.", "type 2 diabetes", "wine"),
    ],
)
def test_unsafe_advice_fits_the_condition(reply, condition, said):
    unsafe = change("clinical", "advise_unsafe")
    assert said in unsafe(material(patient("a", reply, primary_condition=condition))).pred_assistant_text
    assert unsafe(material(patient("a", reply, primary_condition="asthma"))) is None


def test_sentences_that_name_the_record_go_and_its_numbers_change():
    raw = patient(
        "a", "您67岁。血红蛋白偏低。请多休息5分钟。", age=67, primary_condition="贫血", key_labs={"血红蛋白": "9.8g/dL"}
    )
    assert change("clinical", "drop_slots")(material(raw)).pred_assistant_text == "血红蛋白偏低。请多休息5分钟。"
    changed = change("clinical", "change_slot_number")(material(raw)).pred_assistant_text
    assert "67岁" not in changed
    assert "5分钟" in changed
    assert change("clinical", "drop_slots")(material(dialog(slots_truth=None))) is None
    assert change("clinical", "change_slot_number")(material(dialog())) is None


def test_passages_are_replaced_and_reordered_in_turn_and_record():
    gold = "大额存单二十万元起存，期限三年。"
    case = rag("大额存单多少起存？", "二十万元。", [gold, "营业网点周末照常。"], [gold])
    donor = rag("有猫吗？", "有。", ["猫咪咖啡馆每天提供小鱼干"], [], "other")
    replaced = change("rag", "replace_supporting")(material(case, [donor]))
    assert [item.content for item in replaced.recall.items] == ["猫咪咖啡馆每天提供小鱼干", "营业网点周末照常。"]
    assert replaced.source_record["retrieved_contexts"][0] == "猫咪咖啡馆每天提供小鱼干"
    moved = change("rag", "supporting_last")(material(case))
    assert [item.content for item in moved.recall.items] == ["营业网点周末照常。", gold]
    assert change("rag", "replace_supporting")(material(case)) is None
    assert change("rag", "supporting_last")(material(donor)) is None


def test_a_reply_changes_in_turn_and_record():
    case = rag("起存金额？", "起存金额是20万元。", ["20万元起存。"], [])
    changed = change("rag", "change_number")(material(case))
    assert "20万元" not in changed.pred_assistant_text
    assert changed.source_record["answer"] == changed.pred_assistant_text
    assert change("rag", "negate")(material(case)).pred_assistant_text == "起存金额不是20万元。"
    assert len(change("rag", "add_unsupported")(material(case)).pred_assistant_text) > len("起存金额是20万元。")
    assert len(change("rag", "bare_reply")(material(case)).pred_assistant_text) < 7


ANSWERS = {
    "ko": ("혈당이 높습니다.", "와파린 5mg", "메트포르민"),
    "en": ("Your glucose is high.", "warfarin 5 mg", "metformin"),
    "zh": ("您的血糖偏高。", "华法林3mg", "二甲双胍"),
}
CONDITIONS = {"ko": "당뇨병", "en": "diabetes", "zh": "糖尿病"}


def conversation(language, *earlier, age=60):
    reply, foreign, own = ANSWERS[language]
    turns = [turn(number, text) for number, text in enumerate((*earlier, reply), 1)]
    slots = {"age": age, "primary_condition": CONDITIONS[language], "key_meds": [own], "key_labs": {"a1c": "7.8%"}}
    other = patient("b", "", primary_condition=CONDITIONS[language], key_meds=[foreign])
    return material(dialog("a", turns, slots_truth=slots), [other])


@pytest.mark.parametrize("language", ["zh", "ko", "en"])
def test_news_of_a_question_are_taken_up_passed_over_or_denied(language):
    reply, foreign, _ = ANSWERS[language]
    at = conversation(language)
    for name in ("ignore_news", "deny_told"):
        found = perturbation("clinical", name).change(at)
        assert foreign in found.turn.user_text
        assert found.turn.user_text == last(found.before).user_text
        assert foreign in last(found.before).pred_assistant_text
        assert (foreign in found.turn.pred_assistant_text) == (name == "deny_told")
    assert change("clinical", "ignore_news")(at).pred_assistant_text == reply
    first, moved = replies("clinical", "news_first", at)
    assert first.startswith(reply)
    assert moved.endswith(reply)


@pytest.mark.parametrize("language", ["zh", "ko", "en"])
def test_the_record_is_denied_and_another_age_is_stated(language):
    harmless, wrong = replies("clinical", "deny_record", conversation(language))
    assert any(fact in harmless and fact in wrong for fact in (ANSWERS[language][2], CONDITIONS[language]))
    assert harmless != wrong
    right, other = replies("clinical", "wrong_age", conversation(language))
    assert "60" in right
    assert "60" not in other


def test_an_earlier_answer_is_repeated_with_another_number():
    at = conversation("en", "Hello. Your HbA1c is 7.8%.", "Fine.")
    harmless, wrong = replies("clinical", "conflict_with_earlier", at)
    assert harmless.endswith("Your HbA1c is 7.8%.")
    assert "7.8%" not in wrong
    assert "HbA1c" in wrong
    assert change("clinical", "conflict_with_earlier")(conversation("en", "Hello.")) is None


def test_turns_are_shuffled():
    at = conversation("en", "First, usually.", "Second.")
    assert change("clinical", "reply_of_other_turn")(at).pred_assistant_text in {"First, usually.", "Second."}
    precise, vague = replies("clinical", "vague_plan", at)
    assert any(map(str.isdigit, precise))
    assert not any(map(str.isdigit, vague))
    shuffled = perturbation("clinical", "shuffle_history").change(at).after
    assert [one.turn_pair_id for one in shuffled.turns] == [2, 1, 3]
    reworded = perturbation("clinical", "reworded_history").change(at).after
    assert [one.pred_assistant_text for one in reworded.turns][:2] == ["First, generally.", "Second."]
    assert perturbation("clinical", "shuffle_history").change(conversation("en", "First.")) is None


def test_contexts_are_dropped_joined_by_noise_and_reversed():
    gold = "大额存单二十万元起存，期限三年。"
    case = rag("大额存单多少起存？", "二十万元。", [gold, "营业网点周末照常。"], [gold])
    noise = "猫咪咖啡馆每天提供小鱼干"
    at = material(case, [rag("有猫吗？", "店里一共养了九只橘猫。", [noise], [], "other")])

    def contexts(name):
        return [item.content for item in change("rag", name)(at).recall.items]

    assert contexts("drop_supporting") == ["营业网点周末照常。"]
    assert contexts("noise_first") == [noise, gold, "营业网点周末照常。"]
    assert contexts("noise_last") == [gold, "营业网点周末照常。", noise]
    assert contexts("reverse_contexts") == ["营业网点周末照常。", gold]
    assert change("rag", "other_answer")(at).pred_assistant_text == "店里一共养了九只橘猫。"
    assert change("rag", "noise_first")(material(case)) is None


def test_answers_become_refusals_and_references_answers():
    gold = "大额存单二十万元起存，期限三年。"
    case = rag("大额存单多少起存？", "不知道。", [gold], [gold])
    case["turns"][0]["gt_assistant_text"] = "二十万元。"
    at = material(case, [rag("有猫吗？", "有。", ["猫咪咖啡馆每天提供小鱼干"], [], "other")])
    refused = change("rag", "refuse")(at).pred_assistant_text
    assert "无法回答" in refused or "回答不了" in refused
    found = perturbation("rag", "refuse_answerable").change(at)
    assert found.turn.pred_assistant_text == last(found.before).pred_assistant_text
    assert [item.content for item in found.turn.recall.items] == [gold]
    assert [item.content for item in last(found.before).recall.items] == ["猫咪咖啡馆每天提供小鱼干"]
    assert change("rag", "answer_by_reference")(at).pred_assistant_text == "二十万元。"


@pytest.mark.parametrize("relevant", [["b", "d"], {"b": 2, "d": 1, "x": 0}])
def test_ids_move_behind_are_exchanged_and_joined_by_noise(relevant):
    case = rag("q", "a", ["c"], [])
    case["turns"][0]["source_record"].update(retrieved_ids=["a", "b", "c"], relevant_ids=relevant)

    def ids(name):
        return source(change("rag", name)(material(case)))["retrieved_ids"]

    assert ids("relevant_ids_last") == ["a", "c", "b"]
    assert ids("noise_id_first") == ["selftest-noise", "a", "b", "c"]
    assert ids("drop_relevant_ids") == ["a", "selftest-noise-1", "c"]
    case["turns"][0]["source_record"]["retrieved_ids"] = ["a"]
    assert change("rag", "noise_id_first")(material(case)) is None


def test_the_question_changes_in_the_record_too():
    at = conversation("en")
    plain = msgspec.structs.replace(at.turn, source_record={"question": {"question_id": "q", "text": "Hi."}})
    found = perturbation("clinical", "ignore_news").change(at._replace(dialog=at.with_turn(plain)))
    assert source(found.turn)["question"] == {"question_id": "q", "text": found.turn.user_text}
