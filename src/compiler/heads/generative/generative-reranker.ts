import { ServiceError } from '../../../contracts/errors.ts';
import type { ModelFolder, ModelModule } from '../../../contracts/model-folder.ts';
import type { PairPrompt } from '../../../contracts/pair-prompt.ts';
import { ConfigFields } from '../../config/config-fields.ts';
import type { AnswerTokens } from '../classifiers/generative-classifier.ts';
import { KNOWN_PROMPTS, type KnownPrompt, MXBAI_RERANK_V2, QWEN3_RERANKER } from './pair-prompts.ts';
import { tokenIds } from './token-ids.ts';

/** Families whose language models are known to be rerankers; others have to say so by a LogitScore module. */
const FAMILIES: readonly unknown[] = ['qwen2', 'qwen3'];

const logitScore = (folder: ModelFolder): ModelModule | undefined =>
  folder.modules.find((module) => module.type === 'LogitScore');

/**
 * Whether a model reranks by the next token of a language model: `modules.json` lists a LogitScore, or the first name in
 * `architectures` is `…ForCausalLM`, the family is one of those known for it, and there is no `modules.json` that would
 * make an embedder of it.
 */
export function isGenerativeReranker(folder: ModelFolder): boolean {
  if (folder.modules.length > 0) return logitScore(folder) !== undefined;
  const { architectures, model_type: modelType } = folder.config;
  const name: unknown = Array.isArray(architectures) ? architectures[0] : undefined;
  return typeof name === 'string' && name.endsWith('ForCausalLM') && FAMILIES.includes(modelType);
}

export interface GenerativeReranker {
  readonly tokens: AnswerTokens;
  readonly prompt: PairPrompt;
}

/** Token ids begin at 0, which ConfigFields takes for no positive number. */
function tokenId({ path, config }: ModelModule, field: string): number | undefined {
  const value = config?.[field];
  if (value === 0) return 0;
  if (value === null || value === undefined) return undefined;
  return new ConfigFields(config ?? {}, `${path}/config.json`).positiveInteger(field);
}

/** The prompt whose answers are the tokens that a LogitScore module names. */
function promptOfTokens(folder: ModelFolder, module: ModelModule): GenerativeReranker {
  const [yes, no] = [tokenId(module, 'true_token_id'), tokenId(module, 'false_token_id')];
  const found = KNOWN_PROMPTS.find((known) => {
    const [knownYes, knownNo] = tokenIds(folder, [known.yes, known.no]);
    return yes !== undefined && yes === knownYes && no === knownNo;
  });
  if (found !== undefined && yes !== undefined) return { tokens: { yes, no }, prompt: found.prompt };
  const known = KNOWN_PROMPTS.map((each) => `'${each.yes}' and '${each.no}' (${each.name})`).join(' or ');
  throw new ServiceError(
    'unsupported_architecture',
    `model '${folder.id}': ${module.path}/config.json names tokens ${yes} and ${no}, expected those of ${known}: other prompts are not known`,
  );
}

function namedPrompt({ id, config }: ModelFolder): KnownPrompt {
  const names = [id, config._name_or_path].filter((name) => typeof name === 'string');
  return names.some((name) => /mxbai-rerank/i.test(name)) ? MXBAI_RERANK_V2 : QWEN3_RERANKER;
}

/**
 * The answers and the prompt of a generative reranker. The two tokens of its LogitScore module say which prompt it was
 * trained with. Without one it is the prompt of mxbai-rerank-v2 where that is in the model's name, otherwise that of
 * Qwen3-Reranker. Throws `unsupported_architecture` where no known prompt fits.
 */
export function readGenerativeReranker(folder: ModelFolder): GenerativeReranker {
  const module = logitScore(folder);
  if (module !== undefined) return promptOfTokens(folder, module);
  const known = namedPrompt(folder);
  const [yes, no] = tokenIds(folder, [known.yes, known.no]);
  if (yes !== undefined && no !== undefined) return { tokens: { yes, no }, prompt: known.prompt };
  throw new ServiceError(
    'unsupported_architecture',
    `model '${folder.id}': a language model without modules.json is taken for a reranker, but its vocabulary has no '${known.yes}' and '${known.no}'`,
  );
}
