// Files of control groups differ between kernels and containers.
import * as fc from 'fast-check';
import { test } from 'vitest';
import { anyText, damagedText, holdsForAll, RUNS } from '../../test/fakes/untrusted.ts';
import { readGroupLimits } from './control-group.ts';

const contents = fc.oneof(
  anyText,
  damagedText('200000 100000\n'),
  damagedText('0::/a\n'),
  fc.constantFrom('max', '-1', '0', 'max 100000'),
);

test('any content of them gives limits or none', async () => {
  await holdsForAll(
    fc.array(contents, { minLength: 1, maxLength: 6 }),
    (texts) => {
      let reads = 0;
      readGroupLimits(() => texts[reads++ % texts.length] ?? '');
    },
    RUNS * 2,
  );
});
