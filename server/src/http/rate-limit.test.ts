import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';

const LIMIT = 8;
const LIVE = 40;
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({
    RATE_LIMIT_TEST: String(LIMIT),
    RATE_LIMIT_LIVE: String(LIVE),
    DATABASE_CONNECTIONS_MAX: '8',
  });
});
afterAll(() => app.close());

const LIST = '/v0/discounts/list';

/** Many requests at once lie within one second of the limit, or within two when it turns meanwhile. */
function flood(count: number) {
  return Promise.all(Array.from({ length: count }, () => app.test.get(LIST)));
}

describe('a key pair above its limit', () => {
  it('is told 429 with the time to wait; other pairs are not slowed', async () => {
    const answers = await flood(4 * LIMIT);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(2 * LIMIT);
    expect(answers.filter(({ status }) => status !== 429 && status !== 200)).toEqual([]);
    for (const { headers, body } of refused) {
      expect(body.error.code).toBe('rate_limited');
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(headers).toMatchObject({ 'ratelimit-limit': String(LIMIT), 'ratelimit-remaining': '0' });
    }
    expect((await app.other.get(LIST)).status).toBe(200);
    expect((await app.live.get(LIST)).status).toBe(200);
  });

  it('is served again soon', async () => {
    await flood(2 * LIMIT);
    await expect
      .poll(async () => (await app.test.get(LIST)).status, { timeout: 60_000, interval: 250 })
      .toBe(200);
  });
});

describe('the headers of the limit', () => {
  it('tell how many requests are left, by mode', async () => {
    const { headers } = await app.other.get(LIST);
    expect(headers['ratelimit-limit']).toBe(String(LIMIT));
    expect(Number(headers['ratelimit-remaining'])).toBeLessThan(LIMIT);
    expect(Number(headers['ratelimit-reset'])).toBeLessThanOrEqual(1);
    expect((await app.live.get(LIST)).headers['ratelimit-limit']).toBe(String(LIVE));
  });

  it('are absent from the probes, which are never limited', async () => {
    const answers = await Promise.all(
      Array.from({ length: 3 * LIMIT }, () => app.test.get('/healthz', { keys: 'none' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('are absent where the limit is off', async () => {
    const open = await createTestApp({ DATABASE_CONNECTIONS_MAX: '4' });
    try {
      const answers = await Promise.all(Array.from({ length: 5 * LIMIT }, () => open.test.get(LIST)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(answers[0]?.headers['ratelimit-limit']).toBeUndefined();
    } finally {
      await open.close();
    }
  });
});

describe('a caller without a key', () => {
  it('is limited by address on the pages that need none', async () => {
    const pages = [];
    for (let i = 0; i < 3 * LIVE; i += 1)
      pages.push(await app.test.get('/checkout/unknown', { keys: 'none' }));
    const statuses = pages.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
    const refused = pages.find(({ status }) => status === 429);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await app.other.get(LIST)).status).toBe(200);
  });
});
