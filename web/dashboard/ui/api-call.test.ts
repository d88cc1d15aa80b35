import { expect, it, vi } from 'vitest';
import { toLoggedCurl } from './api-call.ts';

it('D28 a logged request is copied with its query and the body that was kept', () => {
  vi.stubGlobal('window', { location: { origin: 'https://shop.example' } });
  const list = { method: 'GET', path: '/v0/orders/list', query: { take: 5, statuses: ['PAID', 'FAILED'] } };
  expect(toLoggedCurl(list).split(' \\\n')[0]).toBe(
    "curl 'https://shop.example/v0/orders/list?take=5&statuses=PAID&statuses=FAILED'",
  );
  const refund = { method: 'POST', path: '/v0/orders/1/refunds', query: {}, requestBody: { note: "it's" } };
  expect(toLoggedCurl(refund)).toContain(`-d '{"note":"it'\\''s"}'`);
  vi.unstubAllGlobals();
});
