"""Makes the static embeddings of this folder and what their references compute: `python make_static.py`, with model2vec
(`static-model2vec`) and sentence-transformers (`static-truncated`).

A tokenizer that does not know all words, a weight for each row, short limits: what the models of ../public do not have.
"""

import json
import pathlib

import numpy as np
from model2vec import StaticModel
from sentence_transformers import SentenceTransformer
from sentence_transformers.models import StaticEmbedding
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

HERE = pathlib.Path(__file__).parent
WIDTH = 12
WORDS = "the a cat dog house river is was red blue small large and on in under of wonderful".split()
TEXTS = [
    "the cat is on the house",
    "a wonderful cat",
    "the unknown quokka is in the river",
    "quokka numbat",
    "",
    "the small red cat and the large blue dog was under the wonderful house of the river",
    "the \U0001f600 cat",
]


def tokenizer():
    vocabulary = {token: index for index, token in enumerate(["[PAD]", "[UNK]", *WORDS])}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    return made


def write(name, vectors):
    cases = [{"text": text, "output": vector.tolist()} for text, vector in zip(TEXTS, vectors, strict=True)]
    (HERE / name / "expected.json").write_text(json.dumps({"cases": cases}) + "\n")


rng = np.random.default_rng(1)
table = rng.normal(size=(len(WORDS) + 2, WIDTH)).astype(np.float32)
weights = rng.uniform(0.2, 2, size=len(table)).astype(np.float32)

model = StaticModel(table, tokenizer(), config={"normalize": False}, weights=weights, normalize=False, max_length=9)
model.save_pretrained(HERE / "static-model2vec")
(HERE / "static-model2vec/README.md").unlink(missing_ok=True)
(HERE / "static-model2vec/modules.json").unlink(missing_ok=True)
config = json.loads((HERE / "static-model2vec/config.json").read_text())
config |= {"model_type": "model2vec", "normalize": False, "max_length": 9}
(HERE / "static-model2vec/config.json").write_text(json.dumps(config) + "\n")
write("static-model2vec", StaticModel.from_pretrained(HERE / "static-model2vec").encode(TEXTS))

truncating = tokenizer()
truncating.enable_truncation(5, direction="left")
folder = HERE / "static-truncated"
module = StaticEmbedding(truncating, embedding_weights=table)
module.tokenizer.enable_truncation(5, direction="left")
(folder / "0_StaticEmbedding").mkdir(parents=True, exist_ok=True)
module.save(str(folder / "0_StaticEmbedding"))
modules = [{"idx": 0, "name": "0", "path": "0_StaticEmbedding", "type": "sentence_transformers.models.StaticEmbedding"}]
(folder / "modules.json").write_text(json.dumps(modules) + "\n")
write("static-truncated", SentenceTransformer(str(folder), device="cpu").encode(TEXTS))
