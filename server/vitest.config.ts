import { configDefaults, defineConfig } from 'vitest/config';
import { slowFilesOf } from './test/slow-files.ts';
import { LongFirst } from './test/support/long-first.ts';

export default defineConfig({
  test: {
    // The SDK is tried against the service itself.
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', '../sdk/test/**/*.test.ts'],
    // They need Chromium and the built pages (npm run test:browser), a network of their own (npm run test:net), a disk
    // to fill (npm run test:disk), a cluster (npm run test:spread), or minutes (npm run test:long).
    exclude: [
      ...configDefaults.exclude,
      ...slowFilesOf('server'),
      'test/bootstrap.test.ts',
      'test/browser/**',
      'test/disk/**',
      'test/faults/**',
      'test/journeys/lists-cost.test.ts',
      'test/net/**',
      'test/packages/**',
      'test/simulation/**',
      'test/spread/**',
    ],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // A file shares the modules of those before it: to load the service anew for each costs more than its tests.
    isolate: false,
    setupFiles: ['test/support/fresh-statements.ts', 'test/support/note-statements.ts'],
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
  },
});
