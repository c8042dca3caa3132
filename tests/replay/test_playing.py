"""One dialogue at a time: whatever an agent does ends in its turns, in time, and with a name."""

# ruff: noqa: ARG002, ARG005 - signatures are what is tested

import asyncio
import time

import agents_for_tests as agents
import msgspec
import pytest

from building import dataset_dialog
from turnmark import contract
from turnmark.llm.limits import Limiter
from turnmark.llm.retry import RetryPolicy
from turnmark.replay.agents.loading import FactorySource
from turnmark.replay.inputs import DIALOGS
from turnmark.replay.run import calling
from turnmark.replay.run.progress import ProgressLog
from turnmark.replay.run.scheduler import ReplaySettings, Scheduler, accepted
from turnmark.schemas.trace import DialogTrace

QUICK = RetryPolicy(tries=3, first_wait=0.01)


def dialog(*texts, name="d1"):
    """A dataset dialogue in which the user says this."""
    made = dataset_dialog(name, pairs=len(texts))
    for turn, text in zip(made["turns"][::2], texts, strict=True):
        turn["text"] = text
    return made


class Kept:
    """A record in memory."""

    def __init__(self):
        self.dialogs = {}
        self.turns = {}
        self.order = []

    async def started(self, index):
        self.turns[index] = []
        self.order.append(("started", index))

    async def turn(self, index, turn):
        self.turns[index].append(turn)
        self.order.append(("turn", index))

    async def finished(self, index, dialog, turns):
        assert turns == len(self.turns[index])
        self.dialogs[index] = dialog
        self.order.append(("finished", index))


def play(tmp_path, factory, *dialogs, listeners=None, progress=None, **settings):
    """Play dialogues; the record, with traces by place."""
    kept = Kept()
    told = {"run_id": "r", "timeout_sec": 5.0, "policy": QUICK, **settings}
    scheduler = Scheduler(
        FactorySource(factory, "test"),
        ReplaySettings(**told),
        kept,
        memory=tmp_path,
        listeners=listeners,
        progress=ProgressLog(None, progress),
    )
    asyncio.run(scheduler.play(iter([DIALOGS.read(one, place) for place, one in enumerate(dialogs, 1)])))
    return kept


def statuses(kept, index=1):
    return [(turn["turn_status"], turn["error"]) for turn in kept.turns[index]]


@pytest.mark.parametrize("factory", [agents.Counting, agents.AsyncCounting, agents.made_async])
def test_sync_and_async_agents_keep_their_state_within_a_dialogue(tmp_path, factory):
    kept = play(tmp_path, factory, dialog("a", "bb", name="d1"), dialog("ccc", name="d2"))
    assert [turn["pred_assistant_text"] for turn in kept.turns[1]] == [
        "d1: 1 turns, 1 characters so far",
        "d1: 2 turns, 3 characters so far",
    ]
    assert kept.turns[2][0]["pred_assistant_text"] == "d2: 1 turns, 3 characters so far"
    assert kept.turns[1][1]["recall"] == {"query": "bb", "items": [{"content": "a"}]}
    assert {one["dialog_status"] for one in kept.dialogs.values()} == {"ok"}


def test_turns_are_serial_and_recorded_as_they_end(tmp_path):
    kept = play(tmp_path, agents.Counting, dialog("a", "b"), workers=1)
    assert kept.order == [("started", 1), ("turn", 1), ("turn", 1), ("finished", 1)]


@pytest.mark.parametrize(
    ("says", "status", "error"),
    [
        ("raise", "error", "agent: ValueError: the model said no"),
        ("exit", "error", "agent: RuntimeError: SystemExit: 3"),
        ("none", "error", "invalid_reply: handle_turn: expected str or Reply, found NoneType"),
        (
            "wrong",
            "error",
            "invalid_reply: handle_turn: expected the fields of Reply, found: Expected `str`, got `int`",
        ),
        ("for good", "error", "http 403: quota used up"),
        ("always", "error", "connection: still down (after 3 attempts)"),
        ("patience", "error", "rate_limit: come back tomorrow (asks to wait 86400 s)"),
    ],
)
def test_a_failed_turn_has_its_name_and_the_dialogue_goes_on(tmp_path, says, status, error):
    kept = play(tmp_path, agents.Failing, dialog(says, "fine"))
    (found, message), (after, _) = statuses(kept)
    assert (found, after) == (status, "ok")
    assert message.startswith(error)
    assert kept.dialogs[1]["dialog_status"] == "partial"
    assert kept.dialogs[1]["dialog_error"].startswith("1 of 2 turns failed, first turn 1: ")


def test_a_retry_is_the_same_call_and_is_counted(tmp_path):
    heard = []
    kept = play(tmp_path, agents.Failing, dialog("once"), progress=lambda *event: heard.append(event))
    turn = kept.turns[1][0]
    assert turn["pred_assistant_text"] == "call 2"
    assert turn["replay"] == {
        "attempts": 2,
        "usage": {"input_tokens": 7, "output_tokens": 5},
        "cost": 0.25,
        "model": "m-1",
    }
    retried = next(fields for event, fields in heard if event == "turn_retried")
    assert (retried["attempt"], retried["error"]) == (1, "rate_limit 429: too many")
    assert retried["wait_seconds"] >= 0.01
    done = next(fields for event, fields in heard if event == "turn_done")
    assert (done["attempts"], done["cost"], done["usage"]["input_tokens"]) == (2, 0.25, 7)


def test_a_429_slows_all_dialogues_down(monkeypatch, tmp_path):
    limits = []
    monkeypatch.setattr(
        "turnmark.replay.run.scheduler.Limiter", lambda **given: limits.append(Limiter(**given)) or limits[0]
    )
    play(tmp_path, agents.Failing, dialog("always"), policy=RetryPolicy(tries=1), workers=8)
    assert limits[0].allowed == 8
    throttled = []
    monkeypatch.setattr(Limiter, "release", lambda self, **given: throttled.append(given) or self._count(-1))
    play(tmp_path, agents.Failing, dialog("once"), workers=8)
    assert [(given["throttled"], given["retry_after"]) for given in throttled] == [(True, 0.01), (False, None)]
    assert throttled[1]["tokens"] == 12


def test_tokens_and_requests_are_limited_over_all_dialogues(tmp_path):
    started = time.perf_counter()
    play(tmp_path, agents.Failing, *[dialog("x", name=f"d{n}") for n in range(13)], requests_per_minute=600, workers=4)
    assert time.perf_counter() - started > 0.2


def test_a_call_that_takes_too_long_is_a_timeout_and_a_late_one_delays_the_next(tmp_path):
    kept = play(tmp_path, agents.HangingOnce, dialog("a", "b", "c"), timeout_sec=2.0)
    assert [status for status, _ in statuses(kept)] == ["timeout", "ok", "ok"]
    assert kept.turns[1][0]["error"] == "timeout: no reply within 2 s"
    assert kept.turns[1][1]["pred_assistant_text"] == "call 2"


def test_a_hung_sync_agent_costs_its_dialogue_only(tmp_path):
    kept = play(tmp_path, agents.HangingForGood, dialog("a", "b", "c", "d"), timeout_sec=0.2)
    assert [status for status, _ in statuses(kept)] == ["timeout", "error", "error", "error"]
    assert "did not come back from an earlier turn" in kept.turns[1][3]["error"]
    assert kept.dialogs[1]["dialog_status"] == "failed"


def test_a_hung_async_agent_is_cancelled_and_goes_on(tmp_path):
    kept = play(tmp_path, agents.AsyncHanging, dialog("a", "b"), timeout_sec=2.0)
    assert statuses(kept) == [("timeout", "timeout: no reply within 2 s"), ("ok", None)]


def test_an_agent_that_may_be_asked_again_is_asked_again_after_a_timeout(tmp_path):
    kept = play(tmp_path, agents.RepeatableHanging, dialog("a"), timeout_sec=2.0)
    assert kept.turns[1][0]["pred_assistant_text"] == "call 2"
    assert kept.turns[1][0]["replay"]["attempts"] == 2


def test_code_that_blocks_the_event_loop_does_not_stop_the_run(monkeypatch, tmp_path):
    monkeypatch.setattr(calling, "GRACE_SECONDS", 0.1)
    names = ["d1", "d2", "d3", "d4"]
    kept = play(tmp_path, agents.Blocking, *[dialog("a", "b", name=name) for name in names], timeout_sec=2.0, workers=1)
    assert [kept.dialogs[place]["dialog_status"] for place in (1, 2, 3, 4)] == ["failed", "ok", "ok", "ok"]
    assert kept.turns[1][0]["turn_status"] == "timeout"


@pytest.mark.parametrize(
    ("factory", "says"),
    [
        (agents.factory_that_fails, "the agent could not be made: ConnectionError: no key for ***"),
        (agents.NoAgent, "TypeError: expected an object with handle_turn(user_text), found NoAgent"),
        (lambda: time.sleep(3600), "its factory did not come back within 2 s"),
    ],
)
def test_an_agent_that_cannot_be_made_fails_its_dialogue_with_all_turns(tmp_path, factory, says):
    kept = play(tmp_path, factory, dialog("a", "b"), timeout_sec=2.0)
    assert [status for status, _ in statuses(kept)] == ["error", "error"]
    assert says in kept.turns[1][0]["error"]
    assert says in kept.dialogs[1]["dialog_error"]
    assert kept.dialogs[1]["dialog_status"] == "failed"


def test_each_dialogue_has_its_own_agent_names_memory_and_end(tmp_path):
    agents.Closing.made.clear()
    kept = play(tmp_path, agents.Closing, dialog("a", name="d1"), dialog("b", name="d2"), seed=7)
    first, second = sorted(agents.Closing.made, key=lambda agent: agent.given["dialog_id"])
    assert set(first.given) == {
        "dialog_id", "observer", "session_id", "user_id", "memory_dir", "timeout_sec", "seed",
    }  # fmt: skip
    assert (first.given["session_id"], first.given["user_id"]) == ("eval_session_d1", "eval_user_d1")
    assert first.given["memory_dir"] != second.given["memory_dir"]
    assert first.given["observer"] is not second.given["observer"]
    assert (first.given["seed"], first.given["timeout_sec"]) == (7, 5.0)
    assert first.closed
    assert second.closed
    assert not first.given["memory_dir"].exists()
    assert [kept.turns[place][0]["pred_assistant_text"] for place in (1, 2)] == ["d1", "d2"]
    assert (kept.dialogs[1]["session_id"], kept.dialogs[2]["user_id"]) == ("eval_session_d1", "eval_user_d2")


def test_a_skipped_dialogue_is_not_played(tmp_path):
    draft = dialog("a")
    del draft["profile_gt"]
    kept = play(tmp_path, agents.factory_that_fails, draft)
    found = kept.dialogs[1]
    assert (found["dialog_status"], found["valid_dialog"], found["skip_reason"]) == (
        "skipped", False, "missing_profile_gt",
    )  # fmt: skip
    assert kept.turns[1] == []


def test_heartbeats_say_what_takes_so_long(tmp_path):
    heard = []
    play(
        tmp_path, agents.HangingOnce, dialog("a"), heartbeat_sec=0.05,
        progress=lambda event, fields: heard.append(fields) if event == "heartbeat" else None,
    )  # fmt: skip
    under_way = [one for fields in heard for one in fields["turns_under_way"]]
    assert {(one["dialog_id"], one["turn_pair_id"]) for one in under_way} == {("d1", 1)}
    assert under_way[-1]["seconds"] >= 0.2


def test_a_record_that_cannot_be_written_ends_the_run(tmp_path):
    class Full(Kept):
        async def turn(self, index, turn):
            raise OSError(28, "No space left on device")

    scheduler = Scheduler(
        FactorySource(agents.Counting, "test"), ReplaySettings(run_id="r"), Full(), memory=tmp_path / "m"
    )
    scripts = [DIALOGS.read(dialog("a", name=f"d{place}"), place) for place in range(1, 9)]
    with pytest.raises(OSError, match="No space left"):
        asyncio.run(scheduler.play(iter(scripts)))


def test_accepted_arguments():
    given = {"dialog_id": 1, "seed": 2}
    assert accepted(lambda: 0, given) == {}
    assert accepted(lambda seed: 0, given) == {"seed": 2}
    assert accepted(lambda **more: 0, given) == given
    assert accepted(lambda dialog_id, /, *rest: 0, given) == {}
    assert accepted(dict, given) == given


# The functions of the contract


def test_run_dialog_replay_gives_a_trace_that_scores():
    trace = contract.run_dialog_replay(dialog("a", "b"), "run_7", 3, agents.Counting, None, timeout_sec=5)
    typed = msgspec.convert(trace, DialogTrace)
    assert (typed.run_id, typed.dialog_id, typed.dataset_index, typed.dialog_status) == ("run_7", "d1", 3, "ok")
    assert typed.raw_turns is not None
    assert len(contract.build_turn_eval_rows([trace])) == 2


def test_the_observer_of_the_contract_is_told():
    heard = []

    class Own:
        def recall_done(self, payload):
            heard.append(payload["query"])

    contract.evaluate_dialog_task(dialog("a", "b"), 1, "r", agents.Counting, Own)
    assert heard == ["a", "b"]


@pytest.mark.parametrize(
    ("dialog_obj", "factory", "status", "error"),
    [
        (None, agents.Counting, "failed", "TypeError: dialog_obj: expected an object, found NoneType"),
        ({"dialog_id": "x", "turns": []}, agents.Counting, "skipped", None),
        (dialog("a"), 5, "failed", "TypeError: agent_factory: expected a function or class that makes agents"),
        (dialog("a"), agents.factory_that_fails, "failed", "the agent could not be made"),
        ({**dialog("a"), "difficulty": 5}, agents.Counting, "failed", "UnfitError"),
    ],
)
def test_run_dialog_replay_never_raises(dialog_obj, factory, status, error):
    trace = contract.run_dialog_replay(dialog_obj, "r", 1, factory, None)
    assert trace["dialog_status"] == status
    assert (trace["dialog_error"] or "").startswith(error or "")
    assert trace["run_id"] == "r"


def test_an_observer_factory_that_breaks_fails_the_dialogue():
    trace = contract.run_dialog_replay(dialog("a"), "r", 1, agents.Counting, agents.factory_that_fails)
    assert trace["dialog_status"] == "failed"
    assert "ConnectionError" in trace["dialog_error"]


def test_it_works_where_an_event_loop_runs_already():
    async def notebook():
        return contract.run_dialog_replay(dialog("a"), "r", 1, agents.AsyncCounting, None)

    assert asyncio.run(notebook())["dialog_status"] == "ok"


def test_build_turn_trace_has_the_fields_of_the_contract():
    pair = contract.align_turn_pairs(dialog("a"))[0]
    payload = {"recall": {"query": "q"}, "tools": [{"tool_name": "t"}], "warnings": ["w"]}
    turn = contract.build_turn_trace(pair, "reply \ud800", payload, 12.34567)
    assert turn["pred_assistant_text"] == "reply \ufffd"
    assert (turn["latency_ms"], turn["turn_status"], turn["error"]) == (12.346, "ok", None)
    assert turn["replay"] == {"warnings": ["w"]}
    failed = contract.build_turn_trace(pair, "", {}, 1.0, "timeout", "no reply")
    assert (failed["turn_status"], failed["error"], failed["recall"], failed["tools"]) == (
        "timeout",
        "no reply",
        None,
        [],
    )


def test_run_eval_parallel_writes_the_folder_and_returns_the_summary(tmp_path):
    path = tmp_path / "dataset.jsonl"
    path.write_bytes(b"\n".join(msgspec.json.encode(dialog("a", "b", name=f"d{place}")) for place in range(3)))
    out = tmp_path / "run"
    summary = contract.run_eval_parallel(str(path), "run_9", 2, 3, agents.Counting, None, out=out)
    assert summary["run_id"] == "run_9"
    assert summary["counters"]["total_turn_pairs"] == 6
    manifest = msgspec.json.decode((out / "run_manifest.json").read_bytes())
    assert (manifest["workers_dialog"], manifest["workers_judge"]) == (2, 3)
    assert (out / "report.html").is_file()
    again = contract.run_eval_parallel(str(path), "run_9", 1, 1, agents.Counting, None, out=out)
    assert again["metrics"] == summary["metrics"]
