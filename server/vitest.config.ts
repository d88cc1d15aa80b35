import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // They need Chromium and the built pages (npm run test:browser), or a network of their own (npm run test:net).
    exclude: [...configDefaults.exclude, 'test/browser/**', 'test/net/**'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
