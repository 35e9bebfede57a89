import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/fakes/temporary-folder.ts';
import type { Weight } from '../weights/weight.ts';
import { GraphBuilder } from './graph-builder.ts';
import { writeGraph } from './write-graph.ts';

function weightOf(name: string, length: number, chunks: () => Iterable<Float32Array>): Weight {
  return { name, dims: [length], chunks };
}

function graphWith(...weights: readonly Weight[]) {
  const g = new GraphBuilder();
  let x = g.input('x', 'FLOAT', ['batch', 1]);
  for (const weight of weights) x = g.node('Add', [x, g.constant(weight)]);
  g.output('y', x);
  return g.build();
}

test('large weights go to the file beside the graph, small ones stay inside', async () => {
  const folder = temporaryFolder();
  const large = weightOf('large', 2048, () => [new Float32Array(1024).fill(1), new Float32Array(1024).fill(2)]);
  const small = weightOf('small', 1, () => [Float32Array.of(123.5)]);
  const graphPath = await writeGraph(graphWith(large, small), 'name', folder);
  expect(graphPath).toBe(path.join(folder, 'graph.onnx'));
  expect(readdirSync(folder).sort()).toEqual(['graph.onnx', 'weights.bin']);
  const bytes = readFileSync(path.join(folder, 'weights.bin'));
  expect(bytes.length).toBe(2048 * 4);
  expect([bytes.readFloatLE(0), bytes.readFloatLE(1024 * 4)]).toEqual([1, 2]);
  expect(readFileSync(graphPath).includes(Buffer.from(Float32Array.of(123.5).buffer))).toBe(true);
});

test('the pieces of a weight are written before the next is made', async () => {
  const folder = temporaryFolder();
  const sizes: number[] = [];
  const large = weightOf('large', 4096, function* () {
    for (let piece = 0; piece < 4; piece += 1) {
      sizes.push(statSync(path.join(folder, 'weights.bin')).size);
      yield new Float32Array(1024);
    }
  });
  await writeGraph(graphWith(large), 'name', folder);
  expect(sizes).toEqual([0, 4096, 8192, 12288]);
});

test('a weight that comes to another size than it says is an error with its name', async () => {
  const wrong = weightOf('wrong', 2048, () => [new Float32Array(7)]);
  await expect(writeGraph(graphWith(wrong), 'name', temporaryFolder())).rejects.toThrow(
    "weight 'wrong' came to 28 bytes, expected 8192 for [2048]",
  );
});
