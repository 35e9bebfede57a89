import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectFile } from './project-file.ts';

const pages = [
  'README.md',
  'SECURITY.md',
  ...readdirSync(projectFile('docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name)),
];

test.each(pages)('every link of %s to a file of the project leads to one', (page) => {
  const text = readFileSync(projectFile(page), 'utf8');
  const targets = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  const broken = targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => !existsSync(path.join(path.dirname(projectFile(page)), target)));
  expect(broken).toEqual([]);
});
