import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/support/long-first.ts';

/**
 * `npm run test:long`: processes that are killed, halted and cut off, random lives against a model, lists of 100,000
 * orders, and a clone that installs and builds. They take minutes, so that `npm test` leaves them to `.ci/run`.
 */
export default defineConfig({
  test: {
    name: 'long',
    root: 'server',
    include: [
      'test/bootstrap.test.ts',
      'test/faults/**/*.test.ts',
      'test/journeys/lists-cost.test.ts',
      'test/packages/**/*.test.ts',
      'test/simulation/**/*.test.ts',
    ],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // As in `vitest.config.ts`.
    isolate: false,
    setupFiles: ['test/support/fresh-statements.ts'],
    // They wait more than they work: for processes that start, are killed, and are looked for.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
  },
});
