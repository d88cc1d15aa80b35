import { defineConfig } from 'vitest/config';

/** `npm run test:spread`: a store that is spread over the nodes of the cluster at TEST_CLUSTER. */
export default defineConfig({
  test: {
    name: 'spread',
    root: 'server',
    include: ['test/spread/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 900_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // Each file spreads a store of its own, and a cluster makes one plan after the other.
    maxWorkers: 1,
  },
});
