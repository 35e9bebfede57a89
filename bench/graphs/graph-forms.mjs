// @ts-nocheck: plain data, rewritten by hand; whether a form is right is seen in its outputs
// Other ways to write the same float32 graph, as rewrites of the one that the compiler makes: for `float32-graph.mjs`.
import { integerConstant } from '../../dist/compiler/graph/graph.js';
import { readWhole } from '../../dist/compiler/weights/read-whole.js';
import { transposed } from '../../dist/compiler/weights/transposed.js';

const MICROSOFT = 'com.microsoft';

/** What a rewrite asks about a graph. */
function indexOf({ nodes, constants }) {
  const makers = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node])));
  const weights = new Map(constants.map((constant) => [constant.name, constant]));
  const uses = new Map();
  for (const { inputs } of nodes) for (const name of inputs) uses.set(name, (uses.get(name) ?? 0) + 1);
  return { makers, weights, usedOnce: (name) => uses.get(name) === 1 };
}

const node = (operator, inputs, output, { domain = '', attributes = {} } = {}) => ({
  name: output,
  operator,
  domain,
  inputs,
  outputs: [output],
  attributes,
});

/** Replaces nodes by others, and drops those that nothing uses any more. */
function rewritten(graph, replace, added = []) {
  const nodes = graph.nodes.flatMap((each) => replace(each) ?? [each]);
  const wanted = new Set(graph.outputs.map(({ name }) => name));
  const kept = [];
  for (const each of nodes.toReversed()) {
    if (!each.outputs.some((name) => wanted.has(name))) continue;
    for (const name of each.inputs) wanted.add(name);
    kept.unshift(each);
  }
  const constants = [...graph.constants, ...added].filter(({ name }) => wanted.has(name));
  return { ...graph, nodes: kept, constants };
}

function joined(name, dims, values) {
  const all = new Float32Array(values.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const value of values) {
    all.set(value, filled);
    filled += value.length;
  }
  return { name, dims, chunks: () => [all] };
}

/** Matrices `[in, out]` beside one another. */
function sideBySide(name, matrices) {
  const [rows, columns] = matrices[0].dims;
  const values = matrices.map(readWhole);
  const pieces = [];
  for (let row = 0; row < rows; row += 1) {
    for (const value of values) pieces.push(value.subarray(row * columns, (row + 1) * columns));
  }
  return joined(name, [rows, columns * matrices.length], pieces);
}

/** Constants that a rewrite adds, each once; `constant` gives the name to use. */
function collector() {
  const added = new Map();
  const constant = (each) => {
    added.set(each.name, each);
    return each.name;
  };
  return { added, constant };
}

/** The linear layers that make the queries, keys and values of an attention node. */
function projections({ makers, weights }, attention) {
  const parts = attention.inputs.slice(0, 3).map((name) => {
    const sum = makers.get(name);
    const product = makers.get(sum.inputs[0]);
    return { product, x: product.inputs[0], weight: weights.get(product.inputs[1]), bias: weights.get(sum.inputs[1]) };
  });
  return { parts, shared: parts.every(({ x }) => x === parts[0].x) };
}

export function skipLayerNorm(graph) {
  const { makers, weights, usedOnce } = indexOf(graph);
  return rewritten(graph, (each) => {
    if (each.operator !== 'LayerNormalization') return undefined;
    const sum = makers.get(each.inputs[0]);
    if (sum?.operator !== 'Add' || !usedOnce(each.inputs[0]) || sum.inputs.some((name) => weights.has(name)))
      return undefined;
    const inputs = [...sum.inputs, ...each.inputs.slice(1)];
    const attributes = { epsilon: each.attributes.epsilon };
    return [node('SkipLayerNormalization', inputs, each.outputs[0], { domain: MICROSOFT, attributes })];
  });
}

export function biasInAttention(graph) {
  const index = indexOf(graph);
  const added = [];
  return rewritten(
    graph,
    (each) => {
      if (each.operator !== 'MultiHeadAttention') return undefined;
      const { parts } = projections(index, each);
      const name = `${each.name}:bias`;
      const biases = parts.map(({ bias }) => readWhole(bias));
      added.push(joined(name, [biases.reduce((sum, { length }) => sum + length, 0)], biases));
      const inputs = [...parts.map(({ product }) => product.outputs[0]), name];
      return [node('MultiHeadAttention', inputs, each.outputs[0], each)];
    },
    added,
  );
}

/** Only where queries, keys and values come from one value: not in a last layer that computes one token. */
function withOneProjection(graph, write) {
  const index = indexOf(graph);
  const added = [];
  return rewritten(
    graph,
    (each) => {
      if (each.operator !== 'MultiHeadAttention') return undefined;
      const { parts, shared } = projections(index, each);
      if (!shared) return undefined;
      const weight = sideBySide(
        `${each.name}:weight`,
        parts.map((part) => part.weight),
      );
      const bias = joined(
        `${each.name}:bias`,
        [weight.dims[1]],
        parts.map((part) => readWhole(part.bias)),
      );
      added.push(weight, bias);
      return write(each, parts[0].x, weight.name, bias.name);
    },
    added,
  );
}

export function oneProjection(graph) {
  return withOneProjection(graph, (each, x, weight, bias) => {
    const parts = ['q', 'k', 'v'].map((part) => `${each.name}:${part}`);
    return [
      node('MatMul', [x, weight], `${each.name}:product`),
      node('Add', [`${each.name}:product`, bias], `${each.name}:sum`),
      {
        ...node('Split', [`${each.name}:sum`], `${each.name}:split`, { attributes: { axis: { int: -1 } } }),
        outputs: parts,
      },
      node('MultiHeadAttention', parts, each.outputs[0], each),
    ];
  });
}

export function attentionOperator(graph) {
  return withOneProjection(graph, (each, x, weight, bias) => [
    node('Attention', [x, weight, bias], each.outputs[0], each),
  ]);
}

/** Products with the matrices as checkpoints store them, `[out, in]`. */
export function checkpointOrder(graph) {
  const { weights } = indexOf(graph);
  const { added, constant } = collector();
  const rewrite = (each) => {
    const weight = each.operator === 'MatMul' ? weights.get(each.inputs[1]) : undefined;
    if (weight === undefined) return undefined;
    const inputs = [each.inputs[0], constant(transposed(weight))];
    const attributes = { transB: { int: 1 } };
    return [node('FusedMatMul', inputs, each.outputs[0], { domain: MICROSOFT, attributes })];
  };
  for (const each of graph.nodes) rewrite(each);
  return rewritten(graph, rewrite, [...added.values()]);
}

/** Attention in standard operators, as exporters write it. */
export function attentionSpelledOut(graph, width) {
  const { added, constant } = collector();
  const rewrite = (each) => {
    if (each.operator !== 'MultiHeadAttention') return undefined;
    const heads = each.attributes.num_heads.int;
    const size = width / heads;
    const split = constant(integerConstant([0, -1, heads, size]));
    const merge = constant(integerConstant([0, -1, width]));
    const scale = constant({
      name: `scale:${size}`,
      dims: [1],
      chunks: () => [new Float32Array([1 / Math.sqrt(size)])],
    });
    const at = (name) => `${each.name}:${name}`;
    const perm = (...axes) => ({ attributes: { perm: { ints: axes } } });
    return [
      ...each.inputs.slice(0, 3).map((name, part) => node('Reshape', [name, split], at(`split${part}`))),
      node('Transpose', [at('split0')], at('q'), perm(0, 2, 1, 3)),
      node('Transpose', [at('split1')], at('k'), perm(0, 2, 3, 1)),
      node('Transpose', [at('split2')], at('v'), perm(0, 2, 1, 3)),
      node('MatMul', [at('q'), at('k')], at('products')),
      node('Mul', [at('products'), scale], at('scores')),
      node('Softmax', [at('scores')], at('weights'), { attributes: { axis: { int: -1 } } }),
      node('MatMul', [at('weights'), at('v')], at('context')),
      node('Transpose', [at('context')], at('rows'), perm(0, 2, 1, 3)),
      node('Reshape', [at('rows'), merge], each.outputs[0]),
    ];
  };
  for (const each of graph.nodes) rewrite(each);
  return rewritten(graph, rewrite, [...added.values()]);
}

/** Linear layers as one Gemm over all tokens, `[batch * sequence, in]`, with the bias inside. */
export function gemm(graph) {
  const { makers, weights } = indexOf(graph);
  const ids = graph.inputs[0].name;
  const { added, constant } = collector();
  const oneRow = new Set(graph.nodes.filter(({ operator }) => operator === 'Slice').flatMap(({ outputs }) => outputs));
  for (const each of graph.nodes)
    if (each.operator !== 'Gather' && each.inputs[0] && oneRow.has(each.inputs[0])) oneRow.add(each.outputs[0]);
  const isGelu = new Set(graph.nodes.filter(({ operator }) => operator === 'Gelu').map(({ inputs }) => inputs[0]));
  const rewrite = (each) => {
    if (each.operator !== 'Add' || !weights.has(each.inputs[1]) || isGelu.has(each.outputs[0])) return undefined;
    const product = makers.get(each.inputs[0]);
    if (product?.operator !== 'MatMul' || oneRow.has(product.inputs[0])) return undefined;
    const [rows, columns] = weights.get(product.inputs[1]).dims;
    const at = (name) => `${each.name}:${name}`;
    return [
      node('Reshape', [product.inputs[0], constant(integerConstant([-1, rows]))], at('rows')),
      node('Gemm', [at('rows'), product.inputs[1], each.inputs[1]], at('gemm')),
      node('Concat', [`${ids}:shape`, constant(integerConstant([columns]))], at('shape'), {
        attributes: { axis: { int: 0 } },
      }),
      node('Reshape', [at('gemm'), at('shape')], each.outputs[0]),
    ];
  };
  for (const each of graph.nodes) rewrite(each);
  const shaped = { ...graph, nodes: [node('Shape', [ids], `${ids}:shape`), ...graph.nodes] };
  return rewritten(shaped, rewrite, [...added.values()]);
}
