import { defineConfig } from 'vitest/config';

const COMMON = {
  globalSetup: ['test/support/global-setup.ts'],
  testTimeout: 900_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000 } },
  pool: 'forks' as const,
  // A cluster makes one plan after the other.
  maxWorkers: 1,
};

/** `npm run test:spread`: stores that are spread over the nodes of the cluster at TEST_CLUSTER. */
export default defineConfig({
  test: {
    projects: [
      // Each file spreads a store of its own.
      {
        root: 'server',
        test: {
          ...COMMON,
          name: 'spread',
          include: ['test/spread/**/*.test.ts'],
          exclude: ['test/spread/suite-store.test.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      // The suite itself: its template is spread once, and copied for each file on each node.
      {
        root: 'server',
        test: {
          ...COMMON,
          name: 'suite-on-cluster',
          include: [
            'test/spread/suite-store.test.ts',
            'src/{api,flows,http,pages,portal,resources,worker,invariants}/**/*.test.ts',
            'test/{contract,journeys,faults}/**/*.test.ts',
          ],
          setupFiles: ['test/support/fresh-statements.ts'],
          env: { STORE_FORM: 'spread' },
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
