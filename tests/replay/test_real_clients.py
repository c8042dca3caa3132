"""What real packages hand in: langchain-core 1.8.3 and numpy, through the whole replay."""

import json
import sys

import pytest

from turnmark.pipeline.playing.replay import ReplayRequest, replay
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest


def dialogs(path, count=1, turns=2):
    """Authored dialogues with a profile, in a file."""
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            said = []
            for turn in range(turns):
                said += [
                    {"role": "user", "text": f"Question {turn} of dialogue {number}: what is a bond?", "turn_tags": {}},
                    {
                        "role": "assistant",
                        "text": "A bond is a loan.",
                        "turn_tags": {"compliance_label_gt": "compliant"},
                    },
                ]
            profile = {
                "risk_level_gt": "low", "horizon_gt": "short", "liquidity_need_gt": "high",
                "constraints_gt": ["no_leverage"], "preferences_gt": ["bonds"],
            }  # fmt: skip
            record = {
                "dialog_id": f"d{number}", "scenario_type": "s", "difficulty": "easy", "language": "en",
                "profile_gt": profile, "blueprint": {"forbidden_list": []}, "turns": said,
            }  # fmt: skip
            file.write(json.dumps(record) + "\n")
    return path


@pytest.fixture
def played(tmp_path, monkeypatch):
    """Replays a module that is written here; gives the result and the turns of the trace."""
    monkeypatch.chdir(tmp_path)

    def play(code, agent="{file}:IT", count=1, turns=2, **settings):
        (tmp_path / "theirs.py").write_text(code)
        sys.modules.pop("theirs", None)
        data = dialogs(tmp_path / "data.jsonl", count, turns)
        spec = agent.format(file=tmp_path / "theirs.py")
        result = replay(ReplayRequest(data, spec, out=tmp_path / "run", **{"retries": 0, **settings}))
        lines = [json.loads(line) for line in result.artifact.read_text("utf-8").splitlines()]
        return result, [turn for line in lines for turn in line["turns"]]

    return play


CHAIN = (
    "from langchain_core.prompts import ChatPromptTemplate\n"
    "from langchain_core.output_parsers import StrOutputParser\n"
    "from langchain_core.language_models.fake_chat_models import GenericFakeChatModel\n"
    "from langchain_core.messages import AIMessage\n"
    "def words():\n    while True:\n        yield AIMessage('A bond is a loan.')\n"
    "IT = ChatPromptTemplate.from_messages([('human', '{question}')])"
    " | GenericFakeChatModel(messages=words()) | StrOutputParser()\n"
)


def test_the_commonest_chain_of_langchain(played):
    pytest.importorskip("langchain_core", reason="needs: pip install 'turnmark[langchain]'")
    result, turns = played(CHAIN, "langchain:{file}:IT", options={"input": "question"})
    assert result.counters["ok_turns"] == 2
    assert {turn["pred_assistant_text"] for turn in turns} == {"A bond is a loan."}


def test_the_text_of_a_message_in_a_reply(played):
    pytest.importorskip("langchain_core", reason="needs: pip install 'turnmark[langchain]'")
    result, turns = played(
        "from langchain_core.messages import AIMessage\nfrom turnmark.agents import Reply\n"
        "class IT:\n    def handle_turn(self, user_text):\n"
        "        text = AIMessage('A bond is a loan.').text\n"
        "        return Reply(text=text, retrieved_contexts=[text], model=text) if user_text[9] == '0' else text\n"
    )
    assert result.counters["ok_turns"] == 2, turns
    assert turns[0]["replay"]["retrieved_contexts"] == ["A bond is a loan."]


NUMPY = (
    "import numpy as np\n"
    "class IT:\n    def __init__(self, observer):\n        self.observer = observer\n"
    "    def handle_turn(self, user_text):\n"
    "        items = [{'content': 'low', 'score': np.float32(0.5), 'rank': np.int64(1)}, {'content': 'b', 'score': 'x'}]\n"
    "        self.observer.recall_done(query=user_text, items=items)\n"
    "        return 'A bond is a loan.'\n"
)


def test_one_odd_value_is_named_and_the_rest_of_the_payload_kept(played):
    result, turns = played(NUMPY)
    assert turns[0]["recall"]["items"] == [{"content": "low", "score": 0.5, "rank": 1}, {"content": "b"}]
    assert turns[0]["replay"]["warnings"] == [
        "recall_done: $.items[1].score: expected `float | null`, got `str`: string 'x'; left out"
    ]


def test_a_reply_that_was_cut_off_is_a_state(played, tmp_path):
    played(
        "from turnmark.agents import Reply\n"
        "class IT:\n    def handle_turn(self, user_text):\n"
        "        return Reply(text='A bond is a loan.', finish_reason='length')\n"
    )
    result = score(ScoreRequest((tmp_path / "run" / "dialog_trace.jsonl",), out=tmp_path / "scored"))
    # Both replies are the same words: the second is told first as one that repeats itself.
    assert result.summary.reply_states["truncated"] == 2
    assert result.summary.reply_states["normal"] == 0
    evidence = (tmp_path / "scored" / "evidence.jsonl").read_text("utf-8")
    assert "finish_reason: length" in evidence


def test_a_model_that_is_cut_off_says_so(played, chat_server):
    with chat_server(faults={"length": 1.0}) as server:
        _, turns = played("", "openai:m", options={"base_url": server.base_url})
    assert [turn["replay"]["finish_reason"] for turn in turns] == ["length", "length"]


def test_profiles_of_dialogues_that_failed_or_were_never_told_are_not_wrong(played, tmp_path):
    for code in ("class IT:\n    def handle_turn(self, user_text):\n        raise RuntimeError('down')\n",
                 "class IT:\n    def handle_turn(self, user_text):\n        return 'Thank you, noted.'\n"):  # fmt: skip
        played(code, overwrite=True)
        result = score(ScoreRequest((tmp_path / "run" / "dialog_trace.jsonl",), out=tmp_path / "scored"))
        found = result.summary.metrics["m2_profile_accuracy"]
        assert (found.counts["eligible_count"], found.counts["skipped_count"]) == (0, 1)
