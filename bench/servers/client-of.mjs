import { postJson } from '../drive/post-json.mjs';

/** @typedef {import('../load/workload.mjs').Request} Request */

/**
 * How a request is put to a server with OpenAI's `/embeddings` and Cohere's `/rerank`.
 *
 * @param {object} server
 * @param {string} server.url base of the routes
 * @param {string | undefined} server.apiKey
 * @param {Readonly<Record<Request['task'], string>>} server.models name of the model for each task
 * @param {'float' | 'base64'} encodingFormat
 */
export function clientOf({ url, apiKey, models }, encodingFormat) {
  /** @type {Readonly<Record<string, string>>} */
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };

  /** @param {Request} request */
  const bodyOf = ({ task, query, texts }) =>
    task === 'embed'
      ? { model: models.embed, input: texts, encoding_format: encodingFormat }
      : { model: models.rerank, query, documents: texts, return_documents: false };

  return {
    /**
     * The body is written once, before anything is measured.
     *
     * @param {Request} request
     * @returns {() => Promise<Buffer>}
     */
    prepare(request) {
      const body = Buffer.from(JSON.stringify(bodyOf(request)));
      const route = `${url}/${request.task === 'embed' ? 'embeddings' : 'rerank'}`;
      return () => postJson(route, body, headers);
    },
  };
}

/**
 * Throws unless the reply holds a result for each text: a server that answers nonsense quickly is not fast.
 *
 * @param {Request} request
 * @param {Buffer} reply
 */
export function checkReply({ task, texts }, reply) {
  const body = JSON.parse(reply.toString('utf8'));
  const results = task === 'embed' ? body.data : body.results;
  if (!Array.isArray(results) || results.length !== texts.length) {
    throw new Error(`expected ${texts.length} results, got ${String(reply.subarray(0, 200))}`);
  }
  const bad = results.find((result) =>
    task === 'embed' ? result.embedding.length === 0 : !Number.isFinite(result.relevance_score),
  );
  if (bad !== undefined) throw new Error(`unexpected result: ${JSON.stringify(bad).slice(0, 200)}`);
}
