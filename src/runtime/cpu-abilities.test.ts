import { expect, test } from 'vitest';
import { parseCpuAbilities } from './cpu-abilities.ts';

const core = (flags: string) => `processor\t: 0\nflags\t\t: ${flags}\nbugs\t\t: spectre_v1\n\n`;

test('only what matters is kept, in a fixed order', () => {
  expect(parseCpuAbilities(core('fpu avx512_vnni sse2 avx2 avx512f'))).toEqual(['avx2', 'avx512f', 'avx512_vnni']);
});

test('an ability counts only where every core has it', () => {
  expect(parseCpuAbilities(core('avx2 avx_vnni') + core('avx2'))).toEqual(['avx2']);
});

test('arm64 calls them Features', () => {
  expect(parseCpuAbilities('Features\t: fp asimd asimddp i8mm\n')).toEqual(['asimddp', 'i8mm']);
});

test('a system that tells nothing has none', () => {
  expect(parseCpuAbilities('')).toEqual([]);
});
