import { describe, expect, it } from 'vitest';
// @ts-expect-error a script without types
import { checkRooms } from './check-rooms.mjs';

const problems = (files: Record<string, string>) => checkRooms(Object.entries(files));

describe('checkRooms', () => {
  it.each([
    ['an import along an arrow', { 'http/a.ts': "import type { A } from '../contracts/a.ts';" }],
    ['an import within a room', { 'http/x/a.ts': "import { b } from '../b.ts';" }],
    ['a test that imports what it tests', { 'http/a.test.ts': "import { b } from '../engine/b.ts';" }],
    ['app, which may import any room', { 'app/a.ts': "await import('../runtime/a.ts');" }],
  ])('accepts %s', (_name, files) => {
    expect(problems(files)).toEqual([]);
  });

  it.each([
    [
      'an import against the arrows',
      { 'http/a.ts': "import { b } from '../engine/b.ts';" },
      "'http' must not import 'engine'",
    ],
    [
      'a late import against them',
      { 'http/a.ts': "await import('../runtime/b.ts')" },
      "'http' must not import 'runtime'",
    ],
    [
      'a file that is read for a client',
      { 'http/a.ts': "import { readFile } from 'node:fs/promises';" },
      'the file system',
    ],
    ['an unknown room', { 'utils/a.ts': '' }, "unknown room 'utils'"],
    ['a file that is too long', { 'http/a.ts': '\n'.repeat(401) }, '401 lines, the limit is 400'],
  ])('refuses %s', (_name, files, problem) => {
    expect(problems(files)).toEqual([expect.stringContaining(problem)]);
  });
});
