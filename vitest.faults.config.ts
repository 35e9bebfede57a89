import { defineConfig } from 'vitest/config';

const ci = process.env.CI !== undefined;

/** What goes wrong around the model: `npm run test:faults`. One file at a time, since each test starts servers of its own. */
export default defineConfig({
  test: {
    name: 'faults',
    include: ['test/faults/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ci ? ['default', 'json'] : ['default'],
    outputFile: { json: 'test-results/faults.json' },
  },
});
