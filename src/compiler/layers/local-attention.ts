import type { WantedTokens } from '../architectures/architecture.ts';
import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import { computed } from '../weights/computed.ts';
import { type AttentionInputs, attention } from './attention.ts';
import { lengthOf } from './sequence-length.ts';

/** Removes a pair of tokens from the softmax, and stays finite when scores are added to it. */
const HIDDEN = -1e30;

/** Smaller blocks would cost more than they save. */
const SMALLEST_BLOCK = 128;

/**
 * How the sequences of a run are cut into blocks of equal length, the last of them filled up: each block's queries see its
 * own tokens and `reach` more on both sides. What is hidden and filled up is the same for all layers.
 */
export interface LocalBlocks {
  readonly reach: number;
  /** int64 `[1]` */
  readonly batch: Value;
  /** int64 `[1]`: tokens of a sequence. */
  readonly length: Value;
  /** int64 `[1]`: queries of a block. */
  readonly blockLength: Value;
  /** int64 `[1]`: tokens that fill up the last block. */
  readonly missing: Value;
  /** int64 `[1]`: keys of a block. */
  readonly keyLength: Value;
  /** int64 `[blocks, keys]`: the position of each block's keys, 0 where there is none. */
  readonly keyPositions: Value;
  /** `[batch * blocks, 1, queries, keys]`, to be added to the scores. */
  readonly bias: Value;
}

const scalar = (name: string, value: number) => computed(name, [], () => Float32Array.of(value));

function range(g: GraphBuilder, length: Value, axis: number): Value {
  const limits = [g.integers([0]), length, g.integers([1])].map((each) => g.node('Squeeze', [each], { dims: [] }));
  const others = [0, 1, 2].filter((each) => each !== axis);
  return g.node('Unsqueeze', [g.node('Range', limits), g.integers(others)], { dims: [1, 1, 1] });
}

export interface LocalOptions {
  /** How far apart tokens may be that see each other. */
  readonly reach: number;
  /** Each token sees itself and those before it. */
  readonly causal?: boolean;
  /** A block has this many queries, or up to twice as many; half of its keys or more are its own by default. */
  readonly blockTokens?: number;
}

/** Cuts `ids` `[batch, sequence]` for attention between tokens that are near. */
export function localBlocks(g: GraphBuilder, ids: Value, options: LocalOptions): LocalBlocks {
  const { reach, causal = false, blockTokens = Math.max(SMALLEST_BLOCK, 2 * reach) } = options;
  const one = g.integers([1]);
  const batch = g.node('Shape', [ids], { dims: [1], attributes: { start: { int: 0 }, end: { int: 1 } } });
  const length = lengthOf(g, ids);
  const blocks = g.node('Max', [one, g.node('Div', [length, g.integers([blockTokens])])]);
  const others = g.node('Sub', [blocks, one]);
  const blockLength = g.node('Div', [g.node('Add', [length, others]), blocks]);
  const margin = g.node('Mul', [g.node('Min', [others, one]), g.integers([reach])]);
  const keyLength = g.node('Add', [blockLength, g.node('Add', [margin, margin])]);
  const missing = g.node('Sub', [g.node('Mul', [blocks, blockLength]), length]);

  const starts = g.node('Mul', [range(g, blocks, 0), blockLength]);
  const queries = g.node('Add', [starts, range(g, blockLength, 1)]);
  const keys = g.node('Sub', [g.node('Add', [starts, range(g, keyLength, 2)]), margin]);
  const inside = g.node('And', [g.node('GreaterOrEqual', [keys, g.integers([0])]), g.node('Less', [keys, length])]);
  const ahead = g.node('Sub', [keys, queries]);
  const near = g.node('And', [
    g.node('LessOrEqual', [g.node('Neg', [ahead]), g.integers([reach])]),
    g.node('LessOrEqual', [ahead, g.integers([causal ? 0 : reach])]),
  ]);
  const seen = g.node('And', [near, inside]);
  const ofOne = g.node('Where', [seen, g.constant(scalar('visible', 0)), g.constant(scalar('hidden', HIDDEN))]);
  const repeats = g.node('Concat', [batch, g.integers([1, 1, 1])], { attributes: { axis: { int: 0 } }, dims: [4] });
  const bias = g.node('Tile', [g.node('Unsqueeze', [ofOne, g.integers([1])]), repeats], {
    dims: ['blocks', 1, 'queries', 'keys'],
  });
  const positions = g.node('Where', [inside, keys, g.integers([0])]);
  const keyPositions = g.node('Squeeze', [positions, g.integers([1])], { dims: ['blocks', 'keys'] });
  return { reach, batch, length, blockLength, missing, keyLength, keyPositions, bias };
}

function shape(g: GraphBuilder, parts: readonly (Value | number)[]): Value {
  const sizes = parts.map((part) => (typeof part === 'number' ? g.integers([part]) : part));
  return g.node('Concat', sizes, { attributes: { axis: { int: 0 } }, dims: [parts.length] });
}

function rowsOfBlocks(g: GraphBuilder, x: Value, { keyPositions, keyLength }: LocalBlocks): Value {
  const width = widthOf(x);
  const gathered = g.node('Gather', [x, keyPositions], { attributes: { axis: { int: 1 } } });
  return g.node('Reshape', [gathered, shape(g, [-1, keyLength, width])], { dims: ['blocks', 'keys', width] });
}

function slice(g: GraphBuilder, x: Value, start: number, end: Value): Value {
  return g.node('Slice', [x, g.integers([start]), end, g.integers([1])], { dims: ['batch', 'tokens', widthOf(x)] });
}

/**
 * Softmax attention of every token over those that are near: work and memory grow with the length of a sequence, not with
 * its square. With `wanted` one token, `query` has that one alone, and it sees the tokens beside it. Returns `[batch,
 * queries, value width]`.
 */
export function localAttention(
  g: GraphBuilder,
  { query, key, value }: AttentionInputs,
  blocks: LocalBlocks,
  { heads, wanted = 'all', scale }: { heads: number; wanted?: WantedTokens; scale?: number | undefined },
): Value {
  if (wanted !== 'all') {
    const [start, end] = wanted === 'first' ? [0, blocks.reach + 1] : [-blocks.reach - 1, Number.MAX_SAFE_INTEGER];
    const near = (x: Value) => slice(g, x, start, g.integers([end]));
    return attention(g, { query, key: near(key), value: near(value) }, { heads, scale });
  }
  const width = widthOf(query);
  const filled = g.node('Pad', [query, shape(g, [0, 0, 0, 0, blocks.missing, 0])]);
  const cut = g.node('Reshape', [filled, shape(g, [-1, blocks.blockLength, width])], {
    dims: ['blocks', 'queries', width],
  });
  const rows = { query: cut, key: rowsOfBlocks(g, key, blocks), value: rowsOfBlocks(g, value, blocks) };
  const context = attention(g, rows, { heads, scale, bias: blocks.bias });
  const outWidth = widthOf(context);
  const joined = g.node('Reshape', [context, shape(g, [blocks.batch, -1, outWidth])], {
    dims: ['batch', 'tokens', outWidth],
  });
  return slice(g, joined, 0, blocks.length);
}
