import { ServiceError } from '../../contracts/errors.ts';
import { DATA_TYPE } from '../../formats/onnx/data-types.ts';
import type { FileValue, OnnxFile } from '../../formats/onnx/onnx-file.ts';

/** What an output holds: a vector for each token, one vector for a text, or a logit for each label. */
export type FileOutputKind = 'tokens' | 'vector' | 'logits';

export interface FileOutput {
  readonly kind: FileOutputKind;
  readonly name: string;
  /** `undefined` where the file does not say. */
  readonly width: number | undefined;
}

interface OutputForm {
  readonly kind: FileOutputKind;
  readonly names: readonly string[];
  readonly rank: number;
}

/**
 * Outputs by the names that exporters give them, the wanted first: pooling by the model's own files needs the tokens.
 * `pooler_output` is none of them: no file of a model says that its vectors come from there.
 */
const EMBEDDING: readonly OutputForm[] = [
  { kind: 'tokens', names: ['last_hidden_state', 'token_embeddings'], rank: 3 },
  { kind: 'vector', names: ['sentence_embedding'], rank: 2 },
];
const CLASSIFICATION: readonly OutputForm[] = [{ kind: 'logits', names: ['logits'], rank: 2 }];

const FLOATS: readonly number[] = [DATA_TYPE.FLOAT, DATA_TYPE.FLOAT16];

function hasForm({ dims, dataType }: FileValue, { rank }: OutputForm): boolean {
  return FLOATS.includes(dataType) && (dims === undefined || dims.length === rank);
}

function describe({ name, dims, dataType }: FileValue): string {
  return `'${name.slice(0, 100)}' [${dims?.join(', ') ?? '?'}]${FLOATS.includes(dataType) ? '' : ` of data type ${dataType}`}`;
}

/**
 * The output that holds what the model's files promise. A file with a single output may call it as it likes. Throws
 * `unsupported_architecture` where there is none.
 */
export function fileOutput({ outputs }: OnnxFile, promise: 'embedding' | 'logits', fileName: string): FileOutput {
  const forms = promise === 'logits' ? CLASSIFICATION : EMBEDDING;
  const [only, ...others] = outputs;
  for (const form of forms) {
    const named = outputs.find((output) => form.names.includes(output.name) && hasForm(output, form));
    const single = others.length === 0 && isAnonymous(only) && only?.dims !== undefined && hasForm(only, form);
    const found = named ?? (single ? only : undefined);
    if (found === undefined) continue;
    const width = found.dims?.at(-1);
    return { kind: form.kind, name: found.name, width: typeof width === 'number' && width > 0 ? width : undefined };
  }
  const expected = forms.map(({ names, rank }) => `'${names.join("' or '")}' of rank ${rank}`).join(', or ');
  throw new ServiceError(
    'unsupported_architecture',
    `${fileName}: its outputs are ${outputs.map(describe).join(', ')}; the model's files promise ${expected}`,
  );
}

/** Exporters that keep no names number the outputs. */
function isAnonymous(output: FileValue | undefined): boolean {
  return output !== undefined && /^(?:output|\d+)(?:[_.]?\d+)?$/.test(output.name);
}
