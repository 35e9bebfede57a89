import type { CompiledModel } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Encoding } from '../contracts/tokenizer.ts';
import type { LoadedModel } from './model-slot.ts';

const WIDTH = 13;
const LONGEST = 2 ** 31 - 1;

const COMPILED: CompiledModel = {
  graphPath: '',
  contentKey: 'debugengine',
  tasks: ['embed'],
  precision: 'float32',
  architecture: 'debugengine',
  inputs: [],
  outputs: [{ name: 'embedding', role: 'embedding', per: 'item', width: WIDTH, firstToken: 0, ignoredIds: [] }],
  vocabularySize: LONGEST,
  maxPositions: LONGEST,
  unreadTensors: [],
};

/** One token for each character, at least one, so that an empty text is answered too; the first id is the length. */
function encode(text: string): Encoding {
  const { length } = [...text];
  const ids = new Int32Array(Math.max(1, length)).fill(length);
  return { ids, typeIds: new Int32Array(ids.length) };
}

/**
 * A model without files, to try a client with: every vector is the number of the text's characters, thirteen times, and
 * usage counts characters.
 */
export function debugModel(): LoadedModel {
  return {
    compiled: COMPILED,
    tokenizer: {
      maxSequenceLength: LONGEST,
      encode: async (texts) => texts.map(encode),
      encodePairs: async () => {
        throw new ServiceError('capability_missing', 'debugengine has no pairs, expected texts');
      },
      encodeIds: async (ids) => ids.map((row) => ({ ids: row, typeIds: new Int32Array(row.length) })),
      tokenize: refuseVocabulary,
      decode: refuseVocabulary,
      tokenTexts: refuseVocabulary,
    },
    scheduler: {
      reserve: () => () => {},
      submit: async (items) => items.map(({ ids }) => [new Float32Array(WIDTH).fill(ids[0] ?? 0)]),
      load: () => ({ queuedItems: 0, queuedTokens: 0, runningItems: 0 }),
      failure: () => undefined,
      drain: async () => {},
    },
    prompts: new Map(),
  };
}

async function refuseVocabulary(): Promise<never> {
  throw new ServiceError('capability_missing', 'debugengine has no vocabulary, expected texts');
}
