import { configDefaults, defineConfig } from 'vitest/config';
import { slowFilesOf } from '../server/test/slow-files.ts';

/** The commands against the real service: its tests' own store and harness. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...slowFilesOf('cli')],
    globalSetup: ['../server/test/support/global-setup.ts'],
    setupFiles: ['../server/test/support/fresh-statements.ts'],
    testTimeout: 180_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    maxWorkers: 2,
  },
});
