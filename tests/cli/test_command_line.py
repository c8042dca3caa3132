"""The command line: exit codes, where output goes, what a person and a machine get."""

import json
import os
import pty
import resource
import subprocess
import sys

import click
import pytest

import turnmark
from building import dialog, line, read_lines, turn, write_lines
from turnmark.cli import main
from turnmark.cli.progress import line_progress
from turnmark.cli.root import VERBS as SAID
from turnmark.cli.root import root
from turnmark.cli.table import print_summary
from turnmark.errors import DataError, MissingExtraError
from turnmark.locale.texts import ENGLISH
from turnmark.schemas.results.summary import EvalSummary

VERBS = root.list_commands(click.Context(root))


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_of_every_verb(verb, option, cli):
    ran = cli(verb, option)
    assert ran.code == 0
    assert ran.out.startswith(f"Usage: turnmark {verb} ")
    assert "Options:" in ran.out
    assert ran.err == ""


def test_help_names_every_verb_and_exit_code(cli):
    ran = cli("--help")
    assert ran.code == 0
    assert {"check", "score", "report"} <= set(VERBS)
    for word in (*VERBS, "0 fine", "1 findings", "2 misuse", "130 interrupted"):
        assert word in ran.out


@pytest.mark.parametrize("verb", VERBS)
def test_list_of_verbs_says_what_each_says_of_itself(verb):
    own = root.get_command(click.Context(root), verb)
    assert SAID[verb] == own.get_short_help_str(limit=1000)


def test_version(cli, process):
    assert cli("--version").out == f"turnmark, version {turnmark.__version__}\n"
    assert process("--version").out == f"turnmark, version {turnmark.__version__}\n"


def test_the_installed_command_is_the_same(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["turnmark", "--version"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code in (None, 0)
    assert turnmark.__version__ in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scroe"], "No such command 'scroe'"),
        (["score"], "Missing argument 'TRACE...'"),
        (["score", "t", "--workers", "many"], "'many' is not a valid integer"),
        (["score", "t", "--format", "xml"], "'xml' is not one of 'table', 'json'"),
        (["score", "t", "--mood"], "No such option"),
        (["check"], "Missing argument 'PATH...'"),
        (["check", "x", "--kind", "novel"], "'novel' is not one of"),
        (["report"], "Missing argument 'RUN...'"),
        (["compare", "a", "b", "--seed", "-5"], "-5 is not in the range x>=0"),
        (["correct", "a", "--labels", "l", "--seed", "-1"], "-1 is not in the range x>=0"),
    ],
)
def test_misuse_is_2_with_the_reason_on_stderr(arguments, message, cli):
    ran = cli(*arguments)
    assert ran.code == 2
    assert message in ran.err
    assert ran.out == ""


def test_no_verb_shows_help(cli):
    ran = cli()
    assert ran.code in (0, 2)
    assert "Usage: turnmark" in ran.out + ran.err


def test_all_wrong_arguments_are_reported_at_once(cli, tmp_path):
    pack = tmp_path / "p.yaml"
    pack.write_text("pack: p\nversion: '1'\nlanguage: zh\nguard_words:\n  - 5\n")
    ran = cli("score", tmp_path / "none.jsonl", "--suite", "astrology", "--detect", "magic", "--by", "mood,weather",
              "--workers", "0", "--dataset", tmp_path / "no.jsonl", "--pack", pack)  # fmt: skip
    assert ran.code == 2
    assert ran.out == ""
    lines = ran.err.splitlines()
    assert all(entry.startswith("turnmark: ") for entry in lines)
    for part in ("--suite", "--detect", "none.jsonl", "'mood'", "'weather'", "--workers", "--dataset",
                 f"{pack}:5: $.guard_words[0]: expected string, found integer 5"):  # fmt: skip
        assert sum(part in entry for entry in lines) == 1, part
    assert len(lines) == 8


def test_broken_pack_yaml_is_reported_by_file_and_line(cli, tmp_path):
    pack = tmp_path / "p.yaml"
    pack.write_text("pack: p\nversion: '1\nlanguage: zh\n")
    trace = write_lines(tmp_path / "t.jsonl", dialog())
    ran = cli("score", trace, "--detect", "literal", "--pack", pack, "--out", tmp_path / "run")
    assert ran.code == 2
    assert ran.err.startswith(f"turnmark: {pack}:")
    assert not (tmp_path / "run").exists()


def test_users_pack_overrides_and_adds(cli, tmp_path):
    pack = tmp_path / "p.yaml"
    pack.write_text(
        "pack: mine\nversion: '7'\nlanguage: zh\n"
        "risk_aliases: {policy_risk: [政策风险]}\n"
        "risk_keywords: {policy_risk: [政策], volatility_risk: [起伏]}\nforbidden_phrases: [闭眼买]\n",
        encoding="utf-8",
    )
    value = dialog("a", [turn(1, "政策有变，净值波动，闭眼买。", risks=["政策风险", "波动风险"])])
    trace = write_lines(tmp_path / "t.jsonl", value)
    assert cli("score", trace, "--detect", "literal", "--out", tmp_path / "plain").code == 0
    ran = cli("score", trace, "--detect", "literal", "--pack", pack, "--out", tmp_path / "own", "--format", "json")
    assert ran.code == 0
    (plain,), (own,) = (read_lines(tmp_path / name / "turn_eval.jsonl") for name in ("plain", "own"))
    assert (plain["risk_pred_tags"], plain["risk_tag_hits"]) == (["volatility_risk"], 1)
    assert (own["risk_pred_tags"], own["risk_tag_hits"]) == (["policy_risk"], 1), "波动 was replaced by 起伏"
    assert (plain["forbidden_hits"], own["forbidden_hits"]) == ([], ["闭眼买"])
    assert sorted(ran.json["signature"]["packs"]) == ["finance.literal@1.0.0", "mine@7"]
    evidence = read_lines(tmp_path / "own" / "evidence.jsonl")
    assert {piece["rule"] for piece in evidence} >= {"literal.risk.policy_risk", "literal.compliance.forbidden"}


# Every verb on the shipped examples


@pytest.fixture(scope="module")
def example_run(examples, tmp_path_factory):
    out = tmp_path_factory.mktemp("example") / "run"
    arguments = ["score", str(examples / "careful"), "--detect", "literal", "--out", str(out)]
    done = subprocess.run(
        [sys.executable, "-m", "turnmark", *arguments],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done, out


def test_score_of_a_run_folder_prints_a_table_with_whole_figures(example_run):
    done, out = example_run
    assert done.returncode == 0
    assert done.stderr == "", "quiet when nobody looks"
    summary = json.loads((out / "metrics_summary.json").read_bytes())
    for result in summary["metrics"].values():
        for name, value in result["micro"].items():
            line = next(line for line in done.stdout.splitlines() if f" {name} " in line)
            assert f"{value:.3f}" in line
    assert f"report: {out / 'report.html'}" in done.stdout
    assert "…" not in done.stdout


def test_check_of_the_run_folder(example_run, cli):
    ran = cli("check", example_run[1])
    assert ran.code == 0
    assert ran.out.splitlines()[0] == f"{example_run[1]}: run folder, 5 files, 0 errors, 0 warnings"
    assert ran.err == ""


def test_report_again_gives_the_same_bytes(example_run, cli):
    _, out = example_run
    pages = {name: (out / name).read_bytes() for name in ("report.md", "report.html")}
    for name in pages:
        (out / name).unlink()
    ran = cli("report", out)
    assert ran.code == 0
    assert ran.out.startswith("Dialogues by their most severe fault: ")
    assert ran.out.endswith(f"report: {out / 'report.html'}\n")
    assert {name: (out / name).read_bytes() for name in pages} == pages


def test_report_of_a_folder_without_summary_says_what_to_do(tmp_path, cli):
    ran = cli("report", tmp_path)
    assert ran.code == 2
    assert "run `turnmark score` first" in ran.err


@pytest.mark.parametrize("name", ["dataset.jsonl", "careful/dialog_trace.jsonl", "hasty", "careful"])
def test_check_of_shipped_files(name, examples, cli):
    ran = cli("check", examples / name)
    assert ran.code == 0, ran.out


# Findings


def test_check_findings_are_1_and_go_to_stdout(cli, tmp_path):
    path = write_lines(tmp_path / "t.jsonl", dialog("a"), b"oops\n")
    ran = cli("check", path, "--lang", "en")
    assert ran.code == 1
    assert ran.err == ""
    first, last = ran.out.splitlines()
    assert first.startswith(f"error: {path}:2: $: expected JSON (")
    assert last == f"{path}: trace, 1 record, 1 error, 0 warnings"


def test_check_warnings_alone_are_0(cli, tmp_path):
    path = write_lines(tmp_path / "t.jsonl", dialog("a"), json.dumps(dialog("\ud800")).encode())
    ran = cli("check", path)
    assert ran.code == 0
    assert ran.out.startswith(f"warning: {path}:2: $: expected whole characters")


def test_check_shows_fifty_and_says_how_many_more(cli, tmp_path):
    path = write_lines(tmp_path / "t.jsonl", dialog("a"), *([b"oops\n"] * 60))
    ran = cli("check", path)
    assert ran.out.count("error: ") == 50
    assert "… and 10 more; --format json shows all" in ran.out
    assert len(cli("check", path, "--format", "json").json[0]["problems"]) == 60


def test_check_as_json(cli, tmp_path):
    good, bad = write_lines(tmp_path / "g.jsonl", dialog()), write_lines(tmp_path / "b.jsonl", dialog(), b"oops\n")
    ran = cli("check", good, bad, "--format", "json")
    assert ran.code == 1
    assert [(entry["path"], entry["kind"], entry["records"]) for entry in ran.json] == [
        (str(good), "trace", 1),
        (str(bad), "trace", 1),
    ]
    assert ran.json[1]["problems"][0]["line"] == 2


@pytest.mark.parametrize("kind", ["trace", "pack"])
def test_check_of_a_missing_path_is_misuse(kind, cli, tmp_path):
    ran = cli("check", tmp_path / "none", "--kind", kind)
    assert ran.code == 2
    assert ran.err == f"turnmark: {tmp_path / 'none'}: expected a file or a run folder, found nothing\n"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"oops\n" + line(dialog("b")), "1 line could not be read: see {}"),
        (json.dumps(dialog("b", [turn(1, 5)])).encode() + b"\n" + line(dialog("c")), "1 warning: see {}"),
    ],
    ids=["a line that is none", "a turn that is none"],
)
def test_bad_lines_and_turns_finish_with_3_and_say_where_to_look(data, told, cli, tmp_path):
    ran = cli(
        "score",
        write_lines(tmp_path / "t.jsonl", data),
        "--detect",
        "literal",
        "--out",
        tmp_path / "run",
        "--lang",
        "en",
    )
    assert ran.code == 3
    assert told.format(tmp_path / "run" / "problems.jsonl") in ran.out
    assert len(read_lines(tmp_path / "run" / "problems.jsonl")) == 1


def test_nothing_readable_is_2(cli, tmp_path):
    ran = cli("score", write_lines(tmp_path / "t.jsonl", b"oops\n"), "--detect", "literal", "--out", tmp_path / "run")
    assert ran.code == 2
    assert ran.err.splitlines()[0].endswith("expected at least one readable dialogue, found none")
    assert "t.jsonl:1: $: expected JSON" in ran.err


def test_score_as_json_is_the_summary_and_nothing_else(cli, tmp_path):
    trace = write_lines(tmp_path / "t.jsonl", dialog("a"), b"oops\n")
    ran = cli("score", trace, "--detect", "literal", "--out", tmp_path / "run", "--format", "json")
    assert ran.code == 3
    assert ran.err == ""
    assert ran.json == json.loads((tmp_path / "run" / "metrics_summary.json").read_bytes())


def test_output_into_a_file_is_misuse(cli, tmp_path):
    trace = write_lines(tmp_path / "t.jsonl", dialog())
    ran = cli("score", trace, "--detect", "literal", "--out", trace)
    assert ran.code == 2
    assert ran.err.startswith(f"turnmark: --out {trace}: expected a folder that can be written, found: ")


def test_full_disk_is_a_message_and_no_half_run(tmp_path):
    trace = write_lines(tmp_path / "t.jsonl", *(dialog(f"d{n}", x="长" * 20_000) for n in range(5)))
    done = subprocess.run(
        [sys.executable, "-m", "turnmark", "score", str(trace), "--detect", "literal", "--out", str(tmp_path / "run")],
        capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)),
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("turnmark: cannot go on: ")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "run").exists()


def test_closed_pipe_is_no_error(example_run):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "turnmark", "check", str(example_run[1]), "--format", "json"],
        stdout=writer, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    os.close(writer)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


def test_interrupt_in_a_verb_is_130(cli, monkeypatch, tmp_path):
    def interrupted(*arguments, **settings):
        raise KeyboardInterrupt

    monkeypatch.setattr("turnmark.cli.check.check", interrupted)
    ran = cli("check", tmp_path)
    assert ran.code == 130
    assert "interrupted" in ran.err


def test_progress_is_shown_on_a_terminal_only(tmp_path):
    trace = write_lines(tmp_path / "t.jsonl", *(dialog(f"d{n}", [turn(1, "长" * 300_000)]) for n in range(4)))
    leader, follower = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "turnmark", "score", str(trace), "--detect", "literal", "--out", str(tmp_path / "run")],
        stdout=subprocess.PIPE, stderr=follower, check=False, env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )  # fmt: skip
    os.close(follower)
    shown = os.read(leader, 1 << 16)
    os.close(leader)
    assert done.returncode == 0
    assert b"scoring" in shown
    assert b"scoring" not in done.stdout


# The table


def summary_of(**fields):
    base = {"run_id": "r [x]", "trace_version": "v1", "dataset_path": "d", "metrics": {}, "counters": {}}
    return EvalSummary(**{**base, "suite": "finance", "detect": "literal", **fields})


def test_table_of_a_summary_without_metrics(capsys):
    print_summary(summary_of(), ENGLISH)
    print_summary(summary_of(suite=None), ENGLISH)
    assert "metric" in capsys.readouterr().out


def test_brackets_in_names_are_no_markup(capsys):
    print_summary(summary_of(run_id="[/x] [bold]y[/]", flags=["abnormal_replies"]), ENGLISH)
    assert "[/x] [bold]y[/] · finance" in capsys.readouterr().out


def test_table_says_first_what_makes_a_run_doubtful(capsys):
    print_summary(
        summary_of(flags=["abnormal_replies"], counters={"total_turn_pairs": 4}, reply_states={"normal": 1, "echo": 3}),
        ENGLISH,
    )
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "3 of 4 replies are not normal: these figures say little."
    assert lines[1] == f"replies: normal 1, {ENGLISH['state_echo']} 3"


def test_metrics_without_anything_to_count_are_one_line(cli, tmp_path):
    trace = write_lines(tmp_path / "t.jsonl", dialog())
    ran = cli("score", trace, "--detect", "literal", "--out", tmp_path / "run", "--lang", "en")
    (line,) = [line for line in ran.out.splitlines() if line.startswith("Nothing to count for")]
    assert "M1 " in line
    assert " key_coverage " not in ran.out


def test_module_runs_as_the_command_does():
    ran = subprocess.run([sys.executable, "-m", "turnmark", "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("turnmark, version ")


@pytest.mark.parametrize(
    ("raised", "code", "message"),
    [
        (SystemExit(1), 0, ""),
        (OSError(28, "No space left on device"), 2, "turnmark: cannot go on: [Errno 28] No space left on device\n"),
        (MissingExtraError("install turnmark[x]"), 2, "turnmark: install turnmark[x]\n"),
        (DataError("one\ntwo"), 2, "turnmark: one\nturnmark: two\n"),
    ],
    ids=["the reader of the output went away", "full disk", "missing part", "two lines"],
)
def test_errors_become_messages_and_codes(raised, code, message, cli, monkeypatch, tmp_path):
    def fail(*arguments, **settings):
        raise raised

    monkeypatch.setattr("turnmark.cli.check.check", fail)
    ran = cli("check", tmp_path)
    assert (ran.code, ran.out, ran.err) == (code, "", message)


def test_progress_bar_counts_dialogues_and_turns(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with line_progress("scoring", quiet=False) as tell:
        tell(3, 40)
    with line_progress("scoring", quiet=True) as nobody:
        assert nobody is None
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "scoring: 40 turns, dialogues" in captured.err


EVENT = {"schema_version": "events_record.v1", "run_id": "r", "mode": "llm", "patient_id": "p", "turn_id": 1,
         "question": {"text": "?"}, "answer": "!", "timestamp_utc": ""}  # fmt: skip
CASE = {"user_input": "?", "response": "!"}
DATASET = {"dialog_id": "d", "turns": [{"role": "user", "text": "?"}]}


@pytest.mark.parametrize(
    ("value", "suite", "advice"),
    [
        (EVENT, "finance", "score them with --suite clinical"),
        (EVENT, "rag", "score them with --suite clinical"),
        (CASE, "finance", "score them with --suite rag"),
        (CASE, "clinical", "score them with --suite rag"),
        (DATASET, "finance", "play it with turnmark run"),
        (DATASET, "clinical", "play it with turnmark run"),
        ({"patient_id": "p", "turns": []}, "finance", "play them with turnmark run"),
    ],
)
def test_a_file_of_another_kind_is_told_where_it_belongs(value, suite, advice, cli, tmp_path):
    path = write_lines(tmp_path / "in.jsonl", value)
    ran = cli("score", path, "--suite", suite, "--out", tmp_path / "run")
    assert ran.code == 2
    assert advice in ran.err
    assert len(ran.err.splitlines()) == 2


@pytest.mark.parametrize(
    ("suite", "options", "named"),
    [
        ("rag", ("--config", ".", "--detect", "literal"), "--detect, --config"),
        ("finance", ("--metric", "nli"), "--metric"),
        ("clinical", ("--weights", "w.json"), "--weights"),
        ("clinical", ("--pack", "p.yaml"), "--pack"),
    ],
)
def test_agree_refuses_options_of_other_suites(suite, options, named, cli, tmp_path):
    path = write_lines(tmp_path / "labels.jsonl", {"id": "1"})
    ran = cli("agree", path, "--suite", suite, *options)
    assert ran.code == 2
    assert ran.err.startswith(f"turnmark: {named}: says nothing about suite {suite}")


def test_agree_takes_no_recorded_judgements(cli, tmp_path):
    path = write_lines(tmp_path / "labels.jsonl", {"id": "1"})
    ran = cli("agree", path, "--suite", "rag", "--metric", "nli", "--judge", "judged")
    assert ran.code == 2
    assert ran.err.startswith("turnmark: --judge: expected one of ['rules', ")
    assert "--pack" not in ran.err


def test_warnings_are_counted_on_the_terminal(cli, tmp_path):
    trace, dataset = write_lines(tmp_path / "t.jsonl", dialog("d")), write_lines(tmp_path / "empty.jsonl")
    ran = cli("score", trace, "--dataset", dataset, "--out", tmp_path / "run", "--lang", "en")
    assert ran.code == 0
    assert f"1 warning: see {tmp_path / 'run' / 'problems.jsonl'}" in ran.out
