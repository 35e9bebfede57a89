import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { recordingLogger } from '../../../test/fakes/recording-logger.ts';
import { temporaryFolder } from '../../../test/fakes/temporary-folder.ts';
import { openApiKeys } from './open-api-keys.ts';

test('a file that is read again gives and takes keys, and a broken one leaves them as they were', async () => {
  const file = path.join(temporaryFolder(), 'keys');
  writeFileSync(file, 'sesame-1\n');
  const logger = recordingLogger();
  const keys = await openApiKeys({ apiKeys: ['flag'], apiKeyFile: file }, logger);
  const names = () => keys.current().map(({ name }) => name);
  expect(names()).toEqual(['api-key#1', 'line-1']);

  writeFileSync(file, '\nsesame-2\nsesame-3\n');
  expect(names()).toEqual(['api-key#1', 'line-1']);
  keys.reload();
  expect(names()).toEqual(['api-key#1', 'line-2', 'line-3']);

  writeFileSync(file, 'sesame 4\n');
  keys.reload();
  rmSync(file);
  keys.reload();
  expect(names()).toEqual(['api-key#1', 'line-2', 'line-3']);
  expect(logger.lines).toEqual([
    `API keys: 3 after reading ${file} again.`,
    expect.stringMatching(/^API keys: those from before stay, .*line 1: expected one key without blanks/),
    `API keys: those from before stay, --api-key-file: expected a readable file, got ENOENT for '${file}'`,
  ]);
  expect(logger.lines.join()).not.toContain('sesame');
});

test('a file that cannot be used at the start is an error', async () => {
  const file = path.join(temporaryFolder(), 'keys');
  const refused = { code: 'invalid_settings', message: expect.stringContaining(file) };
  await expect(openApiKeys({ apiKeys: [], apiKeyFile: file }, recordingLogger())).rejects.toMatchObject(refused);
  writeFileSync(file, '');
  await expect(openApiKeys({ apiKeys: ['k'], apiKeyFile: file }, recordingLogger())).rejects.toMatchObject(refused);
});
