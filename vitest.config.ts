import { defineConfig } from 'vitest/config';
// @ts-expect-error a script without types
import GoldenCountReporter from './scripts/golden-count-reporter.mjs';

const ci = process.env.CI !== undefined;

export default defineConfig({
  test: {
    reporters: [...(ci ? ['default', 'json'] : ['default']), new GoldenCountReporter()],
    outputFile: { json: 'test-results/vitest.json' },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'] },
      },
      { extends: true, test: { name: 'hub', include: ['test/hub/**/*.test.ts'] } },
      { extends: true, test: { name: 'golden', include: ['test/golden/**/*.test.ts'] } },
      // Real servers on two cores: one file at a time, or the timing tests measure each other.
      {
        extends: true,
        test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], fileParallelism: false, testTimeout: 120_000 },
      },
    ],
  },
});
