"""Makes the models of this folder and what the reference computes for them: `python make.py`, with torch and transformers.

Tiny models with random weights and configs that the models of ../public do not have.
"""

import json
import pathlib

import torch
import transformers as t

HERE = pathlib.Path(__file__).parent
VOCABULARY = 60
SIZES = {
    "vocab_size": VOCABULARY,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 24,
    "max_position_embeddings": 50,
    "num_labels": 3,
}

SPLADE = [
    ("", "sentence_transformers.sparse_encoder.models.MLMTransformer", None),
    (
        "1_SpladePooling",
        "sentence_transformers.sparse_encoder.models.SpladePooling",
        {"pooling_strategy": "max", "activation_function": "relu"},
    ),
]


def randomise(model):
    """Large weights, and norms that are not the identity: a mistake anywhere shows in the logits."""
    for name, parameter in model.named_parameters():
        scale = 0.4 if parameter.dim() > 1 else 0.3
        is_gain = "norm" in name.lower() and name.endswith("weight")
        parameter.copy_(torch.randn_like(parameter) * scale + (1 if is_gain else 0))


def case(model, length, types, pad):
    ids = torch.randint(8, VOCABULARY, (1, length))
    if pad is not None and length > 4:
        ids[0, 3] = ids[0, length - 2] = pad
    type_ids = torch.randint(0, types, (1, length))
    inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    if types > 1:
        inputs["token_type_ids"] = type_ids
    logits = model(**inputs).logits
    if logits.dim() == 3:  # SPLADE
        logits = torch.log1p(torch.relu(logits)).max(dim=1).values
    return {"ids": ids[0].tolist(), "type_ids": type_ids[0].tolist(), "output": logits[0].tolist()}


@torch.no_grad()
def make(name, model_class, config, *, longest, types=1, pad=None, renamed=None, modules=()):
    torch.manual_seed(len(name))
    model = model_class(config).eval()
    randomise(model)
    folder = HERE / name
    model.save_pretrained(folder)
    written = json.loads((folder / "config.json").read_text())
    for old, new in (renamed or {}).items():
        written[new] = written.pop(old)
    names = ["input_ids", "attention_mask"] + (["token_type_ids"] if types > 1 else [])
    cases = [case(model, length, types, pad) for length in (1, 2, 9, longest)]
    for file_name, content in (
        ("config.json", written),
        ("tokenizer_config.json", {"model_input_names": names}),
        ("expected.json", {"library": {"torch": torch.__version__, "transformers": t.__version__}, "cases": cases}),
    ):
        (folder / file_name).write_text(json.dumps(content) + "\n")
    if modules:
        rows = [{"idx": i, "name": str(i), "path": p, "type": t} for i, (p, t, _) in enumerate(modules)]
        (folder / "modules.json").write_text(json.dumps(rows) + "\n")
    for path, _, module_config in modules:
        if path:
            (folder / path).mkdir(exist_ok=True)
            (folder / path / "config.json").write_text(json.dumps(module_config) + "\n")


# A pad id that is not 1, types, another activation and epsilon.
make(
    "roberta",
    t.RobertaForSequenceClassification,
    t.RobertaConfig(**SIZES, type_vocab_size=2, pad_token_id=3, hidden_act="relu", layer_norm_eps=1e-3),
    longest=46,
    types=2,
    pad=3,
)
# Fields under their second names; a table of positions that is read although the config calls it sinusoidal.
make(
    "distilbert",
    t.DistilBertForSequenceClassification,
    t.DistilBertConfig(
        vocab_size=VOCABULARY,
        dim=16,
        n_layers=2,
        n_heads=2,
        hidden_dim=24,
        max_position_embeddings=50,
        sinusoidal_pos_embds=True,
        activation="relu",
        num_labels=3,
    ),
    longest=50,
    renamed={"dim": "hidden_size", "n_layers": "num_hidden_layers", "n_heads": "num_attention_heads"},
)
# More buckets than the reference uses, a pad id that it does not follow, distances beyond the last bucket.
make(
    "mpnet",
    t.MPNetForSequenceClassification,
    t.MPNetConfig(
        **{**SIZES, "max_position_embeddings": 202},
        relative_attention_num_buckets=40,
        pad_token_id=5,
        hidden_act="relu",
    ),
    longest=200,
    pad=1,
)
# Groups that do not divide the layers, several layers in a group, embeddings as wide as the layers.
make(
    "albert",
    t.AlbertForSequenceClassification,
    t.AlbertConfig(
        **{**SIZES, "num_hidden_layers": 5},
        embedding_size=16,
        num_hidden_groups=2,
        inner_group_num=2,
        type_vocab_size=2,
        layer_norm_eps=1e-3,
    ),
    longest=50,
    types=2,
)
# Embeddings as wide as the layers, a head whose activation is not that of the layers.
make(
    "electra",
    t.ElectraForSequenceClassification,
    t.ElectraConfig(**SIZES, embedding_size=16, type_vocab_size=2, hidden_act="relu", summary_activation="tanh"),
    longest=50,
    types=2,
)
# The head always uses gelu, and its matrix is the embeddings.
make(
    "roberta-splade",
    t.RobertaForMaskedLM,
    t.RobertaConfig(**SIZES, type_vocab_size=1, pad_token_id=0, hidden_act="relu"),
    longest=49,
    pad=0,
    modules=SPLADE,
)
# Heads over narrow embeddings; matrices and biases of their own, and none.
make(
    "albert-splade",
    t.AlbertForMaskedLM,
    t.AlbertConfig(**SIZES, embedding_size=12, hidden_act="relu"),
    longest=50,
    types=2,
    modules=SPLADE,
)
make(
    "electra-splade",
    t.ElectraForMaskedLM,
    t.ElectraConfig(**SIZES, embedding_size=12, hidden_act="relu", tie_word_embeddings=False),
    longest=50,
    types=2,
    modules=SPLADE,
)
make(
    "mpnet-splade",
    t.MPNetForMaskedLM,
    t.MPNetConfig(**SIZES, pad_token_id=1, hidden_act="relu"),
    longest=48,
    pad=1,
    modules=SPLADE,
)
MODERNBERT = t.ModernBertConfig(
    **SIZES,
    pad_token_id=0,
    local_attention=6,
    classifier_bias=True,
    classifier_activation="silu",
    decoder_bias=False,
    attn_implementation="eager",
    reference_compile=False,
)
make("modernbert-splade", t.ModernBertForMaskedLM, MODERNBERT, longest=50, modules=SPLADE)
# Every token has a task, which no tokenizer chooses; more token types than two.
make(
    "ernie",
    t.ErnieForSequenceClassification,
    t.ErnieConfig(**SIZES, type_vocab_size=4, use_task_id=True, task_type_vocab_size=5, hidden_act="relu"),
    longest=50,
    types=4,
)
make("ernie-splade", t.ErnieForMaskedLM, t.ErnieConfig(**SIZES, type_vocab_size=2), longest=50, types=2, modules=SPLADE)
# The first token alone is asked for, in a last layer that sees near tokens only.
make("modernbert-first", t.ModernBertForSequenceClassification, MODERNBERT, longest=50)
