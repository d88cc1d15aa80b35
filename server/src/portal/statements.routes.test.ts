import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';

const SHOP = 'https://shop.example';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

describe('a statement that a page of the shop sends', () => {
  it.each(['/v0/portal/withdrawals', '/v0/portal/cancellation-notices'])(
    'has its preflight to %s answered',
    async (url) => {
      const { statusCode, headers } = await app.app.inject({
        method: 'OPTIONS',
        url,
        headers: { origin: SHOP, 'access-control-request-method': 'POST' },
      });
      expect(statusCode).toBe(204);
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': expect.stringContaining('POST'),
        'access-control-allow-headers': expect.stringContaining('content-type'),
      });
    },
  );
});
