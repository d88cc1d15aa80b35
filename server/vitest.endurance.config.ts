import { defineConfig } from 'vitest/config';

/** Journeys in full size, by `npm run endurance -- processors` and `-- operations`: hours are no matter. */
const HOURS_MS = 3 * 3_600_000;

export default defineConfig({
  test: {
    name: 'endurance',
    root: 'server',
    include: [
      'test/faults/failover.test.ts',
      'test/faults/migrations-under-load.test.ts',
      'test/faults/poolers.test.ts',
      'test/faults/rolling-release.test.ts',
      'test/faults/several-processes.test.ts',
      'test/journeys/adopted-charges.test.ts',
      'test/journeys/lost-answers.test.ts',
      'test/journeys/paypal-books.test.ts',
      'test/journeys/processor-endpoints.test.ts',
      'test/journeys/stripe-checkout.test.ts',
      'test/journeys/stripe-refunds.test.ts',
    ],
    testNamePattern: /O01|O02|O07|O08|O09|O10|O11|O38|X36|P12|P13|P20|P22|P25|P37|P44/,
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: HOURS_MS,
    hookTimeout: HOURS_MS,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    setupFiles: ['test/support/fresh-statements.ts'],
    maxWorkers: 1,
  },
});
