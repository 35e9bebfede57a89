import { ServiceError } from '../../contracts/errors.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';
import { albert } from './albert.ts';
import { alibabaGte, alibabaNew } from './alibaba-new.ts';
import type { Architecture } from './architecture.ts';
import { bert } from './bert.ts';
import { camembert } from './camembert.ts';
import { debertaV2 } from './deberta-v2.ts';
import { distilbert } from './distilbert.ts';
import { electra } from './electra.ts';
import { ernie } from './ernie.ts';
import { gemma2 } from './gemma2.ts';
import { gemma3Text } from './gemma3-text.ts';
import { jinaBert } from './jina-bert.ts';
import { llama } from './llama.ts';
import { mistral } from './mistral.ts';
import { modernBert } from './modernbert.ts';
import { mpnet } from './mpnet.ts';
import { nomicBert } from './nomic-bert.ts';
import { qwen2 } from './qwen2.ts';
import { qwen3 } from './qwen3.ts';
import { roberta } from './roberta.ts';
import { t5 } from './t5.ts';
import { xlmRoberta } from './xlm-roberta.ts';
import { xlmRobertaFlash } from './xlm-roberta-flash.ts';

/** One line for each family. */
export const ARCHITECTURES: readonly Architecture[] = [
  bert,
  jinaBert,
  t5,
  roberta,
  xlmRoberta,
  xlmRobertaFlash,
  camembert,
  distilbert,
  mpnet,
  albert,
  electra,
  ernie,
  gemma2,
  gemma3Text,
  llama,
  mistral,
  qwen2,
  qwen3,
  debertaV2,
  modernBert,
  nomicBert,
  alibabaNew,
  alibabaGte,
];

/** What else in the folder could be served: `model.onnx` is taken unasked, others by their name alone. */
function onnxHint({ files }: ModelFolder): string {
  const [first, ...others] = files.filter((name) => name.endsWith('.onnx'));
  if (first === undefined) return '';
  const plain = files.find((name) => /(?:^|\/)model\.onnx$/.test(name));
  const holds = '; its folder also holds ';
  if (plain !== undefined) return `${holds}${plain}, which --engine optimum serves`;
  const [more, them] = others.length === 0 ? ['', 'it'] : [' and others', 'one'];
  return `${holds}${first}${more}, which --engine optimum serves if --onnx-file names ${them}`;
}

/**
 * Finds the family of a model by `model_type` and, where several share one, by what the families accept. Throws
 * `unsupported_architecture` with a list of those supported.
 */
export function findArchitecture(folder: ModelFolder): Architecture {
  const modelType = folder.config.model_type;
  const named = ARCHITECTURES.filter((architecture) => architecture.modelType === modelType);
  const found =
    named.find((architecture) => architecture.accepts?.(folder.config)) ??
    named.find((architecture) => architecture.accepts === undefined);
  if (found !== undefined) return found;
  const modelTypes = [...new Set(ARCHITECTURES.map((architecture) => architecture.modelType))];
  const supported = modelTypes.map((each) => `'${each}'`).join(', ');
  const actual = modelType === undefined ? 'nothing' : JSON.stringify(modelType).replaceAll('"', "'");
  throw new ServiceError(
    'unsupported_architecture',
    `model '${folder.id}': model_type is ${actual}, expected one of ${supported}${onnxHint(folder)}`,
  );
}
