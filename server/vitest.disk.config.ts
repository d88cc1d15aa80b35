import { defineConfig } from 'vitest/config';

/** `npm run test:disk`: a disk that is full, which is mounted by root. */
export default defineConfig({
  test: {
    root: 'server',
    include: ['test/disk/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
  },
});
