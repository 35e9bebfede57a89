"""Users' Python clients against real servers, with the settings that their users have: the defaults.

Run by run.mjs, which starts the servers: PLAIN_URL has no key, KEY_URL asks for KEY and reads token ids as cl100k_base.
"""

import json
import math
import os
import sys
import unittest

PLAIN_URL = os.environ["PLAIN_URL"]
KEY_URL = os.environ["KEY_URL"]
KEY = os.environ["KEY"]
EMBEDDER = "BAAI/bge-small-en-v1.5"
RERANKER = "cross-encoder/ms-marco-MiniLM-L-12-v2"
DIMENSIONS = 384

TEXT = "A man is eating food."
QUERY = "What is a panda?"
DOCUMENTS = ["Paris is the capital of France.", "The giant panda is a bear native to China."]
BEST = 1


def reference(texts=(TEXT,), **fields):
    """The vectors as a plain request gives them."""
    import httpx

    body = {"model": EMBEDDER, "input": list(texts), **fields}
    reply = httpx.post(f"{PLAIN_URL}/v1/embeddings", json=body, timeout=60)
    reply.raise_for_status()
    return [row["embedding"] for row in reply.json()["data"]]


class ClientTest(unittest.TestCase):
    def assert_vector(self, vector, expected=None):
        expected = expected if expected is not None else reference()[0]
        vector = [float(number) for number in vector]
        self.assertEqual(len(vector), len(expected))
        self.assertLess(max(abs(a - b) for a, b in zip(vector, expected)), 1e-5)

    def assert_similar(self, vector, expected=None):
        """The same text again, perhaps with another blank."""
        expected = expected if expected is not None else reference()[0]
        self.assertGreater(sum(a * b for a, b in zip(vector, expected)), 0.9999)


class OpenAI(ClientTest):
    def setUp(self):
        import openai

        self.openai = openai
        self.client = openai.OpenAI(base_url=f"{KEY_URL}/v1", api_key=KEY, max_retries=0)
        self.plain = openai.OpenAI(base_url=f"{PLAIN_URL}/v1", api_key="none", max_retries=0)

    def test_default_is_base64(self):
        reply = self.client.embeddings.create(model=EMBEDDER, input=TEXT)
        self.assert_vector(reply.data[0].embedding)
        self.assertEqual(reply.usage.total_tokens, 8)
        self.assertEqual(reply.data[0].index, 0)

    def test_floats(self):
        reply = self.client.embeddings.create(model=EMBEDDER, input=[TEXT, "x"], encoding_format="float")
        self.assert_vector(reply.data[0].embedding)
        self.assertEqual(len(reply.data), 2)

    def test_dimensions(self):
        (vector,) = [row.embedding for row in self.client.embeddings.create(model=EMBEDDER, input=TEXT, dimensions=64).data]
        self.assertEqual(len(vector), 64)
        self.assertAlmostEqual(math.hypot(*vector), 1, places=5)

    def test_token_ids_of_the_model(self):
        import httpx

        tokens = httpx.post(f"{PLAIN_URL}/tokenize", json={"inputs": TEXT}).json()[0]
        ids = [token["id"] for token in tokens]
        one = self.plain.embeddings.create(model=EMBEDDER, input=ids)
        many = self.plain.embeddings.create(model=EMBEDDER, input=[ids, ids[:4]])
        self.assert_vector(one.data[0].embedding)
        self.assert_vector(many.data[0].embedding)

    def test_a_token_id_outside_the_vocabulary(self):
        with self.assertRaises(self.openai.BadRequestError) as raised:
            self.plain.embeddings.create(model=EMBEDDER, input=[[101, 99999]])
        self.assertIn("99999", str(raised.exception))

    def test_models(self):
        self.assertEqual([model.id for model in self.client.models.list()], [EMBEDDER, RERANKER])
        self.assertEqual(self.client.models.retrieve(EMBEDDER).id, EMBEDDER)

    def test_a_wrong_key(self):
        with self.assertRaises(self.openai.AuthenticationError):
            self.client.with_options(api_key="wrong").models.list()

    def test_an_unknown_model(self):
        with self.assertRaises(self.openai.NotFoundError) as raised:
            self.client.embeddings.create(model="nobody/nothing", input="x")
        self.assertEqual(raised.exception.code, "model_not_found")


class LangChain(ClientTest):
    def openai_embeddings(self, **options):
        from langchain_openai import OpenAIEmbeddings

        return OpenAIEmbeddings(model=EMBEDDER, base_url=f"{KEY_URL}/v1", api_key=KEY, **options)

    def test_openai_embeddings_that_send_text(self):
        self.assert_vector(self.openai_embeddings(check_embedding_ctx_length=False).embed_query(TEXT))

    def test_openai_embeddings_that_send_cl100k_ids(self):
        # Its default, for a model whose name it does not know.
        embeddings = self.openai_embeddings()
        self.assert_vector(embeddings.embed_query(TEXT))
        self.assert_vector(embeddings.embed_documents([TEXT, "x"])[0])

    def test_infinity_embeddings(self):
        from langchain_community.embeddings import InfinityEmbeddings

        embeddings = InfinityEmbeddings(model=EMBEDDER, infinity_api_url=PLAIN_URL)
        vectors = embeddings.embed_documents([TEXT, "x"])
        self.assert_vector(vectors[0])
        self.assert_vector(embeddings.embed_query(TEXT))

    def test_infinity_rerank(self):
        from infinity_client import Client
        from langchain_community.document_compressors.infinity_rerank import InfinityRerank

        rerank = InfinityRerank(client=Client(base_url=PLAIN_URL), model=RERANKER)
        results = rerank.rerank(DOCUMENTS, QUERY)
        self.assertEqual([result["index"] for result in results], [BEST, 1 - BEST])

    def test_jina_rerank(self):
        from langchain_community.document_compressors import jina_rerank

        jina_rerank.JINA_API_URL = f"{KEY_URL}/v1/rerank"
        rerank = jina_rerank.JinaRerank(model=RERANKER, jina_api_key=KEY)
        results = rerank.rerank(DOCUMENTS, QUERY)
        self.assertEqual(results[0]["index"], BEST)
        self.assertGreater(results[0]["relevance_score"], results[1]["relevance_score"])


class LlamaIndex(ClientTest):
    def test_openai_like(self):
        from llama_index.embeddings.openai_like import OpenAILikeEmbedding

        embedding = OpenAILikeEmbedding(model_name=EMBEDDER, api_base=f"{KEY_URL}/v1", api_key=KEY)
        self.assert_vector(embedding.get_text_embedding(TEXT))
        self.assertEqual(len(embedding.get_text_embedding_batch([TEXT] * 33)), 33)

    def test_text_embeddings_inference(self):
        from llama_index.embeddings.text_embeddings_inference import TextEmbeddingsInference

        embedding = TextEmbeddingsInference(model_name=EMBEDDER, base_url=PLAIN_URL, text_instruction="", query_instruction="")
        self.assert_similar(embedding.get_text_embedding(TEXT))
        self.assertEqual(len(embedding.get_text_embedding_batch([TEXT] * 40)), 40)

    def test_tei_rerank(self):
        from llama_index.core.schema import NodeWithScore, TextNode
        from llama_index.postprocessor.tei_rerank import TextEmbeddingInference

        nodes = [NodeWithScore(node=TextNode(text=text), score=0.5) for text in DOCUMENTS]
        ranked = TextEmbeddingInference(base_url=PLAIN_URL, top_n=1).postprocess_nodes(nodes, query_str=QUERY)
        self.assertEqual([node.node.text for node in ranked], [DOCUMENTS[BEST]])


class Haystack(ClientTest):
    def test_text_embedder(self):
        from haystack_integrations.components.embedders.huggingface_api import HuggingFaceAPITextEmbedder

        embedder = HuggingFaceAPITextEmbedder(
            api_type="text_embeddings_inference", api_params={"url": f"{PLAIN_URL}/embed"}, token=None
        )
        self.assert_vector(embedder.run(text=TEXT)["embedding"])

    def test_document_embedder(self):
        from haystack import Document
        from haystack_integrations.components.embedders.huggingface_api import HuggingFaceAPIDocumentEmbedder

        embedder = HuggingFaceAPIDocumentEmbedder(
            api_type="text_embeddings_inference", api_params={"url": f"{PLAIN_URL}/embed"}, token=None
        )
        documents = embedder.run(documents=[Document(content=TEXT)] * 33)["documents"]
        self.assertEqual(len(documents), 33)
        self.assert_vector(documents[0].embedding)

    def test_ranker(self):
        from haystack import Document
        from haystack_integrations.components.rankers.huggingface_api import HuggingFaceTEIRanker

        documents = [Document(content=text) for text in DOCUMENTS]
        ranked = HuggingFaceTEIRanker(url=PLAIN_URL, token=None).run(query=QUERY, documents=documents)["documents"]
        self.assertEqual(ranked[0].content, DOCUMENTS[BEST])


class InfinityClient(ClientTest):
    def setUp(self):
        from infinity_client import Client

        self.client = Client(base_url=PLAIN_URL, raise_on_unexpected_status=True)

    def test_embeddings(self):
        from infinity_client.api.default import embeddings
        from infinity_client.models import OpenAIEmbeddingInputText

        reply = embeddings.sync(client=self.client, body=OpenAIEmbeddingInputText(input_=[TEXT], model=EMBEDDER))
        self.assert_vector(reply.data[0].embedding)

    def test_rerank_with_documents(self):
        from infinity_client.api.default import rerank
        from infinity_client.models import RerankInput

        body = RerankInput(query=QUERY, documents=DOCUMENTS, model=RERANKER, return_documents=True)
        results = rerank.sync(client=self.client, body=body).results
        self.assertEqual([result.document for result in results], [DOCUMENTS[BEST], DOCUMENTS[1 - BEST]])

    def test_models_and_health(self):
        from infinity_client.api.default import health, models

        self.assertEqual([model.id for model in models.sync(client=self.client).data], [EMBEDDER, RERANKER])
        self.assertGreater(health.sync(client=self.client)["unix"], 0)


class Cohere(ClientTest):
    def setUp(self):
        import cohere

        self.v1 = cohere.Client(api_key=KEY, base_url=KEY_URL)
        self.v2 = cohere.ClientV2(api_key=KEY, base_url=KEY_URL)

    def test_rerank_v1_with_documents(self):
        reply = self.v1.rerank(
            model=RERANKER, query=QUERY, documents=[{"text": text} for text in DOCUMENTS], return_documents=True
        )
        self.assertEqual(reply.results[0].document.text, DOCUMENTS[BEST])
        self.assertEqual(reply.results[0].index, BEST)

    def test_rerank_v2(self):
        reply = self.v2.rerank(model=RERANKER, query=QUERY, documents=DOCUMENTS, top_n=1)
        self.assertEqual([result.index for result in reply.results], [BEST])

    def test_embed_v1(self):
        reply = self.v1.embed(model=EMBEDDER, texts=[TEXT], input_type="search_document")
        floats = reply.embeddings if isinstance(reply.embeddings, list) else reply.embeddings.float_
        self.assert_vector(floats[0])

    def test_embed_v2_in_several_types(self):
        reply = self.v2.embed(
            model=EMBEDDER, texts=[TEXT], input_type="search_query", embedding_types=["float", "int8", "ubinary"]
        )
        self.assert_vector(reply.embeddings.float_[0])
        self.assertEqual(len(reply.embeddings.int8[0]), DIMENSIONS)
        self.assertEqual(len(reply.embeddings.ubinary[0]), DIMENSIONS // 8)

    def test_a_wrong_key(self):
        import cohere

        with self.assertRaises(cohere.errors.UnauthorizedError):
            cohere.ClientV2(api_key="wrong", base_url=KEY_URL).rerank(model=RERANKER, query=QUERY, documents=DOCUMENTS)


class HuggingFaceHub(ClientTest):
    def client(self, route):
        from huggingface_hub import InferenceClient

        return InferenceClient(model=f"{PLAIN_URL}{route}")

    def test_feature_extraction(self):
        self.assert_vector(self.client("/embed").feature_extraction(TEXT, normalize=True, truncate=True)[0])

    def test_sentence_similarity(self):
        scores = self.client("/similarity").sentence_similarity(TEXT, other_sentences=[TEXT, "The market fell."])
        self.assertAlmostEqual(scores[0], 1, places=5)
        self.assertLess(scores[1], 0.9)


class LiteLLM(ClientTest):
    def test_openai_embedding(self):
        import litellm

        reply = litellm.embedding(model=f"openai/{EMBEDDER}", input=[TEXT], api_base=f"{KEY_URL}/v1", api_key=KEY)
        self.assert_vector(reply.data[0]["embedding"])

    def test_infinity_embedding(self):
        import litellm

        reply = litellm.embedding(model=f"infinity/{EMBEDDER}", input=[TEXT], api_base=KEY_URL, api_key=KEY)
        self.assert_vector(reply.data[0]["embedding"])

    def rerank(self, provider, base, **options):
        import litellm

        return litellm.rerank(
            model=f"{provider}/{RERANKER}", query=QUERY, documents=DOCUMENTS, api_base=base, api_key=KEY, **options
        ).results

    def test_infinity_rerank(self):
        self.assertEqual(self.rerank("infinity", KEY_URL)[0]["index"], BEST)

    def test_infinity_rerank_with_documents(self):
        result = self.rerank("infinity", KEY_URL, return_documents=True)[0]
        self.assertEqual(result["document"]["text"], DOCUMENTS[BEST])

    def test_hosted_vllm_rerank_with_documents(self):
        result = self.rerank("hosted_vllm", f"{KEY_URL}/v1", return_documents=True)[0]
        self.assertEqual(result["document"]["text"], DOCUMENTS[BEST])

    def test_cohere_rerank(self):
        self.assertEqual(self.rerank("cohere", KEY_URL)[0]["index"], BEST)


if __name__ == "__main__":
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    result = unittest.TextTestRunner(verbosity=2, stream=sys.stderr).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    counts = {"passed": result.testsRun - failed - len(result.skipped), "failed": failed, "skipped": len(result.skipped)}
    print(json.dumps(counts))
    sys.exit(1 if failed else 0)
