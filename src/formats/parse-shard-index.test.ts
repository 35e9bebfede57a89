import { expect, test } from 'vitest';
import { parseShardIndex } from './parse-shard-index.ts';

const INDEX = 'model.safetensors.index.json';
const withShard = (shard: unknown) => JSON.stringify({ weight_map: { a: shard } });

test('reads which shard holds which tensor', () => {
  const text = JSON.stringify({
    metadata: { total_size: 1 },
    weight_map: { a: 'x-1.safetensors', b: 'x-2.safetensors' },
  });
  expect(Object.fromEntries(parseShardIndex(INDEX, text, '.safetensors'))).toEqual({
    a: 'x-1.safetensors',
    b: 'x-2.safetensors',
  });
});

test.each([
  '../other.safetensors',
  '..\\other.safetensors',
  '/etc/x.safetensors',
  'C:x.safetensors',
  'sub/x.safetensors',
  'passwd',
  7,
  null,
])('a shard called %j is refused', (shard) => {
  expect(() => parseShardIndex(INDEX, withShard(shard), '.safetensors')).toThrow(
    `${INDEX}: tensor 'a' is in ${JSON.stringify(shard)}, expected the plain name of a .safetensors file`,
  );
});

test.each(['{', '[]', '{}', 'null', '{"weight_map":[]}'])('the index %s is refused', (text) => {
  expect(() => parseShardIndex(INDEX, text, '.safetensors')).toThrow(
    expect.objectContaining({ code: 'invalid_checkpoint' }),
  );
});
