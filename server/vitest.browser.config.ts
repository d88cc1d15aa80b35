import { defineConfig } from 'vitest/config';

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
    maxWorkers: 2,
  },
});
