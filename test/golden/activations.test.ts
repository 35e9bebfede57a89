import { expect, onTestFinished, test } from 'vitest';
import { GraphBuilder } from '../../src/compiler/graph/graph-builder.ts';
import { writeGraph } from '../../src/compiler/graph/write-graph.ts';
import { ACTIVATION_NAMES, activation } from '../../src/compiler/layers/activation.ts';
import { openSession } from '../../src/runtime/open-session.ts';
import { temporaryFolder } from '../fakes/temporary-folder.ts';

const INPUTS = Float32Array.from({ length: 33 }, (_value, index) => (index - 16) / 2.5);

/** The error function by its series, exact to 1e-12 where |x| < 5. */
function erf(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; n < 200; n += 1) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
const gelu = (x: number) => (x * (1 + erf(x / Math.SQRT2))) / 2;
const tanhGelu = (x: number) => (x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)))) / 2;
const silu = (x: number) => x * sigmoid(x);

const FORMULAS: Readonly<Record<string, (x: number) => number>> = {
  gelu,
  gelu_python: gelu,
  gelu_accurate: tanhGelu,
  gelu_fast: tanhGelu,
  gelu_new: tanhGelu,
  gelu_pytorch_tanh: tanhGelu,
  leaky_relu: (x) => (x < 0 ? 0.01 * x : x),
  linear: (x) => x,
  mish: (x) => x * Math.tanh(Math.log1p(Math.exp(x))),
  quick_gelu: (x) => x * sigmoid(1.702 * x),
  relu: (x) => Math.max(x, 0),
  sigmoid,
  silu,
  swish: silu,
  tanh: Math.tanh,
};

test('every activation has a formula here', () => {
  expect(Object.keys(FORMULAS)).toEqual(ACTIVATION_NAMES);
});

test.each(Object.entries(FORMULAS))('%s computes its formula', async (name, formula) => {
  const g = new GraphBuilder();
  g.output('y', activation(g, name, g.input('x', 'FLOAT', ['count'])));
  const session = await openSession(await writeGraph(g.build(), name, temporaryFolder()), { threads: 1 });
  onTestFinished(() => session.dispose());
  const [y] = await session.run([{ name: 'x', dims: [INPUTS.length], data: INPUTS }]);
  const differences = [...INPUTS].map((x, index) => Math.abs((y?.data[index] ?? Number.NaN) - formula(x)));
  expect(Math.max(...differences)).toBeLessThan(2e-6);
});

test('an unknown activation is refused with the list of those known', () => {
  const g = new GraphBuilder();
  expect(() => activation(g, 'snake', g.input('x', 'FLOAT', ['count']))).toThrow(
    /^activation 'snake' is not supported, expected one of gelu, /,
  );
});
