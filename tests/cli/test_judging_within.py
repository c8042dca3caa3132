"""A model asked within score, run and turnmark.score, over HTTP."""

import json
from pathlib import Path

import pytest

import turnmark
from building import write_lines
from servers.chat_server import ChatServer
from servers.judge_answers import judge_answer
from tiny_models import inference
from turnmark.contract import run_eval_parallel
from turnmark.errors import UsageError

OPEN = "The office welcomes people early."


def case(number):
    context = f"Office {number} opens at 9:00."
    return {
        "id": f"c{number}",
        "question": f"When does office {number} open?",
        "answer": f"{context} {OPEN}",
        "retrieved_contexts": [context],
    }


@pytest.fixture
def server():
    with ChatServer(answer=judge_answer, latency=0.02) as server:
        yield server


@pytest.fixture
def config(server, tmp_path):
    path = tmp_path / "judge.yaml"
    path.write_text(f"model: m\nbase_url: {server.base_url}\nconcurrency: 7\nitems_per_request: 2\n")
    return path


@pytest.fixture
def cases(tmp_path):
    return write_lines(tmp_path / "cases.jsonl", *(case(number) for number in range(12)))


def test_score_asks_and_counts_in_one_go(cli, cases, config, server, tmp_path):
    arguments = ("score", cases, "--suite", "rag", "--judge", config, "--only-undecided", "--out", tmp_path / "run")
    found = cli(*arguments)
    assert (found.code, found.err) == (0, "")
    assert "12 by the model m, 48 by rules, 0 not decided" in found.out.splitlines()[1]
    assert "FTH was decided: 12 by rules, 12 by the model m." in found.out
    assert (tmp_path / "run" / "judgements.jsonl").is_file()
    calls = server.calls
    assert 0 < calls <= 6
    manifest = json.loads((tmp_path / "run" / "run_manifest.json").read_text())
    assert manifest["workers_judge"] == 7
    assert cli("check", tmp_path / "run").code == 0
    again = cli(*arguments, "--format", "json")
    assert (again.code, server.calls) == (0, calls)
    assert again.json["deciders"]["faithfulness"] == {"decided": {"llm:m": 12, "rules": 12}}
    page = (tmp_path / "run" / "report.html").read_text()
    assert "by the model m" in page


def test_score_says_who_decided_in_every_language(cli, cases, config, tmp_path):
    cli("score", cases, "--suite", "rag", "--judge", config, "--only-undecided", "--out", tmp_path / "run")
    for language, said in (("zh", "由模型 m 判定 12 条"), ("ko", "모델 m이(가) 판정 12건")):
        assert cli("report", tmp_path / "run", "--lang", language).code == 0
        assert said in (tmp_path / "run" / "report.md").read_text("utf-8")


def test_all_is_asked_without_only_undecided(cli, cases, config, server, tmp_path):
    found = cli("score", cases, "--suite", "rag", "--judge", config, "--judge-option", "model=n", "--judge-workers", 2,
                "--out", tmp_path / "run")  # fmt: skip
    assert (found.code, server.calls, server.most_running) == (0, 24, 2)
    assert {each["body"]["model"] for each in server.requests} == {"n"}


def test_an_inference_model_alone(cli, cases, tmp_path):
    folder = inference(tmp_path / "tiny-nli")
    found = cli("score", cases, "--suite", "rag", "--judge", f"nli:{folder}", "--only-undecided", "--out",
                tmp_path / "run", "--format", "json")  # fmt: skip
    assert (found.code, found.err) == (0, "")
    assert found.json["deciders"]["faithfulness"]["decided"]["rules"] == 12
    assert found.json["deciders"]["faithfulness"]["open"] == 12


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--detect", "rules"), "--judge: expected --detect judged or none with it, found --detect rules"),
        (("--entailment", "/nowhere"), "--entailment: expected together with --only-undecided"),
        (("--judge-option", "temprature=1"), "--judge-option: unknown settings temprature"),
    ],
)
def test_what_does_not_go_together_is_said_before_anything_is_asked(cli, cases, config, server, tmp_path, more, says):
    found = cli("score", cases, "--suite", "rag", "--judge", config, "--out", tmp_path / "run", *more)
    assert (found.code, says in found.err) == (2, True)
    assert server.calls == 0
    assert not (tmp_path / "run" / "metrics_summary.json").exists()


def questions(path):
    return write_lines(
        path, *({"id": f"q{number}", "question": f"When does office {number} open?"} for number in range(12))
    )


@pytest.mark.parametrize("workers", [1, 3])
def test_run_judges_what_was_said_with_so_many_calls_at_once(cli, config, server, tmp_path, workers):
    folder = tmp_path / "run"
    arguments = (
        "run", questions(tmp_path / "q.jsonl"), "--agent", "tests_agent:make", "--suite", "rag", "--detect", "judged",
        "--judge", config, "--judge-workers", workers, "--out", folder,
    )  # fmt: skip
    found = cli(*arguments)
    assert (found.code, found.err) == (0, "")
    assert (server.calls, server.most_running) == (24, workers)
    summary = json.loads((folder / "metrics_summary.json").read_text())
    assert summary["detect"] == "judged"
    assert summary["metrics"]["faithfulness"]["counts"]["eligible_count"] == 12
    assert json.loads((folder / "run_manifest.json").read_text())["workers_judge"] == workers
    assert cli("check", folder).code == 0
    assert cli(*arguments, "--resume").code == 0
    assert server.calls == 24
    assert json.loads((folder / "metrics_summary.json").read_text()) == summary


@pytest.fixture(autouse=True)
def agent(tmp_path, monkeypatch):
    """An agent that answers each question with its context and says so."""
    (tmp_path / "tests_agent.py").write_text(
        "from turnmark.agents import Reply\n\n\n"
        "class Agent:\n"
        "    def handle_turn(self, text):\n"
        f"        said = text.replace('When does office', 'Office').replace('open?', 'opens at 9:00. {OPEN}')\n"
        "        return Reply(text=said, retrieved_contexts=[said.split('. ')[0] + '.'])\n\n\n"
        "def make():\n"
        "    return Agent()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))


def test_python_asks_what_is_open(server, cases, tmp_path):
    judge = {"model": "m", "base_url": server.base_url}
    result = turnmark.score(cases, "rag", judge=judge, only_undecided=True, audit=1.0, metrics=("faithfulness",))
    assert result.judged.by == {"llm:m": 12, "rules": 12}
    assert result.judged.audited == 12
    assert result.summary.deciders["faithfulness"].decided == {"llm:m": 12, "rules": 12}
    assert Path(result.folder, "judgements.jsonl").is_file()
    folder = inference(tmp_path / "tiny-nli")
    alone = turnmark.score(cases, "rag", judge=f"nli:{folder}", only_undecided=True, metrics=("faithfulness",))
    assert alone["faithfulness"].decided_share == 0.5
    assert turnmark.score(cases, "rag", judge="rules").judged is None
    with pytest.raises(UsageError, match="only_undecided: expected together with a judge that is a model"):
        turnmark.score(cases, "rag", only_undecided=True)
    with pytest.raises(UsageError, match="expected the settings of a model or nli:FOLDER"):
        turnmark.score(cases, "rag", judge="rules", only_undecided=True)


def first_lines(source, target, count):
    target.write_text("".join(source.read_text("utf-8").splitlines(keepends=True)[:count]), "utf-8")
    return target


def test_run_has_explanations_of_advisers_graded(cli, config, server, examples, tmp_path):
    dataset = first_lines(examples / "dataset.jsonl", tmp_path / "dataset.jsonl", 3)
    folder = tmp_path / "run"
    found = cli(
        "run", dataset, "--agent", "demo", "--judge", config, "--judge-workers", 2, "--lang", "en", "--out", folder
    )
    assert (found.code, found.err) == (0, "")
    assert server.calls > 2
    assert server.most_running == 2
    rows = [json.loads(line) for line in (folder / "turn_eval.jsonl").read_text().splitlines()]
    graded = [row["judge_score_1_5"] for row in rows if row["rubric_required"]]
    assert graded == [4.0] * server.calls
    assert "mean 4.000" in found.out


def test_run_has_answers_to_patients_reviewed(cli, config, server, examples, tmp_path):
    scripts = first_lines(examples.parent / "clinical" / "scripts.en.jsonl", tmp_path / "scripts.jsonl", 1)
    found = cli("run", scripts, "--suite", "clinical", "--agent", "demo", "--judge", config, "--out", tmp_path / "run")
    assert (found.code, found.err) == (0, "")
    assert server.calls >= 5
    evidence = [json.loads(line) for line in (tmp_path / "run" / "evidence.jsonl").read_text().splitlines()]
    assert any(piece["rule"] == "judge.judged" for piece in evidence)


@pytest.mark.parametrize("workers", [1, 3])
def test_the_contract_bounds_judge_calls(server, examples, tmp_path, workers):
    dataset = first_lines(examples / "dataset.jsonl", tmp_path / "dataset.jsonl", 3)

    def adviser(**_):
        class Adviser:
            @staticmethod
            def handle_turn(text):
                return f"{text}：分散可以降低风险。"

        return Adviser()

    judge = {"model": "m", "base_url": server.base_url}
    summary = run_eval_parallel(str(dataset), "r", 2, workers, adviser, None, out=tmp_path / "run", judge=judge)
    assert summary["detect"] == "judged"
    assert server.most_running == workers
    assert json.loads((tmp_path / "run" / "run_manifest.json").read_text())["workers_judge"] == workers
