import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/fakes/temporary-folder.ts';
import { readRunCosts, writeRunCosts } from './run-costs-file.ts';

const costs = { fixedMs: 2, msPerToken: 0.1, msPerPair: 0 };

test('costs are found again for the same graph and number of threads', async () => {
  const graphPath = path.join(temporaryFolder(), 'model.onnx');
  await writeRunCosts(graphPath, 2, costs);
  expect(await readRunCosts(graphPath, 2)).toEqual(costs);
  expect(await readRunCosts(graphPath, 4)).toBeUndefined();
});

test.each([
  '',
  'null',
  '{}',
  '{"fixedMs":"2","msPerToken":0.1,"msPerPair":0}',
  '{"fixedMs":0,"msPerToken":1,"msPerPair":0}',
])('a file that holds %j is none', async (text) => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'run-costs-2.json'), text);
  expect(await readRunCosts(path.join(folder, 'model.onnx'), 2)).toBeUndefined();
});

test('a folder that cannot be written is no error', async () => {
  await writeRunCosts('/nowhere/at/all/model.onnx', 2, costs);
});
