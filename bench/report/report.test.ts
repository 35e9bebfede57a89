import { describe, expect, test } from 'vitest';
import type { CellResult, Measured } from '../measure-cell.mjs';
import { chart } from './chart.mjs';
import { HEAD, LEFT_COLUMNS, rowsOf, short } from './result-rows.mjs';
import { serverRows } from './server-rows.mjs';
import { table } from './table.mjs';

const measured = (server: string, tokensPerSecond: number, p50Ms: number): Measured => ({
  server,
  requestsPerSecond: tokensPerSecond / 10,
  tokensPerSecond,
  p50Ms,
  p95Ms: 2 * p50Ms,
  p99Ms: 3 * p50Ms,
  noise: 0.051,
});

const cell = { task: 'embed', length: 'mixed', items: 1, clients: 8 } as const;
const alone: CellResult = { cell, limitTokensPerSecond: 1000, servers: [measured('ours', 900, 12.34)] };
const beside: CellResult = { ...alone, servers: [measured('ours', 900, 10), measured('<other> & co', 300, 40)] };
const leftOut: CellResult = { cell, leftOut: 'too long', servers: [] };

describe('rowsOf', () => {
  test('a server alone has its share of the limit', () => {
    expect(rowsOf(alone)).toEqual([
      ['embed 1 x mixed, 8 clients', 'ours', '90.0', '900', '12.3', '24.7', '37.0', '5 %', '0.90'],
    ]);
  });

  test('beside a peer, ours is also compared with it', () => {
    const [ours, peer] = rowsOf(beside);
    expect(ours?.slice(-3)).toEqual(['0.90', '3.00 x', '0.25 of it']);
    expect(peer?.slice(-3)).toEqual(['0.30', '', '']);
  });

  test('without a limit there is no share', () => {
    expect(rowsOf({ cell, servers: alone.servers })[0]?.at(-1)).toBe('');
  });

  test('a cell that was left out has no rows', () => {
    expect(rowsOf(leftOut)).toEqual([]);
  });
});

test.each([
  [0.01234, '0.0123'],
  [12.34, '12.3'],
  [99.96, '100'],
  [5317.2, '5317'],
])('%s is printed as %s', (value, text) => {
  expect(short(value)).toBe(text);
});

test('a table aligns words left and numbers right', () => {
  const lines = table(HEAD, rowsOf(alone), LEFT_COLUMNS).split('\n');
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  expect(lines[1]).toMatch(/^\| -+ \| -+ \| -+: \|/);
  expect(table(['a', 'bb'], [['x', '1']])).toBe('| a | bb |\n| - | -: |\n| x |  1 |');
});

test('time to ready and memory are compared where both are known', () => {
  const servers = [
    { name: 'ours', readyMs: 500, peakMb: 200 },
    { name: 'peer', readyMs: 10_000, peakMb: undefined },
  ];
  expect(serverRows(servers)).toEqual([
    ['ours', '500 (0.05 of it)', '200'],
    ['peer', '10000', '-'],
  ]);
});

describe('chart', () => {
  const svg = chart([beside, leftOut], 'title & more');

  test('the longest bar fills the width, the others are in proportion', () => {
    const widths = [...svg.matchAll(/<rect x="230" y="\d+" width="(\d+)"/g)].map(([, width]) => Number(width));
    // The limit, 1000, is at 520.
    expect(widths).toEqual([468, 156]);
    expect(svg).toContain('<line x1="750"');
  });

  test('names are escaped', () => {
    expect(svg).toContain('title &amp; more');
    expect(svg).toContain('&lt;other&gt; &amp; co');
    expect(svg).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/);
  });

  test('elements are closed', () => {
    expect(svg.match(/<text/g)?.length).toBe(svg.match(/<\/text>/g)?.length);
    expect(svg.trimEnd().endsWith('</svg>')).toBe(true);
  });

  test('of nothing it is an empty drawing, not an error', () => {
    expect(chart([], 'nothing')).toContain('<svg');
  });
});
