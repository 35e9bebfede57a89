import { expect, test } from 'vitest';
import { sessionSettings } from './session-settings.ts';

test('8-bit products are widened only where a model asks for it', () => {
  expect(sessionSettings({ threads: 2 }).extra).toEqual({
    session: { force_spinning_stop: '1', intra_op: { allow_spinning: '1' } },
  });
  expect(sessionSettings({ threads: 2, wideInt8: true }).extra).toMatchObject({ session: { x64quantprecision: '1' } });
});
