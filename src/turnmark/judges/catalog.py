"""The judges by name."""

from __future__ import annotations

from pathlib import Path

from turnmark.encoders.catalog import make_embedder
from turnmark.errors import UsageError
from turnmark.judges.protocol import Judge
from turnmark.judges.recorded import RecordedJudge
from turnmark.judges.rules.judge import RulesJudge

SPELLINGS = ("rules", "embedding", "embedding:FOLDER", "nli:FOLDER")
"""Judges that answer whatever they are asked; ``judged`` only says again what was judged."""


def make_judge(name: str, file: Path | None = None) -> Judge:
    """A judge by name: one of `SPELLINGS`, or ``judged``. FOLDER holds a model of the user's as ONNX.

    ``file`` holds weights or limits that ``turnmark calibrate`` wrote (rules, embedding; nli) or judgements of
    ``turnmark judge`` (judged).

    Raises: UsageError naming the judges that exist, or when a file cannot be read; MissingExtraError naming the install
    line; DataError when a model is not what it should be.
    """
    kind, _, folder = name.partition(":")
    if kind == "embedding" and name != "embedding:":
        from turnmark.judges.embedding.judge import EmbeddingJudge  # noqa: PLC0415 - its encoder is an extra

        return EmbeddingJudge(file, Path(folder) if folder else None)
    if kind == "nli" and folder:
        from turnmark.judges.nli.judge import NliJudge  # noqa: PLC0415 - its model runs by an extra

        return NliJudge(Path(folder), file, leaves_open=file is not None)
    if name == "rules":
        return RulesJudge(file)
    if name != "judged":
        message = f"judge: expected one of {[*SPELLINGS, 'judged']}, found {name!r}"
        raise UsageError(message)
    if file is None:
        message = "judged: expected a file of judgements, found none; write one with turnmark judge"
        raise UsageError(message)
    return RecordedJudge(file)


def weighted_judge(name: str, weights: Path | None = None) -> RulesJudge:
    """A judge that goes by weights, with those that a fit to a user's labels starts from.

    Raises: UsageError for a judge without weights; else as `make_judge`.
    """
    kind, _, folder = name.partition(":")
    if kind == "embedding" and folder and weights is None:
        from turnmark.judges.embedding.judge import EmbeddingJudge  # noqa: PLC0415 - its encoder is an extra
        from turnmark.judges.embedding.weights import base_weights  # noqa: PLC0415 - with it

        return EmbeddingJudge(base_weights(make_embedder(Path(folder))), Path(folder))
    judge = make_judge(name, weights) if kind in {"rules", "embedding"} else None
    if not isinstance(judge, RulesJudge):
        message = f"--judge: expected one that goes by weights ({', '.join(SPELLINGS[:3])}), found {name!r}"
        raise UsageError(message)
    return judge


def judge_of_packs(name: str, packs: tuple[Path, ...]) -> Judge:
    """A judge by its bare name: folders among its packs are its model, files its weights or judgements.

    Raises: as `make_judge`; UsageError for more packs than the judge has a use for.
    """
    folders, files = [path for path in packs if path.is_dir()], [path for path in packs if not path.is_dir()]
    if name == "nli" and not folders:
        message = "nli: expected the folder of its model, found none; name it by --pack"
        raise UsageError(message)
    if len(files) > 1 or len(folders) > (name in {"embedding", "nli"}):
        message = (
            f"--pack: expected for the judge {name} at most one file of weights or judgements"
            f"{' and one folder with its model' if name in {'embedding', 'nli'} else ''}, found {list(map(str, packs))}"
        )
        raise UsageError(message)
    if name == "judged" and not files:
        message = "--pack: expected a file of judgements, found none; write one with turnmark judge"
        raise UsageError(message)
    return make_judge(f"{name}:{folders[0]}" if folders else name, files[0] if files else None)
