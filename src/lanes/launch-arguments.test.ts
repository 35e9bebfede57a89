import { expect, test } from 'vitest';
import { formatLaunchArguments, parseLaunchArguments } from './launch-arguments.ts';

test('launch arguments come out as they went in', () => {
  const launch = { parentPid: 4711, title: 'infinity-lane BAAI/bge-small-en-v1.5' };
  expect(parseLaunchArguments(formatLaunchArguments(launch))).toEqual(launch);
});

test.each([[[]], [['1']], [['0', 'title']], [['x', 'title']]])('%j is refused', (argv) => {
  expect(() => parseLaunchArguments(argv)).toThrow('An inference process is started by the server');
});
