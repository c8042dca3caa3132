"""Runs into MLflow: what is written, within its limits, and by mlflow-skinny 3.17.2 itself where it is installed."""

import sys
from types import SimpleNamespace

import pytest

from turnmark.errors import DataError, MissingExtraError, UsageError
from turnmark.pipeline.publishing.mlflow_export import (
    MlflowRequest,
    export_mlflow,
    shortened,
)
from turnmark.pipeline.publishing.report import write_report
from turnmark.pipeline.publishing.tracking import figures, parameters
from turnmark.pipeline.publishing.writers.protocol import Run
from turnmark.pipeline.scoring.score import score
from turnmark.pipeline.scoring.worker import ScoreRequest
from turnmark.runs.folder import read_summary


@pytest.fixture(scope="module")
def scored(examples, tmp_path_factory):
    folder = tmp_path_factory.mktemp("scored") / "run"
    score(ScoreRequest((examples / "hasty" / "dialog_trace.jsonl",), out=folder))
    write_report(folder)
    return folder


def test_figures_have_the_ends_of_their_intervals_and_none_is_made_up(scored):
    run = Run(scored)
    summary = run.summary
    found = dict(figures(run))
    m3 = summary.metrics["m3_risk_coverage"]
    assert found["m3_risk_coverage/risk_coverage"] == m3.micro["risk_coverage"]
    ends = [found[f"turnmark.intervals/m3_risk_coverage.risk_coverage.{end}"] for end in ("low", "high")]
    assert ends == list(m3.intervals["risk_coverage"])
    assert found["turnmark.counters/total_turn_pairs"] == summary.counters["total_turn_pairs"]
    m3.denominators["risk_coverage"] = 0
    assert not [name for name in dict(figures(run)) if "risk_coverage.risk_coverage" in name.replace("/", ".")]


def test_figures_come_before_what_belongs_to_them(scored):
    groups = [name.partition("/")[0] for name, _ in figures(Run(scored))]
    behind = [group for group in dict.fromkeys(groups) if not group.startswith("m")]
    assert behind == [
        "turnmark.intervals",
        "turnmark.totals",
        "turnmark.counts",
        "turnmark.counters",
        "turnmark.replies",
    ]
    assert groups == sorted(groups, key=list(dict.fromkeys(groups)).index)


def test_another_version_of_a_pack_is_another_value_of_the_same_parameter(scored):
    summary = read_summary(scored)
    names = [name for name, _ in parameters(summary)]
    versioned = next(name for name in summary.signature.packs if name.startswith("finance-profile-en@"))
    digest = summary.signature.packs.pop(versioned)
    summary.signature.packs["finance-profile-en@99.0.0"] = digest
    found = dict(parameters(summary))
    assert sorted(found) == sorted(names)
    assert found["packs.finance-profile-en"] == f"99.0.0 {digest}"


def test_parameters_are_what_shaped_the_run(scored):
    summary = read_summary(scored)
    found = dict(parameters(summary))
    assert found["detect"] == summary.detect
    assert found["metrics.m3_risk_coverage"] == summary.signature.metrics["m3_risk_coverage"]
    assert len(found["data_sha256"]) == 64


@pytest.mark.parametrize("most", [8, 36, 8000])
def test_what_is_too_long_is_cut_and_says_so(most):
    assert shortened("x" * most, most) == "x" * most
    cut = shortened("x" * (most + 1), most)
    assert len(cut) == most
    assert cut.endswith("… (cut)")


def test_without_the_extra_the_install_line_is_named(scored, monkeypatch):
    monkeypatch.setitem(sys.modules, "mlflow", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'turnmark\[mlflow\]'"):
        export_mlflow(MlflowRequest(scored))


class RefusedError(Exception):
    """Stands for MlflowException, with the words of mlflow 3.17.2."""


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ("The filesystem tracking backend is in maintenance mode … set `MLFLOW_ALLOW_FILE_STORE=true` to opt out",
         "MLflow 3 takes no folder of files as a store any more; name sqlite:///mlflow.db"),
        (" Model registry functionality is unavailable; got unsupported URI 'sqlite:///m.db' for model registry",
         "a database as a store needs the whole of MLflow: pip install mlflow"),
        ("API request to endpoint failed\nwith details", "API request to endpoint failed"),
    ],
)  # fmt: skip
def test_a_store_that_is_refused_says_what_to_name(scored, monkeypatch, said, advice):
    def refuse(tracking_uri):
        raise RefusedError(said)

    library = SimpleNamespace(MlflowClient=refuse, exceptions=SimpleNamespace(MlflowException=RefusedError))
    monkeypatch.setitem(sys.modules, "mlflow", library)
    with pytest.raises(UsageError) as raised:
        export_mlflow(MlflowRequest(scored, "file:mlruns"))
    assert str(raised.value).startswith(f"--tracking-uri file:mlruns: {advice}")
    assert "\n" not in str(raised.value)


def test_a_folder_without_a_run_is_refused(tmp_path):
    with pytest.raises(DataError, match="expected the summary of a scored run"):
        export_mlflow(MlflowRequest(tmp_path))


# ---- the real package; pip install mlflow-skinny sqlalchemy alembic


@pytest.fixture
def mlflow(monkeypatch):
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    pytest.importorskip("alembic", reason="needs: pip install mlflow (with its database store)")
    return pytest.importorskip("mlflow", reason="needs: pip install mlflow (with its database store)")


@pytest.mark.filterwarnings("ignore")
def test_a_run_in_a_real_store(scored, tmp_path, monkeypatch, mlflow):
    monkeypatch.chdir(tmp_path)
    request = MlflowRequest(scored, f"sqlite:///{tmp_path / 'mlflow.db'}", "advisers")
    exported = export_mlflow(request)
    client = mlflow.MlflowClient(request.tracking_uri)
    run = client.get_run(exported.run_id)
    summary = read_summary(scored)
    assert run.info.status == "FINISHED"
    assert run.info.run_name == summary.run_id
    assert run.data.metrics == pytest.approx(dict(figures(Run(scored))))
    assert run.data.params == dict(parameters(summary))
    assert run.data.tags["mlflow.note.content"].endswith("… (cut)")
    assert len(run.data.tags["mlflow.note.content"]) == 8000
    (data,) = run.inputs.dataset_inputs
    assert data.dataset.digest == summary.signature.data_sha256[:36]
    assert {each.path for each in client.list_artifacts(exported.run_id)} == {
        "run_manifest.json", "dialog_trace.jsonl", "evidence.jsonl", "turn_eval.jsonl", "metrics_summary.json",
        "report.md", "report.html",
    }  # fmt: skip
    assert export_mlflow(request) == (exported.run_id, True)
    without = export_mlflow(request._replace(experiment="others", files=False))
    assert not client.list_artifacts(without.run_id)


@pytest.mark.filterwarnings("ignore")
def test_the_store_of_files_that_mlflow_3_refuses(scored, tmp_path, monkeypatch, mlflow):
    monkeypatch.delenv("MLFLOW_ALLOW_FILE_STORE", raising=False)
    with pytest.raises(UsageError, match="MLflow 3 takes no folder of files as a store any more"):
        export_mlflow(MlflowRequest(scored, f"file:{tmp_path / 'mlruns'}"))
