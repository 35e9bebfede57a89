import { ServiceError } from '../contracts/errors.ts';

/** Turns ids of a vocabulary of OpenAI's into the text that they stand for. Throws `invalid_request` for an id it has not. */
export type OpenaiTokenText = (ids: readonly number[]) => string;

/**
 * For clients that tokenize with tiktoken whatever the model is, as langchain-openai does by default. The table is part of a
 * package (1 MB) and only read when this is called.
 */
export async function openCl100kText(): Promise<OpenaiTokenText> {
  const [{ Tiktoken }, { default: ranks }] = await Promise.all([
    import('js-tiktoken/lite'),
    import('js-tiktoken/ranks/cl100k_base'),
  ]);
  const table = new Tiktoken(ranks);
  return (ids) => {
    // The table skips an id that it has not; every one that it has stands for at least one byte.
    const foreign = ids.findIndex((id) => table.decode([id]) === '');
    if (foreign === -1) return table.decode([...ids]);
    const message = `input: expected token ids of cl100k_base, got ${ids[foreign]} at position ${foreign}`;
    throw new ServiceError('invalid_request', message, { param: 'input' });
  };
}
