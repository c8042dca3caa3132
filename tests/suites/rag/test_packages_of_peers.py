"""What the packages themselves write: deepeval 4.3.1, ragas 0.4.3, datasets 5.2.0, pandas 3.1.1, inspect_ai 0.3.285.

They are large, and no part of the extra `dev`: each test runs where its package is installed (`pip install deepeval`,
`ragas "langchain-community<0.4"`, `inspect-ai`). The shapes that they wrote stand in `test_cases_of_peers.py` and
`test_exports_of_peers.py`, which always run.
"""

import pytest

from turnmark.pipeline.scoring.validate import check
from turnmark.suites.rag.read_cases import read_cases

CONTEXTS = ["The fee is 2%, a year.", 'It\'s paid in "May"', "费率为2%\n每年"]


def needed(name):
    return pytest.importorskip(name, reason=f"needs {name}, which is large and no part of the extra dev")


@pytest.mark.parametrize("form", ["json", "csv", "jsonl"])
def test_deepeval(tmp_path, monkeypatch, form):
    monkeypatch.setenv("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")
    monkeypatch.chdir(tmp_path)
    dataset = needed("deepeval.dataset")
    golden = dataset.Golden(
        input="Q?", actual_output="A.", expected_output="R", retrieval_context=CONTEXTS, context=["One."]
    )
    one = dataset.Golden(input="Q2?", actual_output="A.", retrieval_context=["Single."])
    path = tmp_path / f"saved.{form}"
    dataset.EvaluationDataset(goldens=[golden, one]).save_as(file_type=form, directory=str(tmp_path), file_name="saved")
    first, second = read_cases(path)
    assert (first.question, first.answer, first.ground_truth_answer) == ("Q?", "A.", "R")
    assert (first.retrieved_contexts, first.ground_truth_contexts) == (CONTEXTS, ["One."])
    assert second.retrieved_contexts == ["Single."]


@pytest.mark.parametrize("form", ["csv", "jsonl", "pandas", "hf"])
def test_ragas(tmp_path, form):
    ragas = needed("ragas")
    sample = ragas.SingleTurnSample(user_input="Q?", response="A.", retrieved_contexts=CONTEXTS, reference="R")
    dataset = ragas.EvaluationDataset(samples=[sample])
    path = tmp_path / ("saved.jsonl" if form == "jsonl" else "saved.csv")
    {
        "csv": dataset.to_csv,
        "jsonl": dataset.to_jsonl,
        "pandas": lambda target: dataset.to_pandas().to_csv(target),
        "hf": lambda target: dataset.to_hf_dataset().to_csv(target),
    }[form](path)
    (case,) = read_cases(path)
    assert (case.question, case.answer, case.ground_truth_answer) == ("Q?", "A.", "R")
    assert case.retrieved_contexts == CONTEXTS


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "pandas"])
def test_hugging_face(tmp_path, form):
    answers = {"text": ["2%", "2% a year"], "answer_start": [11, 11]}
    record = {"question": "Q?", "contexts": CONTEXTS, "context": "The fee is 2% a year.", "answers": answers}
    dataset = needed("datasets").Dataset.from_list([record])
    path = tmp_path / f"saved.{'csv' if form == 'pandas' else form}"
    {
        "csv": dataset.to_csv,
        "jsonl": dataset.to_json,
        "parquet": dataset.to_parquet,
        "pandas": lambda target: dataset.to_pandas().to_csv(target),
    }[form](path)
    (case,) = read_cases(path)
    assert (case.question, case.answer, case.ground_truth_answer) == ("Q?", None, "2%")
    assert (case.retrieved_contexts, case.ground_truth_contexts) == (CONTEXTS, ["The fee is 2% a year."])


@pytest.mark.parametrize("form", ["eval", "json"])
def test_inspect(tmp_path, monkeypatch, form):
    inspect_ai = needed("inspect_ai")
    from inspect_ai.dataset import Sample  # noqa: PLC0415 - where it is installed
    from inspect_ai.model import ModelOutput  # noqa: PLC0415
    from inspect_ai.solver import solver  # noqa: PLC0415

    @solver
    def told():  # a model's own call counts tokens by a file that it would fetch
        async def solve(state, generate):
            state.output = ModelOutput.from_content("mockllm/model", "2%。")
            return state

        return solve

    monkeypatch.chdir(tmp_path)
    sample = Sample(input="费率是多少?", target="2%", id="a", metadata={"retrieved_contexts": CONTEXTS})
    task = inspect_ai.Task(dataset=[sample], solver=told())
    inspect_ai.eval(task, model="mockllm/model", log_dir=str(tmp_path / "logs"), log_format=form, display="none")
    (path,) = (tmp_path / "logs").glob(f"*.{form}")
    (case,) = read_cases(path)
    assert (case.id, case.question, case.answer, case.ground_truth_answer) == ("a-1", "费率是多少?", "2%。", "2%")
    assert case.retrieved_contexts == CONTEXTS
    (checked,) = check(path)
    assert (checked.kind, checked.records, checked.problems) == ("cases", 1, [])
