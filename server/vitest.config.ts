import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // They need Chromium and the built pages (npm run test:browser), a network of their own (npm run test:net), or
    // minutes (npm run test:long).
    exclude: [
      ...configDefaults.exclude,
      'test/bootstrap.test.ts',
      'test/browser/**',
      'test/faults/**',
      'test/net/**',
      'test/simulation/**',
    ],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
