import { Command } from 'commander';
import { expect, test } from 'vitest';
import type { BooleanEntry } from '../settings/setting-entry.ts';
import { addSettingOptions, readFlags } from './settings-options.ts';

const warmUp: BooleanEntry = {
  option: 'model-warmup',
  scope: 'model',
  group: 'Models',
  kind: 'boolean',
  default: true,
  description: 'Run once before the first request',
};

test.each([
  [[], undefined],
  [['--model-warmup'], ['true']],
  [['--no-model-warmup'], ['false']],
  [
    ['--model-warmup', '--no-model-warmup'],
    ['true', 'false'],
  ],
])('the boolean flags %j are read as %j', (given, expected) => {
  const command = new Command();
  addSettingOptions(command, [warmUp]);
  command.parse(given, { from: 'user' });
  expect(readFlags(command, [warmUp])).toEqual({ 'model-warmup': expected });
});
