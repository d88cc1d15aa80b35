import { defineConfig } from 'vitest/config';

/**
 * `npm run test:long`: processes that are killed, halted and cut off, random lives against a model, and a clone that
 * installs and builds. They take minutes, so that `npm test` leaves them to `.ci/run`.
 */
export default defineConfig({
  test: {
    name: 'long',
    root: 'server',
    include: ['test/bootstrap.test.ts', 'test/faults/**/*.test.ts', 'test/simulation/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
