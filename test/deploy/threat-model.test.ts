import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { projectFile } from './project-file.ts';

const page = readFileSync(projectFile('docs/threat-model.md'), 'utf8');
const rows = [...page.matchAll(/^\|.*\| `(\S+)`: (.+?) +\|$/gm)].map(([, file = '', title = '']) => ({ file, title }));

test('every guard has a test', () => {
  expect(rows).toHaveLength(page.match(/^\| (?!threat|---)/gm)?.length ?? 0);
  expect(rows.length).toBeGreaterThan(20);
});

test.each(rows)('$file has the test: $title', ({ file, title }) => {
  const filePath = projectFile(`${file}.test.ts`);
  expect(existsSync(filePath)).toBe(true);
  expect(readFileSync(filePath, 'utf8')).toContain(title);
});
