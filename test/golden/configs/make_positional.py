"""Makes the models of ../positional-configs.test.ts: `python make_positional.py`, with torch, transformers and safetensors.

Tiny models with random weights and configs that the models of ../public do not have. Families that transformers has are
computed by it. Those whose code is on the hub only are computed here, by the formulas of that code.
"""

import json
import math
import pathlib

import safetensors.torch
import torch
import torch.nn.functional as F
import transformers as t

HERE = pathlib.Path(__file__).parent
VOCABULARY = 60
WIDTH, HEADS, LAYERS, INNER, POSITIONS = 16, 2, 3, 24, 50
EPSILON = 1e-3
LENGTHS = (1, 2, 9, 27, POSITIONS)
SIZES = {
    "vocab_size": VOCABULARY,
    "hidden_size": WIDTH,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "intermediate_size": INNER,
    "max_position_embeddings": POSITIONS,
}


def write(name, config, cases, types, library):
    folder = HERE / name
    names = ["input_ids", "attention_mask"] + (["token_type_ids"] if types > 1 else [])
    for file_name, content in (
        ("config.json", config),
        ("tokenizer_config.json", {"model_input_names": names}),
        ("expected.json", {"library": library, "cases": cases}),
    ):
        (folder / file_name).write_text(json.dumps(content) + "\n")


def inputs_of(length, types):
    return torch.randint(8, VOCABULARY, (length,)), torch.randint(0, types, (length,))


@torch.no_grad()
def by_transformers(name, model_class, config, *, types=1, renamed=None):
    """Logits where the model has them, otherwise the mean over the tokens."""
    torch.manual_seed(len(name))
    model = model_class(config).eval()
    for key, parameter in model.named_parameters():
        is_gain = "norm" in key.lower() and key.endswith("weight")
        parameter.copy_(torch.randn_like(parameter) * (0.4 if parameter.dim() > 1 else 0.3) + (1 if is_gain else 0))
    model.save_pretrained(HERE / name)
    cases = []
    for length in LENGTHS:
        ids, type_ids = inputs_of(length, types)
        inputs = {"input_ids": ids[None], "attention_mask": torch.ones_like(ids[None])}
        if types > 1:
            inputs["token_type_ids"] = type_ids[None]
        result = model(**inputs)
        output = result.logits[0] if "logits" in result else result.last_hidden_state[0].mean(0)
        cases.append({"ids": ids.tolist(), "type_ids": type_ids.tolist(), "output": output.tolist()})
    written = {**json.loads((HERE / name / "config.json").read_text()), **(renamed or {})}
    write(name, written, cases, types, {"torch": torch.__version__, "transformers": t.__version__})


class Weights(dict):
    """Makes a tensor where it is first read."""

    def matrix(self, name, *shape):
        return self.setdefault(f"{name}", torch.randn(*shape) * 0.4)

    def linear(self, x, name, out, bias=True):
        product = x @ self.matrix(f"{name}.weight", out, x.shape[-1]).T
        return product + self.matrix(f"{name}.bias", out) if bias else product

    def norm(self, x, name, rms=False):
        gain = self.setdefault(f"{name}.weight", torch.rand(x.shape[-1]) + 0.5)
        if rms:
            return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + EPSILON) * gain
        return F.layer_norm(x, (x.shape[-1],), gain, self.matrix(f"{name}.bias", x.shape[-1]), EPSILON)


def turned(x, frequencies):
    """Rotary embedding of the first dimensions of `x` [tokens, heads, width], halves as pairs."""
    half = len(frequencies)
    angles = torch.outer(torch.arange(len(x)).float(), frequencies)[:, None]
    first, second, rest = x[..., :half], x[..., half : 2 * half], x[..., 2 * half :]
    return torch.cat(
        [first * angles.cos() - second * angles.sin(), second * angles.cos() + first * angles.sin(), rest], -1
    )


def frequencies_of(width, base):
    return 1.0 / (base ** (torch.arange(0, width, 2).float() / width))


def attended(query, key, value, frequencies):
    query, key, value = (x.reshape(len(x), HEADS, -1) for x in (query, key, value))
    if frequencies is not None:
        query, key = turned(query, frequencies), turned(key, frequencies)
    scores = torch.einsum("qhd,khd->hqk", query, key) / math.sqrt(WIDTH // HEADS)
    return torch.einsum("hqk,khd->qhd", scores.softmax(-1), value).reshape(len(query), -1)


def by_formulas(name, config, hidden, types=1):
    torch.manual_seed(len(name))
    weights, cases = Weights(), []
    for length in LENGTHS:
        ids, type_ids = inputs_of(length, max(types, 1))
        output = hidden(weights, ids, type_ids).mean(0)
        cases.append({"ids": ids.tolist(), "type_ids": type_ids.tolist(), "output": output.tolist()})
    (HERE / name).mkdir(exist_ok=True)
    safetensors.torch.save_file(dict(weights), HERE / name / "model.safetensors")
    write(name, config, cases, types, {"torch": torch.__version__})


def experts_of(weights, x, name, config):
    count, inner = config["num_experts"], config["n_inner"]
    routes = weights.linear(x, f"{name}.router.layer", count, bias=False).softmax(-1)
    first = weights.matrix(f"{name}.experts.mlp.w1", count * inner, WIDTH).reshape(count, inner, WIDTH)
    second = weights.matrix(f"{name}.experts.mlp.w2", count * inner, WIDTH).reshape(count, inner, WIDTH)
    chosen = torch.zeros_like(routes).scatter(-1, *reversed(routes.topk(config["moe_top_k"])))
    each = torch.stack([F.gelu(x @ first[e].T) @ second[e] for e in range(count)], -1)
    return (each * chosen[:, None]).sum(-1) + weights.matrix(f"{name}.experts.bias", WIDTH)


def nomic(name, activation, gate=None, **changes):
    config = {
        "model_type": "nomic_bert",
        "architectures": ["NomicBertModel"],
        **{"n_embd": WIDTH, "n_head": HEADS, "n_layer": LAYERS, "n_inner": INNER, "n_positions": POSITIONS},
        **{"vocab_size": VOCABULARY, "pad_vocab_size_multiple": 64, "type_vocab_size": 2, "rotary_emb_fraction": 1.0},
        **{"rotary_emb_base": 1000, "qkv_proj_bias": True, "mlp_fc1_bias": True, "mlp_fc2_bias": True},
        "layer_norm_epsilon": EPSILON,
        **changes,
    }
    types, fraction = config["type_vocab_size"], config["rotary_emb_fraction"]
    turned_width = int(WIDTH // HEADS * fraction)

    def frequencies(length):
        factor, base = config.get("rotary_scaling_factor"), config["rotary_emb_base"]
        if factor and length > config["max_trained_positions"]:
            growth = factor * length / config["max_trained_positions"] - (factor - 1)
            base = base * growth ** (turned_width / (turned_width - 2))
        return frequencies_of(turned_width, base)

    def hidden(weights, ids, type_ids):
        x = weights.matrix("embeddings.word_embeddings.weight", 64, WIDTH)[ids]
        if types:
            x = x + weights.matrix("embeddings.token_type_embeddings.weight", types, WIDTH)[type_ids]
        if not fraction:
            x = x + weights.matrix("embeddings.position_embeddings.weight", POSITIONS, WIDTH)[: len(ids)]
        x = weights.norm(x, "emb_ln")
        for index in range(LAYERS):
            layer, mlp = f"encoder.layers.{index}", f"encoder.layers.{index}.mlp"
            fused = weights.linear(x, f"{layer}.attn.Wqkv", 3 * WIDTH, config["qkv_proj_bias"]).chunk(3, -1)
            mixed = attended(*fused, frequencies(len(ids)) if fraction else None)
            mixed = weights.linear(mixed, f"{layer}.attn.out_proj", WIDTH, config["qkv_proj_bias"])
            x = weights.norm(x + mixed, f"{layer}.norm1")
            if config.get("moe_every_n_layers") and index % config["moe_every_n_layers"] == 1:
                fed = experts_of(weights, x, mlp, config)
            else:
                inner = lambda part: weights.linear(x, f"{mlp}.{part}", INNER, config["mlp_fc1_bias"])
                wide = inner("fc11") * gate(inner("fc12")) if gate else activation(inner("fc1"))
                fed = weights.linear(wide, f"{mlp}.fc2", WIDTH, config["mlp_fc2_bias"])
            x = weights.norm(x + fed, f"{layer}.norm2")
        return x

    by_formulas(name, config, hidden, types)


def new(name, activation, **changes):
    config = {
        "model_type": "new",
        "architectures": ["NewModel"],
        **SIZES,
        **{"type_vocab_size": 1, "layer_norm_eps": EPSILON, "rope_theta": 500, "pack_qkv": True},
        **{"position_embedding_type": "rope", "layer_norm_type": "layer_norm"},
        **changes,
    }
    types, rms = config["type_vocab_size"], config["layer_norm_type"] == "rms_norm"
    is_absolute = config["position_embedding_type"] == "absolute"

    def hidden(weights, ids, type_ids):
        x = weights.matrix("embeddings.word_embeddings.weight", VOCABULARY, WIDTH)[ids]
        x = x + weights.matrix("embeddings.token_type_embeddings.weight", types, WIDTH)[type_ids]
        if is_absolute:
            x = x + weights.matrix("embeddings.position_embeddings.weight", POSITIONS, WIDTH)[: len(ids)]
        x = weights.norm(x, "embeddings.LayerNorm")
        for index in range(LAYERS):
            layer = f"encoder.layer.{index}"
            if config["pack_qkv"]:
                parts = weights.linear(x, f"{layer}.attention.qkv_proj", 3 * WIDTH).chunk(3, -1)
            else:
                parts = [weights.linear(x, f"{layer}.attention.{part}_proj", WIDTH) for part in "qkv"]
            mixed = attended(*parts, None if is_absolute else frequencies_of(WIDTH // HEADS, config["rope_theta"]))
            x = weights.norm(x + weights.linear(mixed, f"{layer}.attention.o_proj", WIDTH), f"{layer}.attn_ln", rms)
            up, gate = weights.linear(x, f"{layer}.mlp.up_gate_proj", 2 * INNER, bias=False).chunk(2, -1)
            fed = weights.linear(up * activation(gate), f"{layer}.mlp.down_proj", WIDTH)
            x = weights.norm(x + fed, f"{layer}.mlp_ln", rms)
        return x

    by_formulas(name, config, hidden, types)


DEBERTA = {**SIZES, "relative_attention": True, "pooler_hidden_size": WIDTH, "num_labels": 3}
# Projections of their own for positions, types, positions in the input too, narrow embeddings, an odd number of buckets.
by_transformers(
    "deberta-own-keys",
    t.DebertaV2ForSequenceClassification,
    t.DebertaV2Config(
        **DEBERTA,
        pos_att_type=["p2c", "c2p"],
        position_buckets=7,
        max_relative_positions=20,
        embedding_size=12,
        type_vocab_size=3,
        hidden_act="relu",
        pooler_hidden_act="silu",
        layer_norm_eps=EPSILON,
    ),
    types=3,
)
# One term only, a row for every position up to a limit, no norm over them.
by_transformers(
    "deberta-c2p",
    t.DebertaV2ForSequenceClassification,
    t.DebertaV2Config(
        **DEBERTA, pos_att_type=["c2p"], max_relative_positions=10, position_biased_input=False, share_att_key=True
    ),
)
by_transformers(
    "deberta-p2c",
    t.DebertaV2ForSequenceClassification,
    t.DebertaV2Config(**DEBERTA, pos_att_type=["p2c"], position_biased_input=False, norm_rel_ebd="layer_norm"),
)
# Scaled as if there were terms of position, though there are none.
by_transformers(
    "deberta-content-only",
    t.DebertaV2ForSequenceClassification,
    t.DebertaV2Config(**{**DEBERTA, "relative_attention": False}, pos_att_type=["c2p", "p2c"]),
)
# Layers in a list, an odd window, scaled angles, every bias, the mean in the head.
by_transformers(
    "modernbert-layers",
    t.ModernBertForSequenceClassification,
    t.ModernBertConfig(
        **SIZES,
        **{"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "cls_token_id": 1, "sep_token_id": 2},
        layer_types=["sliding_attention", "full_attention", "sliding_attention"],
        rope_parameters={
            "full_attention": {"rope_type": "linear", "factor": 2.0, "rope_theta": 5000.0},
            "sliding_attention": {"rope_type": "default", "rope_theta": 300.0},
        },
        local_attention=7,
        norm_bias=True,
        attention_bias=True,
        mlp_bias=True,
        hidden_activation="relu",
        norm_eps=EPSILON,
        classifier_pooling="mean",
        classifier_bias=True,
        classifier_activation="silu",
        num_labels=3,
    ),
)
# The forms that transformers 5 has of its own.
by_transformers(
    "nomic-native",
    t.NomicBertForSequenceClassification,
    t.NomicBertConfig(**SIZES, hidden_act="gelu", layer_norm_eps=EPSILON, num_labels=3),
    types=2,
)
by_transformers(
    "gte-native",
    t.GteForSequenceClassification,
    t.GteConfig(
        **SIZES,
        type_vocab_size=0,
        hidden_act="silu",
        layer_norm_eps=EPSILON,
        num_labels=3,
        rope_parameters={"rope_type": "linear", "factor": 3.0, "rope_theta": 333.0},
    ),
)
# Half of each head is turned.
nomic("nomic-half", None, F.gelu, activation_function="geglu", rotary_emb_fraction=0.5)
# Positions in the input; gelu_new is the exact gelu all the same; biases in some layers only.
nomic("nomic-absolute", F.gelu, activation_function="gelu_new", rotary_emb_fraction=0, mlp_fc2_bias=False)
# Other angles beyond the trained length.
nomic(
    "nomic-dynamic",
    None,
    F.silu,
    activation_function="swiglu",
    rotary_scaling_factor=2,
    max_trained_positions=16,
    type_vocab_size=1,
    qkv_proj_bias=False,
)
# More experts than tokens at times, so that some have nothing to do.
nomic(
    "nomic-experts",
    F.gelu,
    activation_function="gelu",
    moe_every_n_layers=2,
    num_experts=6,
    moe_top_k=1,
    type_vocab_size=0,
)
# Query, key and value apart; types.
new("new-apart", F.relu, hidden_act="relu", pack_qkv=False, type_vocab_size=3)
# Positions in the input, another norm.
new("new-absolute", F.gelu, hidden_act="gelu", position_embedding_type="absolute", layer_norm_type="rms_norm")
