import { configDefaults, defineConfig } from 'vitest/config';
// @ts-expect-error a script without types
import GoldenCountReporter from './scripts/golden-count-reporter.mjs';

const ci = process.env.CI !== undefined;

/** They measure time, so each of them runs alone, after all others. */
const TIMED = ['test/e2e/lanes.test.ts', 'test/e2e/responsiveness.test.ts'];

/** They look at what their process has loaded. */
const OWN_PROCESS = ['src/runtime/machine.test.ts'];

export default defineConfig({
  test: {
    reporters: [...(ci ? ['default', 'json'] : ['default']), new GoldenCountReporter()],
    outputFile: { json: 'test-results/vitest.json' },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Otherwise one core does nothing.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{src,scripts,bench,test/deploy}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...OWN_PROCESS],
          // Files share the modules that they import: loading these anew for each took most of the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'process', include: OWN_PROCESS } },
      { extends: true, test: { name: 'hub', include: ['test/hub/**/*.test.ts'], isolate: false } },
      { extends: true, test: { name: 'golden', include: ['test/golden/**/*.test.ts'], isolate: false } },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...TIMED],
          testTimeout: 120_000,
        },
      },
      { extends: true, test: { name: 'timing', include: TIMED, fileParallelism: false, testTimeout: 120_000 } },
    ],
  },
});
