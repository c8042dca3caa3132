"""Tiny real models in ONNX, built here: an encoder of tokens and an inference model, each with its own tokenizer."""

import json
from pathlib import Path

import numpy as np
import onnx
import tokenizers
from onnx import TensorProto, helper, numpy_helper

WORDS = (
    *("refund", "refunds", "take", "takes", "three", "five", "days", "not", "no", "the", "a"),
    *("退", "款", "三", "五", "天", "不", "是"),
    *("환불", "사흘", "안", "됩니다", "걸립니다"),
)
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
DENIALS = ("not", "no", "不", "안")


def tokenizer():
    """Words and single ideographs; pairs get token types 0 and 1."""
    vocabulary = {word: place for place, word in enumerate((*SPECIAL, *WORDS))}
    found = tokenizers.Tokenizer(
        tokenizers.models.WordPiece(vocabulary, unk_token=SPECIAL[1], max_input_chars_per_word=50)
    )
    found.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True, strip_accents=False)
    found.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    found.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])],
    )  # fmt: skip
    return found


def _ids(*names):
    return [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in names]


def _save(folder: Path, nodes, inputs, output, constants, config):
    folder.mkdir(parents=True, exist_ok=True)
    graph = helper.make_graph(
        nodes, "tiny", inputs, [output], [numpy_helper.from_array(v, n) for n, v in constants.items()]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, str(folder / "model.onnx"))
    tokenizer().save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def encoder(folder: Path, dimensions=8, seed=1):
    """A vector a token, from a table of random numbers; what a sentence encoder gives before pooling."""
    table = np.random.default_rng(seed).normal(size=(len(SPECIAL) + len(WORDS), dimensions)).astype(np.float32)
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"], axis=0)]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "length", dimensions])
    return _save(
        folder, nodes, _ids("input_ids", "attention_mask"), output, {"table": table}, {"hidden_size": dimensions}
    )


def inference(folder: Path, labels=("contradiction", "neutral", "entailment")):
    """Bags of words: the hypothesis is entailed as far as the premise holds its words, denied where one side denies.

    Words become one-hot rows, summed by side. ``shared`` is the least of both sides' counts over the hypothesis's;
    ``denied`` the distance of the two sides' numbers of denying words. Logits: contradiction ``12·denied·shared - 4``,
    entailment ``12·shared - 8 - 12·denied``, neutral 0.
    """
    size = len(SPECIAL) + len(WORDS)
    hot = np.eye(size, dtype=np.float32)
    hot[: len(SPECIAL)] = 0.0
    hot[SPECIAL.index("[UNK]"), SPECIAL.index("[UNK]")] = 1.0
    deny = np.zeros((size, 1), np.float32)
    for word in DENIALS:
        deny[len(SPECIAL) + WORDS.index(word)] = 1.0
    content = 1.0 - deny[:, 0]
    constants = {
        "hot": hot, "deny": deny, "content": content, "tiny": np.array(1e-6, np.float32),
        "axis": np.array([1], np.int64), "last": np.array([2], np.int64), "twelve": np.array(12.0, np.float32),
        "four": np.array(4.0, np.float32), "eight": np.array(8.0, np.float32),
        "order": np.array([("contradiction", "neutral", "entailment").index(label) for label in labels], np.int64),
    }  # fmt: skip
    make = helper.make_node
    nodes = [
        make("Gather", ["hot", "input_ids"], ["rows"], axis=0),
        make("Cast", ["attention_mask"], ["there"], to=TensorProto.FLOAT),
        make("Cast", ["token_type_ids"], ["second"], to=TensorProto.FLOAT),
        make("Mul", ["there", "second"], ["second_there"]),
        make("Sub", ["there", "second_there"], ["first_there"]),
        make("Unsqueeze", ["first_there", "last"], ["first_column"]),
        make("Unsqueeze", ["second_there", "last"], ["second_column"]),
        make("Mul", ["rows", "first_column"], ["first_rows"]),
        make("Mul", ["rows", "second_column"], ["second_rows"]),
        make("ReduceSum", ["first_rows", "axis"], ["premise"], keepdims=0),
        make("ReduceSum", ["second_rows", "axis"], ["hypothesis"], keepdims=0),
        make("MatMul", ["premise", "deny"], ["premise_denials"]),
        make("MatMul", ["hypothesis", "deny"], ["hypothesis_denials"]),
        make("Sub", ["premise_denials", "hypothesis_denials"], ["difference"]),
        make("Abs", ["difference"], ["denied"]),
        make("Mul", ["premise", "content"], ["premise_content"]),
        make("Mul", ["hypothesis", "content"], ["hypothesis_content"]),
        make("Min", ["premise_content", "hypothesis_content"], ["common"]),
        make("ReduceSum", ["common", "axis"], ["common_sum"], keepdims=1),
        make("ReduceSum", ["hypothesis_content", "axis"], ["wanted_sum"], keepdims=1),
        make("Max", ["wanted_sum", "tiny"], ["wanted"]),
        make("Div", ["common_sum", "wanted"], ["shared"]),
        make("Mul", ["denied", "shared"], ["denied_shared"]),
        make("Mul", ["denied_shared", "twelve"], ["against"]),
        make("Sub", ["against", "four"], ["contradiction"]),
        make("Mul", ["shared", "twelve"], ["for"]),
        make("Sub", ["for", "eight"], ["for_less"]),
        make("Mul", ["denied", "twelve"], ["denied_twelve"]),
        make("Sub", ["for_less", "denied_twelve"], ["entailment"]),
        make("Sub", ["shared", "shared"], ["neutral"]),
        make("Concat", ["contradiction", "neutral", "entailment"], ["named"], axis=1),
        make("Gather", ["named", "order"], ["logits"], axis=1),
    ]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", len(labels)])
    config = {"id2label": {str(place): label for place, label in enumerate(labels)}, "pad_token_id": 0}
    return _save(folder, nodes, _ids("input_ids", "attention_mask", "token_type_ids"), output, constants, config)
