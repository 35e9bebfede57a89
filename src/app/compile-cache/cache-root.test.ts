import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { recordingLogger } from '../../../test/fakes/recording-logger.ts';
import { temporaryFolder } from '../../../test/fakes/temporary-folder.ts';
import { openCompiledFolder } from './cache-root.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A folder that nobody can make, root included: it would be below a file. */
function impossibleFolder(): string {
  const file = path.join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  return path.join(file, 'below');
}

test('graphs go to the folder of the settings where it can be written', async () => {
  const home = temporaryFolder();
  const logger = recordingLogger();
  expect(await openCompiledFolder({ INFINITY_HOME: home }, logger)).toBe(path.join(home, '.infinity_cache/compiled'));
  expect(logger.lines).toEqual([]);
});

test('they go to a temporary folder, with a warning, where it cannot', async () => {
  const temporary = temporaryFolder();
  vi.stubEnv('TMPDIR', temporary);
  const logger = recordingLogger();
  const opened = await openCompiledFolder({ INFINITY_HOME: impossibleFolder() }, logger);
  expect(path.dirname(opened)).toBe(temporary);
  expect(logger.lines).toEqual([expect.stringContaining('cannot be written')]);
});

test('the error names both where neither can be written', async () => {
  const [home, temporary] = [impossibleFolder(), impossibleFolder()];
  vi.stubEnv('TMPDIR', temporary);
  const opening = openCompiledFolder({ INFINITY_HOME: home }, recordingLogger());
  await expect(opening).rejects.toMatchObject({ code: 'invalid_settings' });
  await expect(opening).rejects.toThrow(`${path.join(home, '.infinity_cache/compiled')} nor ${temporary}`);
});
