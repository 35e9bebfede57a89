import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EXIT_CODES } from '../../src/cli/exit-codes.ts';
import { ERROR_TABLE } from '../../src/http/error-table.ts';
import { projectFile } from './project-file.ts';

const page = readFileSync(projectFile('docs/operations.md'), 'utf8');
const rows = [...page.matchAll(/^\| `(\w+)` +\| +(\d+) \| +(\d+) \| (.+?) +\| (.+?) +\|$/gm)];

test('the page of operations has every error code once, with its status and exit code', () => {
  expect(Object.fromEntries(rows.map(([, code, status, exit]) => [code, [Number(status), Number(exit)]]))).toEqual(
    Object.fromEntries(Object.entries(ERROR_TABLE).map(([code, { status }]) => [code, [status, exitCodeOf(code)]])),
  );
  expect(rows).toHaveLength(Object.keys(ERROR_TABLE).length);
});

function exitCodeOf(code: string): number | undefined {
  return Object.entries(EXIT_CODES).find(([name]) => name === code)?.[1];
}
