import { ServiceError } from '../../contracts/errors.ts';
import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';

type Activation = (g: GraphBuilder, x: Value) => Value;

const MICROSOFT = { domain: 'com.microsoft' } as const;

const gelu: Activation = (g, x) => g.node('Gelu', [x], MICROSOFT);
/** gelu_new, gelu_fast, gelu_accurate and gelu_pytorch_tanh are one formula, written in four ways. */
const tanhGelu: Activation = (g, x) => g.node('FastGelu', [x], MICROSOFT);
/** x * sigmoid(alpha x) */
const sigmoidProduct = (alpha: number): Activation => {
  return (g, x) => g.node('QuickGelu', [x], { ...MICROSOFT, attributes: { alpha: { float: alpha } } });
};
const operator = (name: string): Activation => {
  return (g, x) => g.node(name, [x]);
};

/**
 * Hugging Face's names for activation functions (`hidden_act` and the like).
 * Source: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/activations.py (ACT2FN)
 */
const ACTIVATIONS: ReadonlyMap<string, Activation> = new Map([
  ['gelu', gelu],
  ['gelu_python', gelu],
  ['gelu_accurate', tanhGelu],
  ['gelu_fast', tanhGelu],
  ['gelu_new', tanhGelu],
  ['gelu_pytorch_tanh', tanhGelu],
  ['leaky_relu', (g, x) => g.node('LeakyRelu', [x], { attributes: { alpha: { float: 0.01 } } })],
  ['linear', (_g, x) => x],
  ['mish', (g, x) => g.node('Mul', [x, g.node('Tanh', [g.node('Softplus', [x])])])],
  ['quick_gelu', sigmoidProduct(1.702)],
  ['relu', operator('Relu')],
  ['sigmoid', operator('Sigmoid')],
  ['silu', sigmoidProduct(1)],
  ['swish', sigmoidProduct(1)],
  ['tanh', operator('Tanh')],
]);

export const ACTIVATION_NAMES: readonly string[] = [...ACTIVATIONS.keys()];

/** Applies an activation by its Hugging Face name. Throws `unsupported_architecture` for an unknown one. */
export function activation(g: GraphBuilder, name: string, x: Value): Value {
  const apply = ACTIVATIONS.get(name);
  if (apply !== undefined) return apply(g, x);
  throw new ServiceError(
    'unsupported_architecture',
    `activation '${name}' is not supported, expected one of ${ACTIVATION_NAMES.join(', ')}`,
  );
}
