"""Perturbations of turns: what is changed, where they do not apply, and that each names measures that exist."""

import random

import msgspec
import pytest

from building import dialog, turn
from turnmark.metrics import catalog
from turnmark.schemas.trace import DialogTrace
from turnmark.synth import perturb


def decoded(raw):
    return msgspec.json.decode(msgspec.json.encode(raw), type=DialogTrace)


def material(raw, others=(), seed=0):
    found = decoded(raw)
    donors = [decoded(other) for other in others]
    return perturb.Material(found, found.turns[-1], donors, random.Random(seed))


def change(suite, name):
    return next(one.change for one in perturb.PERTURBATIONS[suite] if one.name == name)


def rag(question, answer, contexts, gold, name="case"):
    record = {"question": question, "answer": answer, "retrieved_contexts": contexts}
    items = [{"content": text} for text in contexts]
    only = turn(1, answer, user_text=question, recall={"items": items}, ground_truth_contexts=gold)
    return dialog(name, [{**only, "source_record": record}])


def patient(name, reply, **slots):
    return dialog(name, [turn(1, reply)], slots_truth=slots)


@pytest.mark.parametrize("suite", catalog.SUITES)
def test_expectations_name_measures_of_the_suite(suite):
    known = {f"{one.code}.{measure.name}" for one in catalog.suite(suite) for measure in one.measures}
    for one in perturb.PERTURBATIONS[suite]:
        assert {expected.measure for expected in one.expects} <= known
    assert {one.name for one in perturb.CONTROLS} <= {one.name for one in perturb.PERTURBATIONS[suite]}


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


def test_the_amount_of_a_needed_constraint_changes_wherever_memory_holds_it():
    memory = {"profile_context": "最大回撤<10%", "items": [{"content": "用户说回撤10%封顶，持有10年"}]}
    at = material(dialog(turns=[turn(keys=["profile_gt.constraints_gt[1]"], recall=memory)]))
    changed = change("finance", "change_memory_number")(at)
    assert "10%" not in changed.recall.profile_context
    assert "10%" not in changed.recall.items[0].content
    assert "持有10年" in changed.recall.items[0].content
    other = {"profile_context": "不使用杠杆"}
    for keys, recall in (
        ([], memory),
        (["profile_gt.constraints_gt[1]"], other),
        (["profile_gt.constraints_gt[9]"], memory),
    ):
        assert (
            change("finance", "change_memory_number")(material(dialog(turns=[turn(keys=keys, recall=recall)]))) is None
        )
    assert (
        change("finance", "change_memory_number")(material(dialog(turns=[turn(keys=["profile_gt.constraints_gt[1]"])])))
        is None
    )


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
    assert msgspec.json.decode(replaced.source_record)["retrieved_contexts"][0] == "猫咪咖啡馆每天提供小鱼干"
    moved = change("rag", "supporting_last")(material(case))
    assert [item.content for item in moved.recall.items] == ["营业网点周末照常。", gold]
    assert change("rag", "replace_supporting")(material(case)) is None
    assert change("rag", "supporting_last")(material(donor)) is None


def test_a_reply_changes_in_turn_and_record():
    case = rag("起存金额？", "起存金额是20万元。", ["20万元起存。"], [])
    changed = change("rag", "change_number")(material(case))
    assert "20万元" not in changed.pred_assistant_text
    assert msgspec.json.decode(changed.source_record)["answer"] == changed.pred_assistant_text
    assert change("rag", "negate")(material(case)).pred_assistant_text == "起存金额不是20万元。"
    assert len(change("rag", "add_unsupported")(material(case)).pred_assistant_text) > len("起存金额是20万元。")
    assert len(change("rag", "bare_reply")(material(case)).pred_assistant_text) < 7
