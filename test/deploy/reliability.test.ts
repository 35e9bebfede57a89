import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { projectFile } from './project-file.ts';

const page = readFileSync(projectFile('docs/reliability.md'), 'utf8');
const rows = [...page.matchAll(/^\|.*\| `(\S+)`: (.+?) +\|$/gm)].map(([, file = '', title = '']) => ({ file, title }));

test('there are rows', () => {
  expect(rows.length).toBeGreaterThan(25);
});

test.each(rows)('$file has the test: $title', ({ file, title }) => {
  const filePath = projectFile(`${file}.test.ts`);
  expect(existsSync(filePath)).toBe(true);
  expect(readFileSync(filePath, 'utf8')).toContain(title);
});

describe('every test of faults is on the page', () => {
  const files = readdirSync(projectFile('test/faults')).filter((name) => name.endsWith('.test.ts'));
  const titles = files.flatMap((name) => {
    const text = readFileSync(projectFile(`test/faults/${name}`), 'utf8');
    // Those in a `describe` of what happened to a file are one row.
    return [...text.matchAll(/^(?:test|describe)\b[^'`]*?\(\s*(?:\)\(\s*)?'([^']{20,})'/gm)].map(([, title = '']) => ({
      name,
      title,
    }));
  });
  test.each(titles)('$name: $title', ({ title }) => {
    expect(rows.filter((row) => title.startsWith(row.title)).map((row) => row.title)).not.toEqual([]);
  });
});
