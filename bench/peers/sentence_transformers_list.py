from sentence_transformers import SentenceTransformer

from serve_lists import serve


def load(folder):
    model = SentenceTransformer(folder, device="cpu")
    return lambda texts: model.encode(texts, batch_size=32, show_progress_bar=False)


serve(load)
