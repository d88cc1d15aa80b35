import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/support/long-first.ts';

/** The buyer's pages in a real browser: Chromium and the built web pages must be there, so they run apart. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Far beyond what any takes: a busy machine must not fail them, a page that hangs still does.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // As in `vitest.config.ts`; its browser too is opened once for all files of a process.
    isolate: false,
    setupFiles: ['test/support/fresh-statements.ts'],
    // A page and its browser keep a core each: a third beside them only makes all three wait.
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
  },
});
