import { ServiceError } from '../../contracts/errors.ts';
import { DATA_TYPE } from '../../formats/onnx/data-types.ts';
import type { FileValue } from '../../formats/onnx/onnx-file.ts';
import type { TextInputs } from '../architectures/architecture.ts';
import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { lengthOf } from '../layers/sequence-length.ts';

type MakeInput = (g: GraphBuilder, inputs: TextInputs) => Value;

/** int64 `[batch, sequence]`, as wide as the ids. */
function everywhere(g: GraphBuilder, ids: Value, value: Value): Value {
  const shape = g.node('Shape', [ids], { dims: [2] });
  return g.node('Expand', [value, shape], { dims: ids.dims });
}

function positions(g: GraphBuilder, ids: Value): Value {
  const limits = [g.integers([0]), lengthOf(g, ids), g.integers([1])];
  const row = g.node(
    'Range',
    limits.map((limit) => g.node('Squeeze', [limit], { dims: [] })),
    { dims: ['sequence'] },
  );
  return everywhere(g, ids, row);
}

/** Inputs that a text model's graph may have, by name. A run holds sequences of one length: every token counts. */
const INPUTS: ReadonlyMap<string, MakeInput> = new Map<string, MakeInput>([
  ['input_ids', (_g, { ids }) => ids],
  ['attention_mask', (g, { ids }) => everywhere(g, ids, g.integers([1]))],
  ['token_type_ids', (g, { ids, typeIds }) => typeIds ?? everywhere(g, ids, g.integers([0]))],
  ['position_ids', (g, { ids }) => positions(g, ids)],
]);

const NUMBER_TYPES: readonly number[] = [DATA_TYPE.INT64, DATA_TYPE.INT32, DATA_TYPE.FLOAT];

function refusal(fileName: string, actual: string, expected: string): ServiceError {
  return new ServiceError('unsupported_architecture', `${fileName}: ${actual}, expected ${expected}`);
}

/**
 * Makes each input that the file asks for, in its type. Returns which of our values is which of the file's inputs. Throws
 * `unsupported_architecture` for an input of another name or shape.
 */
export function makeFileInputs(
  g: GraphBuilder,
  inputs: TextInputs,
  wanted: readonly FileValue[],
  fileName: string,
): ReadonlyMap<string, string> {
  const ties = new Map<string, string>();
  if (!wanted.some(({ name }) => name === 'input_ids')) {
    const names = wanted.map(({ name }) => name).join(', ');
    throw refusal(fileName, `the graph's inputs are ${names.slice(0, 300)}`, "one that is called 'input_ids'");
  }
  for (const { name, dataType, dims } of wanted) {
    const make = INPUTS.get(name);
    if (make === undefined) {
      throw refusal(fileName, `the graph has an input '${name.slice(0, 100)}'`, [...INPUTS.keys()].join(', '));
    }
    if (dims !== undefined && (dims.length !== 2 || dims.some((size) => typeof size === 'number' && size > 0))) {
      throw refusal(fileName, `input '${name}' has shape [${dims.join(', ')}]`, 'any batch and sequence');
    }
    if (!NUMBER_TYPES.includes(dataType)) {
      throw refusal(fileName, `input '${name}' has data type ${dataType}`, NUMBER_TYPES.join(' or '));
    }
    const value = g.node('Cast', [make(g, inputs)], { attributes: { to: { int: dataType } } });
    ties.set(value.name, name);
  }
  return ties;
}
