import { defineConfig } from 'vitest/config';

/** `npm test`: all workspaces in one run. The browser's tests run apart: `npm run test:browser`. */
export default defineConfig({
  test: {
    projects: [
      // Groups run one after the other, since each has its own number of workers.
      {
        extends: './server/vitest.config.ts',
        root: 'server',
        test: { name: 'server', sequence: { groupOrder: 0 } },
      },
      { extends: './web/vitest.config.ts', root: 'web', test: { name: 'web', sequence: { groupOrder: 1 } } },
      { extends: './cli/vitest.config.ts', root: 'cli', test: { name: 'cli', sequence: { groupOrder: 3 } } },
      {
        extends: './doubles/stripe/vitest.config.ts',
        root: 'doubles/stripe',
        test: { name: 'doubles', sequence: { groupOrder: 2 } },
      },
      {
        extends: './doubles/paypal/vitest.config.ts',
        root: 'doubles/paypal',
        test: { name: 'doubles-paypal', sequence: { groupOrder: 2 } },
      },
    ],
  },
});
