"""A scored run as a run of MLflow: what shaped it as parameters, figures as metrics, its files as artifacts.

MLflow's limits are kept here, since it refuses some values and cuts others with a warning only: 6,000 characters for a
parameter, 8,000 for a tag, 36 for the digest of a dataset.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from turnmark.errors import MissingExtraError, UsageError
from turnmark.pipeline.publishing.tracking import figures, parameters
from turnmark.pipeline.publishing.writers.protocol import Run
from turnmark.runs.folder import REPORT_HTML, REPORT_MARKDOWN, artifact_of, artifacts

EXPERIMENT = "turnmark"
_MOST_PARAMETER, _MOST_TAG, _MOST_DIGEST = 6_000, 8_000, 36
_MOST_AT_ONCE = 100
_SUMMARY = "turnmark.summary_sha256"


class MlflowRequest(NamedTuple):
    """What to export and where to.

    ``tracking_uri`` None: MLflow's own choice (``MLFLOW_TRACKING_URI``, else its default). ``files``: the run's files
    go along; they hold the texts of the dialogues.
    """

    folder: Path
    tracking_uri: str | None = None
    experiment: str = EXPERIMENT
    files: bool = True


class Exported(NamedTuple):
    """The run's id in MLflow, and whether it was there already, from an export of the same figures."""

    run_id: str
    there_already: bool


def export_mlflow(request: MlflowRequest) -> Exported:
    """Write one scored run to MLflow; the same figures a second time only name the run that is there.

    Raises: DataError when the folder holds no scored run; UsageError for a store that MLflow does not take, with what
    it says; MissingExtraError without the extra mlflow.
    """
    run = Run(request.folder)
    mlflow = _library()
    try:
        client = mlflow.MlflowClient(tracking_uri=request.tracking_uri)
        return _written(client, request, run)
    except mlflow.exceptions.MlflowException as error:
        message = f"--tracking-uri {request.tracking_uri or '(that of MLflow)'}: {_advice(str(error))}"
        raise UsageError(message) from error


def _written(client: Any, request: MlflowRequest, run: Run) -> Exported:
    digest = artifact_of(request.folder / "metrics_summary.json").sha256
    found = client.get_experiment_by_name(request.experiment)
    experiment = client.create_experiment(request.experiment) if found is None else found.experiment_id
    known = f"tags.`{_SUMMARY}` = '{digest}' and attributes.status = 'FINISHED'"
    for there in client.search_runs([experiment], known, max_results=1):
        return Exported(there.info.run_id, there_already=True)
    started, ended = _milliseconds(run.moment("started_at")), _milliseconds(run.moment("ended_at"))
    run_id = client.create_run(experiment, start_time=started, run_name=run.summary.run_id).info.run_id
    try:
        _log(client, run_id, run)
        for path in _files(request.folder) if request.files else ():
            client.log_artifact(run_id, str(path))
        client.set_tag(run_id, _SUMMARY, digest)
    except BaseException:
        client.set_terminated(run_id, "FAILED")
        raise
    client.set_terminated(run_id, "FINISHED", end_time=ended)
    return Exported(run_id, there_already=False)


def _log(client: Any, run_id: str, run: Run) -> None:
    from mlflow import entities  # noqa: PLC0415 - an extra, there by now

    summary = run.summary
    at = client.get_run(run_id).info.start_time
    kinds = {
        "metrics": [entities.Metric(name, value, at, 0) for name, value in figures(run)],
        "params": [entities.Param(name, shortened(text, _MOST_PARAMETER)) for name, text in parameters(summary)],
        "tags": [entities.RunTag(name, text) for name, text in _tags(run)],
    }
    for kind, entries in kinds.items():
        for start in range(0, len(entries), _MOST_AT_ONCE):
            client.log_batch(run_id, **{kind: entries[start : start + _MOST_AT_ONCE]})
    data = summary.signature.data_sha256 if summary.signature else ""
    source = msgspec.json.encode({"uri": summary.dataset_path}).decode()
    dataset = entities.Dataset(
        name=shortened(Path(summary.dataset_path).name or "data", 500), digest=data[:_MOST_DIGEST] or "unknown",
        source_type="local", source=source,
    )  # fmt: skip
    client.log_inputs(run_id, [entities.DatasetInput(dataset, [])])


def _tags(run: Run) -> Iterator[tuple[str, str]]:
    folder, summary = run.folder, run.summary
    yield "turnmark.run_id", shortened(summary.run_id, _MOST_TAG)
    yield "turnmark.version", summary.turnmark_version or "unknown"
    yield "turnmark.config_fingerprint", summary.config_fingerprint or "unknown"
    if (folder / REPORT_MARKDOWN).is_file():
        # What MLflow shows on the page of a run.
        yield "mlflow.note.content", shortened((folder / REPORT_MARKDOWN).read_text("utf-8"), _MOST_TAG)


def shortened(text: str, most: int) -> str:
    """A text of at most ``most`` characters; one that was cut says so."""
    mark = "… (cut)"
    return text if len(text) <= most else text[: most - len(mark)] + mark


def _files(folder: Path) -> Iterator[Path]:
    yield from artifacts(folder)
    yield from (folder / name for name in (REPORT_MARKDOWN, REPORT_HTML) if (folder / name).is_file())


def _milliseconds(moment: datetime | None) -> int | None:
    return None if moment is None else round(moment.timestamp() * 1000)


def _advice(said: str) -> str:
    """What MLflow said, and what to do about the two stores that are refused most."""
    first = said.strip().partition("\n")[0]
    if "MLFLOW_ALLOW_FILE_STORE" in said:
        return (
            "MLflow 3 takes no folder of files as a store any more; name sqlite:///mlflow.db or the address of a "
            "server (MLFLOW_ALLOW_FILE_STORE=true takes the folder all the same)"
        )
    if "sqlite" in first and "unsupported" in first.lower():
        return "a database as a store needs the whole of MLflow: pip install mlflow; a server's address needs no more"
    return first


def _library() -> Any:
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")  # nothing is sent that nobody asked for
    try:
        import mlflow  # noqa: PLC0415 - an extra
    except ImportError as error:
        message = "export --to mlflow needs MLflow: pip install 'turnmark[mlflow]'"
        raise MissingExtraError(message) from error
    return mlflow
