import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/fakes/temporary-folder.ts';
import { openSession } from '../../runtime/open-session.ts';
import { GraphBuilder } from '../graph/graph-builder.ts';
import { writeGraph } from '../graph/write-graph.ts';
import { localAttention, localBlocks } from './local-attention.ts';

const WIDTH = 4;
const HEADS = 2;
const REACH = 3;
const BATCH = 2;

/** Attention by its formula, token by token. */
function expected(data: Float32Array, sequence: number, wanted: readonly number[], ahead = REACH): number[] {
  const at = (item: number, token: number, column: number) => data[(item * sequence + token) * WIDTH + column] ?? 0;
  const size = WIDTH / HEADS;
  const out: number[] = [];
  for (let item = 0; item < BATCH; item += 1) {
    for (const token of wanted) {
      for (let column = 0; column < WIDTH; column += 1) {
        const first = Math.floor(column / size) * size;
        let sum = 0;
        let total = 0;
        for (let other = Math.max(0, token - REACH); other <= Math.min(sequence - 1, token + ahead); other += 1) {
          let score = 0;
          for (let each = first; each < first + size; each += 1) score += at(item, token, each) * at(item, other, each);
          const weight = Math.exp(score / Math.sqrt(size));
          total += weight;
          sum += weight * at(item, other, column);
        }
        out.push(sum / total);
      }
    }
  }
  return out;
}

async function openGraph(wanted: 'all' | 'first' | 'last', causal = false) {
  const g = new GraphBuilder();
  const ids = g.input('ids', 'INT32', ['batch', 'sequence']);
  const x = g.input('x', 'FLOAT', ['batch', 'sequence', WIDTH]);
  const query = wanted === 'all' ? x : g.input('query', 'FLOAT', ['batch', 1, WIDTH]);
  const blocks = localBlocks(g, ids, { reach: REACH, causal, blockTokens: 5 });
  g.output('y', localAttention(g, { query, key: x, value: x }, blocks, { heads: HEADS, wanted }));
  const session = await openSession(await writeGraph(g.build(), 'local', temporaryFolder()), { threads: 1 });
  onTestFinished(() => session.dispose());
  return session;
}

function numbers(sequence: number): Float32Array {
  return Float32Array.from({ length: BATCH * sequence * WIDTH }, (_, index) => Math.sin(index * 1.7) * 2);
}

function farthest(actual: ArrayLike<number> | undefined, wanted: readonly number[]): number {
  return Math.max(...wanted.map((value, index) => Math.abs(value - (actual?.[index] ?? Number.NaN))));
}

test.each([
  ['both sides', false],
  ['before it', true],
])('every token sees those near it, %s, in one block or in many', async (_, causal) => {
  const session = await openGraph('all', causal);
  for (const sequence of [1, 2, 4, 5, 9, 10, 11, 14, 15, 16, 23, 50]) {
    const x = numbers(sequence);
    const ids = new Int32Array(BATCH * sequence);
    const [y] = await session.run([
      { name: 'ids', dims: [BATCH, sequence], data: ids },
      { name: 'x', dims: [BATCH, sequence, WIDTH], data: x },
    ]);
    expect(y?.dims).toEqual([BATCH, sequence, WIDTH]);
    expect(farthest(y?.data, expected(x, sequence, [...Array(sequence).keys()], causal ? 0 : REACH))).toBeLessThan(
      1e-6,
    );
  }
});

test.each(['first', 'last'] as const)('the %s token alone sees the same', async (wanted) => {
  const session = await openGraph(wanted);
  for (const sequence of [1, 3, 4, 5, 30]) {
    const x = numbers(sequence);
    const token = wanted === 'first' ? 0 : sequence - 1;
    const row = (item: number) => x.subarray((item * sequence + token) * WIDTH, (item * sequence + token + 1) * WIDTH);
    const query = Float32Array.from([...row(0), ...row(1)]);
    const [y] = await session.run([
      { name: 'x', dims: [BATCH, sequence, WIDTH], data: x },
      { name: 'query', dims: [BATCH, 1, WIDTH], data: query },
      { name: 'ids', dims: [BATCH, sequence], data: new Int32Array(BATCH * sequence) },
    ]);
    expect(farthest(y?.data, expected(x, sequence, [token]))).toBeLessThan(1e-6);
  }
});
