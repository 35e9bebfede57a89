import { expect, onTestFinished, test } from 'vitest';
import type { Value } from '../../src/compiler/graph/graph.ts';
import { GraphBuilder } from '../../src/compiler/graph/graph-builder.ts';
import { writeGraph } from '../../src/compiler/graph/write-graph.ts';
import { type AttentionInputs, attention } from '../../src/compiler/layers/attention.ts';
import { causalAttention, runLengths } from '../../src/compiler/layers/causal-attention.ts';
import { localAttention, localBlocks } from '../../src/compiler/layers/local-attention.ts';
import { repeatHeads } from '../../src/compiler/layers/repeat-heads.ts';
import { openSession } from '../../src/runtime/open-session.ts';
import { temporaryFolder } from '../fakes/temporary-folder.ts';

const LENGTH = 9;
const HEADS = { heads: 4, keyValueHeads: 2 };
const HEAD_WIDTH = 8;

/** Numbers from -2 to 2 that look random and are always the same. */
const numbers = (count: number, seed: number) =>
  Float32Array.from({ length: count }, (_, index) => 2 * Math.sin(1 + seed + 12.9898 * index * (index + seed)));

const query = numbers(LENGTH * HEADS.heads * HEAD_WIDTH, 1);
const key = numbers(LENGTH * HEADS.keyValueHeads * HEAD_WIDTH, 2);
const value = numbers(LENGTH * HEADS.keyValueHeads * HEAD_WIDTH, 3);

interface Rule {
  readonly causal: boolean;
  readonly scale: number;
  readonly reach?: number;
  readonly softcap?: number;
}

/** The definition: for each head and token a softmax over the tokens that it sees. */
function expectedAttention({ causal, scale, reach = LENGTH, softcap }: Rule): number[] {
  const at = (data: Float32Array, heads: number, token: number, head: number, column: number) =>
    data[(token * heads + head) * HEAD_WIDTH + column] ?? Number.NaN;
  const columns = [...new Array(HEAD_WIDTH).keys()];
  const tokens = [...new Array(LENGTH).keys()];
  return tokens.flatMap((i) =>
    [...new Array(HEADS.heads).keys()].flatMap((head) => {
      const group = Math.floor((head * HEADS.keyValueHeads) / HEADS.heads);
      const seen = tokens.filter((j) => Math.abs(i - j) <= reach && (!causal || j <= i));
      const weights = seen.map((j) => {
        const score = columns.reduce((sum, c) => sum + at(query, 4, i, head, c) * at(key, 2, j, group, c), 0) * scale;
        return Math.exp(softcap === undefined ? score : softcap * Math.tanh(score / softcap));
      });
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      return columns.map((c) =>
        seen.reduce((sum, j, index) => sum + ((weights[index] ?? 0) / total) * at(value, 2, j, group, c), 0),
      );
    }),
  );
}

async function run(build: (g: GraphBuilder, inputs: AttentionInputs, ids: Value) => Value): Promise<number[]> {
  const g = new GraphBuilder();
  const ids = g.input('ids', 'INT32', ['batch', 'sequence']);
  const input = (name: string, heads: number) => g.input(name, 'FLOAT', ['batch', 'sequence', heads * HEAD_WIDTH]);
  const inputs = { query: input('query', 4), key: input('key', 2), value: input('value', 2) };
  g.output('y', build(g, inputs, ids));
  const session = await openSession(await writeGraph(g.build(), 'attention', temporaryFolder()), { threads: 1 });
  onTestFinished(() => session.dispose());
  const [y] = await session.run([
    { name: 'ids', dims: [1, LENGTH], data: new Int32Array(LENGTH) },
    { name: 'query', dims: [1, LENGTH, 4 * HEAD_WIDTH], data: query },
    { name: 'key', dims: [1, LENGTH, 2 * HEAD_WIDTH], data: key },
    { name: 'value', dims: [1, LENGTH, 2 * HEAD_WIDTH], data: value },
  ]);
  return [...(y?.data ?? [])];
}

function expectClose(actual: readonly number[], expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  const differences = actual.map((number, index) => Math.abs(number - (expected[index] ?? Number.NaN)));
  expect(Math.max(...differences)).toBeLessThan(2e-6);
}

test.each([
  { scale: 0.3 },
  { scale: 0.1, reach: 0 },
  { scale: 0.3, reach: 3 },
  { scale: 0.3, softcap: 1.5 },
  { scale: 0.2, reach: 2, softcap: 0.7 },
])('grouped attention that looks back follows %o', async (rule) => {
  const actual = await run((g, inputs, ids) =>
    causalAttention(g, inputs, { ...HEADS, ...rule, lengths: runLengths(g, ids) }),
  );
  expectClose(actual, expectedAttention({ ...rule, causal: true }));
});

test.each([
  { causal: false, scale: 0.3 },
  { causal: false, scale: 0.3, reach: 0 },
  { causal: false, scale: 0.3, reach: 2 },
  { causal: true, scale: 0.3 },
  { causal: true, scale: 0.2, reach: 3 },
])('plain attention of repeated heads follows %o', async ({ causal, scale, reach }) => {
  const actual = await run((g, inputs, ids) => {
    const repeated = {
      query: inputs.query,
      key: repeatHeads(g, inputs.key, HEADS),
      value: repeatHeads(g, inputs.value, HEADS),
    };
    const options = { heads: HEADS.heads, scale };
    if (reach === undefined) return attention(g, repeated, { ...options, causal });
    return localAttention(g, repeated, localBlocks(g, ids, { reach, causal, blockTokens: 4 }), options);
  });
  expectClose(actual, expectedAttention({ causal, scale, ...(reach === undefined ? {} : { reach }) }));
});
