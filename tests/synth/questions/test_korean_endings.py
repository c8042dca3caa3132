import pytest

from turnmark.synth.questions.ko.endings import formal_question, is_command, polite_question


@pytest.mark.parametrize(
    ("statement", "formal", "polite"),
    [
        ("3만 원입니다", "3만 원입니까", "3만 원인가요"),
        ("2년이다", "2년입니까", "2년인가요"),
        ("은행이 발행한다", "은행이 발행합니까", "은행이 발행하나요"),
        ("빵을 먹는다", "빵을 먹습니까", "빵을 먹나요"),
        ("1998년에 설립되었다", "1998년에 설립되었습니까", "1998년에 설립되었나요"),
        ("바다시에 있다", "바다시에 있습니까", "바다시에 있나요"),
        ("있다", "있습니까", "있나요"),
        ("수수료가 높다", "수수료가 높습니까", "수수료가 높은가요"),
        ("크기가 크다", "크기가 큽니까", "크기가 큰가요"),
        ("모두 만든다", "모두 만듭니까", "모두 만드나요"),
        ("그는 의사다", "그는 의사입니까", "그는 의사인가요"),
    ],
)
def test_statements_become_questions(statement, formal, polite):
    assert formal_question(statement + ".") == formal
    assert polite_question(formal) == polite


def test_other_endings_are_none():
    assert formal_question("어서 오세요") is None
    assert formal_question("") is None


def test_commands():
    assert is_command("버튼을 누르십시오.")
    assert is_command("즉시 신고해야 합니다")
    assert not is_command("수수료가 부과된다")
