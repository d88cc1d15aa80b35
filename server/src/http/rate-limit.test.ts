import net from 'node:net';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp, type RequestOptions, type TestApp } from '../../test/support/harness.ts';
import { inTransaction } from '../db/transaction.ts';
import { issueKeyPair } from '../flows/workspaces/issue-key-pair.ts';
import { generateKeyPair, type KeyPairPlain } from '../resources/api-keys/key-pairs.ts';

const LIMIT = 8;
const LIVE = 40;
/** What a stranger may send at once. */
const BURST = 200;
const LIST = '/v0/discounts/list';
const TRUSTED = { TRUST_PROXY: 'loopback' };

let app: TestApp;
const warned: Array<Record<string, unknown>> = [];
beforeAll(async () => {
  const sink = { write: (line: string) => void warned.push(JSON.parse(line)) };
  app = await createTestApp(
    {
      RATE_LIMIT_TEST: String(LIMIT),
      RATE_LIMIT_LIVE: String(LIVE),
      DATABASE_CONNECTIONS_MAX: '8',
      ...TRUSTED,
    },
    pino({ level: 'warn' }, sink),
  );
});
afterAll(() => app.close());

/** The clock that limits are measured by stands still while `stoppedMs` is set: no bucket fills in the midst of a flood. */
const runningMs = performance.now.bind(performance);
let stoppedMs: number | null = null;
let passedMs = 0;
vi.spyOn(performance, 'now').mockImplementation(() => stoppedMs ?? runningMs() + passedMs);
const stopClock = () => {
  stoppedMs = Math.ceil(performance.now());
};
const pass = (ms: number) => {
  passedMs += ms;
  if (stoppedMs !== null) stoppedMs += ms;
};
afterEach(() => {
  stoppedMs = null;
});

/** Each test has addresses of its own: what it counts is counted for no other. */
let nextAddress = 0;
function newAddress(): string {
  nextAddress += 1;
  return `203.0.113.${nextAddress}`;
}

const from = (address: string, headers: Record<string, string> = {}): Record<string, string> => ({
  'x-forwarded-for': address,
  ...headers,
});

function flood(count: number, options: RequestOptions = {}, path = LIST) {
  return Promise.all(Array.from({ length: count }, () => app.test.get(path, options)));
}

const statusesOf = (answers: Array<{ status: number }>) =>
  [...new Set(answers.map(({ status }) => status))].sort();
const countOf = (answers: Array<{ status: number }>, status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe('Y11 row 3: a key pair above its limit', () => {
  it('T38 is told 429 with the time to wait; other pairs are not slowed', async () => {
    stopClock();
    const answers = await flood(4 * LIMIT);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3 * LIMIT);
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
    stopClock();
    await flood(2 * LIMIT);
    expect((await app.test.get(LIST)).status).toBe(429);
    pass(1000);
    expect(statusesOf(await flood(LIMIT))).toEqual([200]);
    expect((await app.test.get(LIST)).status).toBe(429);
    pass(1000);
  });

  it('does not shut out its own shop: who has the public key alone counts by address, apart from the secret', async () => {
    stopClock();
    const [attacker, reader] = [newAddress(), newAddress()];
    const answers = await flood(4 * LIMIT, { keys: 'public', headers: from(attacker) });
    expect(statusesOf(answers)).toEqual([200, 429]);
    expect((await app.test.get(LIST, { keys: 'public', headers: from(reader) })).status).toBe(200);
    expect((await app.test.get(LIST)).status).toBe(200);
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
});

describe('Y11 row 1: requests without a valid pair', () => {
  it.each([
    ['a page', '/checkout/unknown', 404],
    ['a path that does not exist', '/v0/nothing/here', 404],
    ['an operation without a key', LIST, 401],
    ['a file of the pages', '/assets/nothing.js', 404],
  ])('are limited by address: %s', async (_name, path, served) => {
    stopClock();
    const headers = from(newAddress());
    const answers = await flood(BURST + 60, { keys: 'none', headers }, path);
    expect(statusesOf(answers)).toEqual([served, 429]);
    expect(countOf(answers, served)).toBe(BURST);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await app.test.get(path, { keys: 'none', headers: from(newAddress()) })).status).toBe(served);
    pass(1000);
    const later = await flood(60, { keys: 'none', headers }, path);
    expect(countOf(later, served)).toBe(40);
  });

  it('are counted before the body is read', async () => {
    stopClock();
    const headers = from(newAddress());
    await flood(BURST + 60, { keys: 'none', headers });
    const body = 'x'.repeat(900_000);
    const answer = await app.test.post('/v0/discounts/create', body, { keys: 'none', headers });
    expect(answer.status).toBe(429);
  });

  it('count as one for all addresses of an IPv6 household', async () => {
    stopClock();
    await flood(BURST + 60, { keys: 'none', headers: from('2001:db8:7:7::1') });
    const neighbour = { keys: 'none', headers: from('2001:db8:7:7:ffff::2') } as const;
    expect((await app.test.get(LIST, neighbour)).status).toBe(429);
    const other = { keys: 'none', headers: from('2001:db8:7:8::1') } as const;
    expect((await app.test.get(LIST, other)).status).toBe(401);
  });

  it('leave probes alone, which are never limited', async () => {
    const answers = await flood(BURST + 60, { keys: 'none', headers: from(newAddress()) }, '/healthz');
    expect(statusesOf(answers)).toEqual([200]);
    expect(answers[0]?.headers['ratelimit-limit']).toBeUndefined();
  });

  it('count nothing for a pair that turns out valid', async () => {
    stopClock();
    const headers = from(newAddress());
    for (let i = 0; i < 30; i += 1) {
      const keys = await makePair();
      expect((await app.live.get(LIST, { keys, headers })).status).toBe(200);
    }
    expect(statusesOf(await flood(BURST, { keys: 'none', headers }))).toEqual([401]);
    expect((await app.test.get(LIST, { keys: 'none', headers })).status).toBe(429);
  });
});

describe('Y11 row 2: an address that tries pairs', () => {
  const guess = (headers: Record<string, string>) =>
    app.test.get(LIST, { keys: generateKeyPair(true), headers });

  it('is refused further unknown ones after 20 in a minute, while valid pairs and pages of it go on', async () => {
    stopClock();
    const address = newAddress();
    const headers = from(address);
    const neverSeen = await makePair();
    const statuses = [];
    for (let i = 0; i < 25; i += 1) statuses.push((await guess(headers)).status);
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(5).fill(429)]);
    const refused = await guess(headers);
    expect(refused.headers['retry-after']).toBe('60');
    expect((await app.live.get(LIST, { headers })).status).toBe(200);
    expect((await app.live.get(LIST, { keys: neverSeen, headers })).status).toBe(200);
    expect((await app.test.get('/checkout/unknown', { keys: 'none', headers })).status).toBe(404);
    expect((await guess(from(newAddress()))).status).toBe(401);
    const lines = warned.filter((line) => line.address === address);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 40, count: 20 });
    pass(60_000);
    expect((await guess(headers)).status).toBe(401);
    for (let i = 0; i < 25; i += 1) await guess(headers);
    expect((await app.live.get(LIST, { headers })).status).toBe(200);
    expect(warned.filter((line) => line.address === address).at(-1)).toMatchObject({ count: 26 });
  });

  it('is told of no more where it tries many at once', async () => {
    stopClock();
    const headers = from(newAddress());
    const statuses = (await Promise.all(Array.from({ length: 60 }, () => guess(headers)))).map(
      ({ status }) => status,
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(40);
  });

  it('is refused for a wrong secret as for an unknown public key, and the pair is not shut out elsewhere', async () => {
    const headers = from(newAddress());
    const { publicKey } = app.other.keys;
    const statuses = [];
    for (let i = 0; i < 22; i += 1) {
      const keys: KeyPairPlain = { publicKey, secretKey: generateKeyPair(true).secretKey };
      statuses.push((await app.test.get(LIST, { keys, headers })).status);
    }
    expect(statuses).toEqual([...Array(20).fill(401), 429, 429]);
    expect((await app.other.get(LIST, { headers: from(newAddress()) })).status).toBe(200);
  });

  it('gets nothing out of the address that it writes itself, behind the proxy that is trusted', async () => {
    const address = newAddress();
    const statuses = [];
    for (let i = 0; i < 22; i += 1) statuses.push((await guess(from(`198.51.100.${i}, ${address}`))).status);
    expect(statuses.slice(20)).toEqual([429, 429]);
  });
});

describe('Y14 without a trusted proxy', () => {
  it('counts by the connection, whatever address the client writes, and says so once', async () => {
    const lines: Array<Record<string, unknown>> = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const bare = await createTestApp({ RATE_LIMIT_TEST: '50', DATABASE_CONNECTIONS_MAX: '4' }, log);
    try {
      const statuses = [];
      for (let i = 0; i < 25; i += 1) {
        const headers = from(`198.51.100.${i}`);
        statuses.push((await bare.test.get(LIST, { keys: generateKeyPair(true), headers })).status);
      }
      expect(statuses.slice(20)).toEqual(Array(5).fill(429));
      const told = lines.filter(({ msg }) => String(msg).includes('TRUST_PROXY'));
      expect(told).toHaveLength(1);
      expect(told[0]).toMatchObject({ level: 40, address: '127.0.0.1' });
    } finally {
      await bare.close();
    }
  });
});

describe('Y13 limits that are switched off', () => {
  it('count no address and no pair when both modes are off, and only their own mode otherwise', async () => {
    const open = await createTestApp({ DATABASE_CONNECTIONS_MAX: '4' });
    try {
      const answers = await Promise.all(Array.from({ length: 60 }, () => open.test.get(LIST)));
      expect(statusesOf(answers)).toEqual([200]);
      expect(answers[0]?.headers['ratelimit-limit']).toBeUndefined();
      const keyless = await Promise.all(
        Array.from({ length: 2 * BURST }, () => open.test.get(LIST, { keys: 'none' })),
      );
      expect(statusesOf(keyless)).toEqual([401]);
    } finally {
      await open.close();
    }
    const half = await createTestApp({ RATE_LIMIT_LIVE: '5', DATABASE_CONNECTIONS_MAX: '4' });
    try {
      const test = await Promise.all(Array.from({ length: 60 }, () => half.test.get(LIST)));
      expect(statusesOf(test)).toEqual([200]);
      const live = await Promise.all(Array.from({ length: 60 }, () => half.live.get(LIST)));
      expect(statusesOf(live)).toEqual([200, 429]);
    } finally {
      await half.close();
    }
  });
});

describe('Y31 a request with two Host headers', () => {
  it('is 400', async () => {
    await app.app.listen({ port: 0, host: '127.0.0.1' });
    const address = app.app.server.address() as net.AddressInfo;
    const answer = await exchange(
      address.port,
      'GET /healthz HTTP/1.1\r\nHost: shop.example\r\nhost: evil.example\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"invalid_input"');
    const one = 'GET /healthz HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n\r\n';
    expect(await exchange(address.port, one)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

function exchange(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = net.connect(port, '127.0.0.1', () => socket.write(request));
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });
}

async function makePair(): Promise<KeyPairPlain> {
  const { db, ids } = app.service;
  const terms = { name: 'One of many', scopes: null, readRequiresSecret: false, nowMs: Date.now() };
  return inTransaction(db, (tx) => issueKeyPair(tx, app.live.scope, { ids, terms }));
}
