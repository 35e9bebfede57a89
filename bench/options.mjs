import { parseArgs } from 'node:util';

export const USAGE = `infinity bench [options], in a clone npm run bench -- [options]

What is measured:
  --task LIST          embed, rerank                                   (embed,rerank)
  --lengths LIST       tokens of a text or a pair; 'mixed': a log-normal of lengths, median 40 words, up to 400
                       (16,128,mixed; the whole range: 8,16,32,128,512,mixed)
  --concurrency LIST   clients that send one request after the other   (1,32; the whole range: 1,8,32,128)
  --texts LIST         texts in an embedding request                   (1,32)
  --documents N        documents in a rerank request                   (50)
  --encoding NAME      float or base64 vectors                         (float)
How long:
  --seconds N          of one round on one server                      (2)
  --rounds N           the servers alternate: A B A B ...              (3)
  --longest N          a cell is left out when the first replies to all its clients would take longer, in seconds (10)
  --seed N             of the texts                                    (1)
Our server:
  --dtype NAME         precision, as the server's own flag             (float32)
  --embed-model ID     (BAAI/bge-small-en-v1.5)
  --rerank-model ID    (cross-encoder/ms-marco-MiniLM-L-12-v2)
  --no-limit           leaves out the bare ONNX Runtime runs of the same ids
A peer beside it:
  --url URL            base of its routes /embeddings, /rerank, /models
  --model NAME         its model                                       (the same ids as ours)
  --api-key KEY
  --name NAME          in the table                                    (peer)
  --command COMMAND    starts it; its time to ready and its memory are then measured too
  --alone              measures only the server at --url
Results:
  --out FOLDER         results.json and chart.svg                      (bench-results)
`;

const TASKS = /** @type {const} */ (['embed', 'rerank']);
const ENCODINGS = /** @type {const} */ (['float', 'base64']);

/** @param {readonly string[]} argv */
export function parseOptions(argv) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      task: { type: 'string', default: 'embed,rerank' },
      lengths: { type: 'string', default: '16,128,mixed' },
      concurrency: { type: 'string', default: '1,32' },
      texts: { type: 'string', default: '1,32' },
      documents: { type: 'string', default: '50' },
      encoding: { type: 'string', default: 'float' },
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '3' },
      longest: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
      dtype: { type: 'string', default: 'float32' },
      'embed-model': { type: 'string', default: 'BAAI/bge-small-en-v1.5' },
      'rerank-model': { type: 'string', default: 'cross-encoder/ms-marco-MiniLM-L-12-v2' },
      'no-limit': { type: 'boolean', default: false },
      url: { type: 'string' },
      model: { type: 'string' },
      'api-key': { type: 'string' },
      name: { type: 'string', default: 'peer' },
      command: { type: 'string' },
      alone: { type: 'boolean', default: false },
      out: { type: 'string', default: 'bench-results' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.url === undefined && (values.alone || values.command !== undefined)) {
    throw new Error(`--${values.alone ? 'alone' : 'command'} needs --url`);
  }
  return {
    help: values.help,
    tasks: list(values.task, (part) => oneOf(TASKS, part, '--task')),
    lengths: list(values.lengths, (part) =>
      part === 'mixed' ? /** @type {const} */ ('mixed') : number(part, '--lengths', 5, 512),
    ),
    concurrency: list(values.concurrency, (part) => number(part, '--concurrency', 1)),
    texts: list(values.texts, (part) => number(part, '--texts', 1)),
    documents: number(values.documents, '--documents', 1),
    encoding: oneOf(ENCODINGS, values.encoding, '--encoding'),
    seconds: number(values.seconds, '--seconds', 0),
    rounds: number(values.rounds, '--rounds', 1),
    longestSeconds: number(values.longest, '--longest', 0),
    seed: number(values.seed, '--seed', 0),
    dtype: values.dtype,
    models: { embed: values['embed-model'], rerank: values['rerank-model'] },
    limit: !values['no-limit'] && !values.alone,
    own: !values.alone,
    peer:
      values.url === undefined
        ? undefined
        : {
            name: values.name,
            url: values.url.replace(/\/+$/, ''),
            model: values.model,
            apiKey: values['api-key'],
            command: values.command,
          },
    out: values.out,
  };
}

/** @typedef {ReturnType<typeof parseOptions>} Options */

/**
 * @template T
 * @param {string} value
 * @param {(part: string) => T} read
 */
function list(value, read) {
  return value.split(',').map((part) => read(part.trim()));
}

/**
 * @template {string} T
 * @param {readonly T[]} choices
 * @param {string} value
 * @param {string} option
 */
function oneOf(choices, value, option) {
  const choice = choices.find((name) => name === value);
  if (choice === undefined) throw new Error(`${option}: expected ${choices.join(' or ')}, got '${value}'`);
  return choice;
}

/**
 * @param {string} value
 * @param {string} option
 * @param {number} least
 * @param {number} [most]
 */
function number(value, option, least, most = Number.MAX_SAFE_INTEGER) {
  const parsed = Number(value);
  if (value.trim() === '' || !(parsed >= least && parsed <= most)) {
    throw new Error(`${option}: expected a number from ${least}${most < 1e9 ? ` to ${most}` : ''}, got '${value}'`);
  }
  return parsed;
}
