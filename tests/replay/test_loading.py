"""From what --agent says to agents; whatever is wrong with it is said before the first turn."""

import json
import sys

import pytest

from building import dataset_dialog, write_lines
from turnmark.errors import MissingExtraError, UsageError
from turnmark.replay.agents.loading import SCHEMES, FactorySource, load_agent
from turnmark.replay.protocol import AgentSource

MODULE = """
model_name = "m"
number = 3

def make(tone="dry"):
    return tone

class Inner:
    def made(self): ...
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "some_agent.py").write_text(MODULE)
    (tmp_path / "broken_agent.py").write_text("import nothing_of_that_name\n")
    (tmp_path / "quitting_agent.py").write_text("raise SystemExit(5)\n")
    return tmp_path


def test_module_and_file(module):
    for spec in ("some_agent:make", "some_agent.py:make", str(module / "some_agent.py") + ":make"):
        source = load_agent(
            spec,
            {
                "tone": "warm",
            },
        )
        assert isinstance(source, AgentSource)
        assert source.make(dialog_id="d1") == "warm"
        assert source.description == {"model_name": spec, "agent": spec, "options": {"tone": "warm"}}
        assert len(source.source_sha256) == 64


def test_a_class_and_a_name_of_its_own(module):
    class Named:
        model_name = "my-model"

    assert FactorySource(Named, "x").description["model_name"] == "my-model"
    assert load_agent("some_agent:Inner").make(dialog_id="d1").__class__.__name__ == "Inner"
    assert callable(load_agent("some_agent:Inner.made").make)
    assert FactorySource(print, "x").source_sha256 is None


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("nonsense", "expected demo, demo-plain, exec, trace, "),
        (":make", "or module:factory, found ':make'"),
        ("some_agent:", "or module:factory"),
        ("no_such_agent:make", "expected a module that can be imported, found ModuleNotFoundError"),
        ("no_such_file.py:make", "FileNotFoundError"),
        ("broken_agent:make", "No module named 'nothing_of_that_name'"),
        ("quitting_agent:make", "found SystemExit: 5"),
        ("some_agent:mkae", "expected 'mkae' in some_agent, found make, Inner"),
        ("some_agent:number", "expected a function or class, found int"),
        ("demo:x", "expected nothing behind demo"),
        ("demo-plain:x", "expected nothing behind demo-plain"),
        ("trace:no_such_run", "expected a trace or a run folder, found none"),
        ("trace:some_agent.py", "found no readable dialogue"),
        ("exec:", "expected a program that can be started, found none"),
        ("exec:no_such_program --now", "found ['no_such_program']"),
        ("exec:'open", "expected a command, found No closing quotation"),
        ("memory:some_agent:make", "expected --agent-option answer=MODULE:FUNCTION"),
        ("langchain:some_agent:mkae", "expected 'mkae' in some_agent"),
    ],
)
def test_what_cannot_be_loaded_is_said(module, spec, says):
    if spec.startswith("langchain:"):
        pytest.importorskip("langchain_core", reason="the extra langchain is not installed")
    with pytest.raises(UsageError) as refused:
        load_agent(spec)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("spec", "options", "says"),
    [
        ("some_agent:make", {"volume": 3}, "some_agent:make takes no option volume"),
        ("some_agent:Inner", {"dialog_id": "x"}, "takes no option dialog_id"),
        ("demo", {"window": 0}, "window: expected a whole number above 0, found 0"),
        ("demo", {"colour": 1}, "demo takes no option colour"),
        ("demo-plain", {"window": 3}, "demo-plain takes no option window"),
        ("langchain:some_agent:make", {"mood": 1}, "langchain takes input and history, found mood"),
        ("langchain:some_agent:make", {"history": "no"}, "expected input to be a name and history to be true or false"),
        ("memory:some_agent:make", {"answer": "some_agent:make", "limit": "many"}, "limit: expected a whole number"),
        ("memory:some_agent:make", {"answer": "some_agent:make", "depth": 1}, "found depth"),
    ],
)
def test_options_that_do_not_fit_are_said(module, spec, options, says):
    with pytest.raises(UsageError) as refused:
        load_agent(spec, options)
    assert says in str(refused.value)


def test_a_trace_takes_no_option(module, examples):
    with pytest.raises(UsageError, match="trace takes no option speed"):
        load_agent(f"trace:{examples / 'careful'}", {"speed": 2})


def test_what_is_not_installed_names_the_line(monkeypatch, module):
    monkeypatch.setitem(sys.modules, "langchain_core", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'turnmark\[langchain\]'"):
        load_agent("langchain:some_agent:make")


def test_every_scheme_can_be_opened():
    for module, name in SCHEMES.values():
        assert callable(getattr(__import__(module, fromlist=[name]), name))


def test_a_recorded_trace_must_fit(cli, tmp_path, examples):
    careful = examples / "careful"
    dataset = write_lines(tmp_path / "d.jsonl", dataset_dialog("zh-fund-first-steps"), dataset_dialog("unknown"))
    played = cli("replay", dataset, "--agent", f"trace:{careful}", "--out", tmp_path / "run", "--format", "json")
    assert played.code == 3
    text = (tmp_path / "run" / "dialog_trace.jsonl").read_text()
    assert "turn 1 was recorded for another user text" in text
    assert "the trace holds no dialogue 'unknown'" in text


def test_a_recorded_run_is_said_again(cli, tmp_path, examples):
    out = tmp_path / "run"
    hasty = examples / "hasty"
    assert cli("replay", examples / "dataset.jsonl", "--agent", f"trace:{hasty}", "--out", out).code == 3
    recorded = {}
    for line in (hasty / "dialog_trace.jsonl").read_text().splitlines():
        dialog = json.loads(line)
        recorded[dialog["dialog_id"]] = dialog["turns"] or []
    for line in (out / "dialog_trace.jsonl").read_text().splitlines():
        dialog = json.loads(line)
        for turn, own in zip(dialog["turns"], recorded[dialog["dialog_id"]], strict=True):
            assert turn["turn_status"] == own["turn_status"]
            assert turn["pred_assistant_text"] == (own.get("pred_assistant_text") or "")
            for part in ("recall", "compliance", "profile_snapshot"):
                assert turn[part] == own.get(part)
            assert turn["tools"] == (own.get("tools") or [])


def test_a_recorded_dialogue_that_is_too_short(tmp_path):
    source = load_agent(f"trace:{write_lines(tmp_path / 't.jsonl', {'dialog_id': 'd1', 'turns': []})}")
    from turnmark.replay.protocol import AgentFailure  # noqa: PLC0415

    with pytest.raises(AgentFailure, match="ends after 0 turns"):
        source.make(dialog_id="d1", observer=None).handle_turn("x")


@pytest.mark.parametrize("bad", ["no-sign", "=3", "name=[1"])
def test_agent_options_on_the_command_line(cli, tmp_path, bad):
    dataset = write_lines(tmp_path / "d.jsonl", dataset_dialog())
    refused = cli("replay", dataset, "--agent", "demo", "--agent-option", bad)
    assert refused.code == 2
    assert "NAME=VALUE" in refused.err or "expected a YAML value" in refused.err
