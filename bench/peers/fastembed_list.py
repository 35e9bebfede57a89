import json
from pathlib import Path

from fastembed import TextEmbedding
from fastembed.common.model_description import ModelSource, PoolingType

from serve_lists import serve


def load(folder):
    config = json.loads(Path(folder, "config.json").read_text())
    TextEmbedding.add_custom_model(
        model="local",
        pooling=PoolingType.CLS,
        normalization=True,
        sources=ModelSource(hf="local"),
        dim=config["hidden_size"],
        model_file="onnx/model.onnx",
    )
    model = TextEmbedding("local", specific_model_path=folder)
    return lambda texts: list(model.embed(texts, batch_size=32))


serve(load)
