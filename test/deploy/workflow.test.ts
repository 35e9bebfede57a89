import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { projectFile } from './project-file.ts';

const text = readFileSync(projectFile('.github/workflows/ci.yml'), 'utf8');
const { permissions, jobs } = parse(text);

test('every action is pinned by a commit, with its version beside it', () => {
  const uses = text.match(/uses: .*/g) ?? [];
  expect(uses.length).toBeGreaterThan(0);
  for (const use of uses) expect(use).toMatch(/^uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('it runs what everybody runs, with the oldest Node.js that is supported, and may only read', () => {
  expect(permissions).toEqual({ contents: 'read' });
  expect(jobs.check.steps.at(-1)).toEqual({ run: '.ci/run' });
  const { engines } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8'));
  expect(`>=${jobs.check.strategy.matrix.node[0]}.0`).toBe(engines.node);
});
