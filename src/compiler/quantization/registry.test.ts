import { expect, test } from 'vitest';
import { variantsFor } from './registry.ts';

test.each([
  ['x64 with AVX-512 VNNI', 'x64', ['avx2', 'avx512f', 'avx512_vnni'], 'int8-by-row'],
  ['x64 with AVX VNNI only', 'x64', ['avx2', 'avx_vnni'], 'int8-by-row'],
  ['x64 with AMX', 'x64', ['avx512f', 'amx_int8'], 'int8-by-row'],
  ['x64 without VNNI', 'x64', ['avx2', 'fma', 'avx512f', 'avx512bw'], 'int7-by-row'],
  ['x64 that does not tell', 'x64', [], 'int7-by-row'],
  ['arm64 with dot products', 'arm64', ['asimddp', 'i8mm'], 'int8-by-row'],
  ['arm64 that does not tell', 'arm64', [], 'int8-by-row'],
])('%s gets the variant that is right there', (_name, architecture, cpuAbilities, expected) => {
  expect(variantsFor({ architecture, cpuAbilities })[0]?.name).toBe(expected);
});

test('8-bit weights are never a candidate where they saturate', () => {
  const names = variantsFor({ architecture: 'x64', cpuAbilities: ['avx2'] }).map(({ name }) => name);
  expect(names).toEqual(['int7-by-row', 'int8-blocks']);
});
