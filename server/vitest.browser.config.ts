import { defineConfig } from 'vitest/config';

/** The buyer's pages in a real browser: Chromium and the built web pages must be there, so they run apart. */
export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
