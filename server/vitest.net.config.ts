import { defineConfig } from 'vitest/config';

/** `npm run test:net`: the address guard in a network namespace of its own, which needs root. */
export default defineConfig({
  test: {
    root: 'server',
    include: ['test/net/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
  },
});
