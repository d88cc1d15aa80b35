/** Lists, retries and errors. */
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS } from '../../server/src/domain/errors.ts';
import { buy } from '../../server/test/support/buying.ts';
import { makeOffer } from '../../server/test/support/make-catalogue.ts';
import {
  type ApiError,
  AuthenticationError,
  type CallOptions,
  ConflictError,
  ConnectionError,
  Counterfoil,
  CounterfoilError,
  hasCode,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '../src/index.ts';
import { type Service, startCuttingProxy, startService, startStub } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const PAIR = { publicKey: 'pub_test_x', secretKey: 'sec_test_never_shown' };
const succeed = (data: unknown) => JSON.stringify({ status: 'success', data });
const refuse = (code: string) =>
  JSON.stringify({ status: 'error', error: { code, message: 'No.', requestId: 'r' } });

describe('X05 lists', () => {
  const ORDERS = 250;
  beforeAll(async () => {
    const offersIds = [await makeOffer(service.app.test)];
    for (let made = 0; made < ORDERS; made += 10)
      await Promise.all(Array.from({ length: 10 }, () => buy(service.app.test, { offersIds })));
  });

  it('X05 walk all by pages of 7, each once', async () => {
    const numbers = new Set<string>();
    for await (const order of service.shop().orders.list({ take: 7 })) numbers.add(order.number);
    expect(numbers.size).toBe(ORDERS);
  });

  it('X05 send no more once the loop is left', async () => {
    let sent = 0;
    const shop = service.shop({
      fetch: (input, init) => {
        sent += 1;
        return fetch(input, init);
      },
    });
    let seen = 0;
    for await (const _order of shop.orders.list({ take: 7 })) if (++seen === 10) break;
    expect(sent).toBe(2);
    expect(await shop.orders.list({ take: 7 }).toArray({ max: 14 })).toHaveLength(14);
    expect(sent).toBe(4);
    const page = await shop.orders.list({ take: 7 });
    expect(page).toMatchObject({ count: ORDERS, hasMore: true });
    expect(page.data).toHaveLength(7);
    for await (const one of shop.orders.list({ take: 100 }).pages())
      expect(one.data.length).toBeGreaterThan(0);
  });
});

describe('X06 effects', () => {
  it('X06 happen once, although the first answer of each was cut', async () => {
    const seen = new Set<string>();
    const proxy = await startCuttingProxy(service.baseUrl, ({ headers }) => {
      const key = String(headers['idempotency-key']);
      return !seen.has(key) && seen.add(key) !== undefined;
    });
    try {
      const offerId = await makeOffer(service.app.test, { price: 100_000 });
      const { body } = await buy(service.app.test, { offersIds: [offerId] });
      const number = String(body.data.order.number);
      const shop = service.shop({ baseUrl: proxy.url });
      const ids: string[] = [];
      for (let made = 0; made < 200; made += 10) {
        const ten = Array.from({ length: 10 }, () => shop.orders.refund(number, { amount: 1 }));
        ids.push(...(await Promise.all(ten)).map(({ refund }) => refund.id));
      }
      const { order, refunds } = await service.shop().orders.get(number);
      expect(order.refundedValue).toBe(200);
      expect(new Set(ids).size).toBe(200);
      expect(refunds).toHaveLength(200);
      expect(seen.size).toBe(200);
    } finally {
      await proxy.close();
    }
  });
});

describe('X07 waiting', () => {
  it('X07 obeys a short Retry-After, and throws a long one at once', async () => {
    const times: number[] = [];
    const stub = await startStub((request, reply) => {
      times.push(performance.now());
      const wait = request.url === '/v0/settings' ? '2' : '120';
      if (times.length === 2) return void reply.writeHead(200).end(succeed({ settings: { new: true } }));
      reply.writeHead(429, { 'retry-after': wait }).end(refuse('rate_limited'));
    });
    try {
      const shop = new Counterfoil({ baseUrl: stub.url, ...PAIR });
      await shop.settings.get();
      expect(times).toHaveLength(2);
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_990);
      const error = await shop.whoami().catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error).toMatchObject({ retryAfterMs: 120_000, attempts: 1 });
      expect(times).toHaveLength(3);
    } finally {
      await stub.close();
    }
  });

  it('X07 tries a state that refuses no second time, and work in progress again', async () => {
    let tries = 0;
    const stub = await startStub(({ url }, reply) => {
      tries += 1;
      reply.writeHead(409).end(refuse(url?.includes('cancel') ? 'order_state' : 'request_in_progress'));
    });
    try {
      const shop = new Counterfoil({ baseUrl: stub.url, ...PAIR });
      const error = await shop.orders.cancel('1').catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(ConflictError);
      expect(hasCode(error, 'order_state')).toBe(true);
      expect(tries).toBe(1);
      await expect(shop.orders.refund('1')).rejects.toMatchObject({ attempts: 3 });
      expect(tries).toBe(4);
    } finally {
      await stub.close();
    }
  });

  it('ends a try that takes too long, and what its caller gives up', async () => {
    const stub = await startStub(() => {});
    try {
      const shop = new Counterfoil({ baseUrl: stub.url, ...PAIR, timeoutMs: 50, maxRetries: 0 });
      await expect(shop.whoami()).rejects.toBeInstanceOf(TimeoutError);
      const given = new AbortController();
      const call = shop.whoami({ signal: given.signal, timeoutMs: 0 }).catch((caught: unknown) => caught);
      given.abort(new Error('changed my mind'));
      expect(await call).toMatchObject({ message: 'changed my mind' });
    } finally {
      await stub.close();
    }
    const gone = new Counterfoil({ baseUrl: stub.url, ...PAIR, maxRetries: 0 });
    await expect(gone.whoami()).rejects.toBeInstanceOf(ConnectionError);
  });
});

describe('refusals', () => {
  const CLASSES: Record<number, typeof ApiError> = {
    401: AuthenticationError,
    403: PermissionError,
    404: NotFoundError,
    409: ConflictError,
    412: ConflictError,
    429: RateLimitError,
  };

  it('have a class by their status, the code, the request and an address for each code', async () => {
    let code = '';
    let status = 200;
    const stub = await startStub((_request, reply) => {
      reply.writeHead(status, { 'x-request-id': 'r-1' }).end(refuse(code));
    });
    try {
      const shop = new Counterfoil({ baseUrl: stub.url, ...PAIR, maxRetries: 0 });
      for (const [word, one] of Object.entries(ERRORS)) {
        code = word;
        status = one.status;
        const error = await shop.whoami().catch((caught: unknown) => caught);
        const Class = CLASSES[status] ?? (status >= 500 ? ServerError : InvalidRequestError);
        expect(error, word).toBeInstanceOf(Class);
        expect(error).toMatchObject({
          code,
          status,
          requestId: 'r-1',
          docUrl: `${stub.url}/docs/errors/${code}`,
        });
      }
    } finally {
      await stub.close();
    }
  });

  it('X08 lead to a page that is there where a proxy answers in the place of the service, and doubt its address', async () => {
    let status = 502;
    const stub = await startStub((_request, reply) => {
      reply.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
    });
    try {
      const shop = new Counterfoil({ baseUrl: stub.url, ...PAIR, maxRetries: 0 });
      const error = await shop.whoami().catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(ServerError);
      expect(error).toMatchObject({ code: 'http_502', status: 502, docUrl: `${stub.url}/docs` });
      status = 200;
      const message = expect.stringContaining('is baseUrl right?');
      await expect(shop.whoami()).rejects.toMatchObject({ name: 'ConnectionError', message, attempts: 1 });
    } finally {
      await stub.close();
    }
    expect((await fetch(`${service.baseUrl}/docs`)).status).toBe(200);
  });

  it('X12 name a header that cannot be sent at once, without what is in it', async () => {
    let sent = 0;
    const counted: typeof fetch = () => {
      sent += 1;
      return Promise.reject(new TypeError('not reached'));
    };
    const shop = new Counterfoil({ baseUrl: 'http://localhost', ...PAIR, fetch: counted });
    const wrong: CallOptions[] = [
      { idempotencyKey: 'order\n7' },
      { headers: { authorization: 'sec_€' } },
      { headers: { 'a b': '1' } },
    ];
    for (const options of wrong) {
      const error = await shop.whoami(options).catch((caught: unknown) => caught);
      const made = await shop.products
        .create({ type: 'Game', name: 'P' }, options)
        .catch((caught: unknown) => caught);
      if (!('idempotencyKey' in options)) expect(error).toMatchObject({ name: 'CounterfoilError' });
      expect(made).toMatchObject({ name: 'CounterfoilError' });
      expect(inspect(made)).not.toContain('sec_');
    }
    // Reads bear no such key.
    expect(sent).toBe(3);
  });

  it('are known across copies of the package', () => {
    const other = { [Symbol.for('counterfoil.error')]: true };
    expect(CounterfoilError.is(other)).toBe(true);
    expect(CounterfoilError.is(new Error('no'))).toBe(false);
  });
});

describe('X04 what the client does by itself', () => {
  const made = { id: 'e', url: '/export-files/e?signature=s' };

  it('X04 follows the link of an export without keys, as the body comes, and again where it was cut', async () => {
    const asked: Array<Record<string, unknown>> = [];
    const stub = await startStub(({ url, headers }, reply) => {
      asked.push({ url, ...headers });
      if (asked.length === 1) return void reply.writeHead(503, { 'retry-after': '0' }).end();
      reply.writeHead(206, { 'content-type': 'application/gzip' }).end('bytes');
    });
    try {
      const shop = new Counterfoil({ baseUrl: `${stub.url}/`, ...PAIR });
      const file = await shop.exports.download(made, { headers: { range: 'bytes=0-4' } });
      expect([file.status, await file.text()]).toEqual([206, 'bytes']);
      expect(asked).toHaveLength(2);
      expect(asked[1]).toMatchObject({ url: made.url, range: 'bytes=0-4' });
      expect(JSON.stringify(asked)).not.toMatch(/_test_|idempotency/);
      await expect(shop.exports.download({ url: null })).rejects.toBeInstanceOf(CounterfoilError);
    } finally {
      await stub.close();
    }
  });

  it('X04 tells a link that is over as what the service says of it', async () => {
    const stub = await startStub((_request, reply) => reply.writeHead(404).end(refuse('not_found')));
    try {
      const shop = new Counterfoil({ baseUrl: stub.url, ...PAIR });
      await expect(shop.exports.download(made)).rejects.toBeInstanceOf(NotFoundError);
    } finally {
      await stub.close();
    }
  });

  it('X07 says where a redirect leads, and asks once', async () => {
    const stub = await startStub((_request, reply) =>
      reply.writeHead(301, { location: 'https://pay.example/v0/whoami?a=b' }).end(),
    );
    try {
      const asked = new Counterfoil({ baseUrl: stub.url, ...PAIR }).whoami();
      const message = 'The service sends on to https://pay.example, which is not followed: is baseUrl right?';
      await expect(asked).rejects.toMatchObject({ name: 'ConnectionError', message, attempts: 1 });
    } finally {
      await stub.close();
    }
    for (const baseUrl of ['https://a.example?x=1', 'https://a.example/#b', 'https://ada:pw@a.example'])
      expect(() => new Counterfoil({ baseUrl, ...PAIR })).toThrow('baseUrl must be an address');
  });

  it('X04 signs and verifies webhooks', async () => {
    const shop = new Counterfoil({ baseUrl: 'http://127.0.0.1:1', ...PAIR });
    const [secret, body] = ['whsec_Y291bnRlcmZvaWwtc2hhcmVkLXZlY3Rvcg==', '{"type":"payment_success"}'];
    const headers = await shop.webhooks.sign({
      body,
      secret,
      id: 'e1',
      timestampS: Math.floor(Date.now() / 1000),
    });
    expect(await shop.webhooks.verify({ body, headers, secret })).toEqual({ type: 'payment_success' });
  });

  it('makes an error of a message alone, and waits without end where it is told to', async () => {
    for (const Kind of [ConnectionError, TimeoutError])
      expect(new Kind('gone')).toMatchObject({ message: 'gone', attempts: 1, name: Kind.name });
    const stub = await startStub((_request, reply) => reply.end(succeed({})));
    try {
      const shop = new Counterfoil({ baseUrl: stub.url, ...PAIR, maxRetries: 0 });
      for (const timeoutMs of [2 ** 31, Number.POSITIVE_INFINITY]) await shop.whoami({ timeoutMs });
    } finally {
      await stub.close();
    }
  });

  it.each(['', '.', '..'])('asks nothing of an id that would be another path: %j', async (id) => {
    const answer: typeof fetch = () => Promise.reject(new Error('asked'));
    const shop = new Counterfoil({ baseUrl: 'http://127.0.0.1:1', ...PAIR, fetch: answer, maxRetries: 0 });
    expect(() => shop.orders.get(id)).toThrow('An id is missing.');
    expect(() => shop.users.get('list')).toThrow('list is no id.');
  });
});

describe('X11 what is new', () => {
  it('X11 breaks nothing: a word, a field, a type of event', async () => {
    const stub = await startStub((_request, reply) => {
      const orders = [{ status: 'TELEPORTED', colour: 'blue' }];
      reply
        .writeHead(200)
        .end(succeed({ orders, count: null, hasMore: false, cursor: null, previousCursor: null }));
    });
    try {
      const { data } = await new Counterfoil({ baseUrl: stub.url, ...PAIR }).orders.list();
      expect(data).toEqual([{ status: 'TELEPORTED', colour: 'blue' }]);
    } finally {
      await stub.close();
    }
  });
});

describe('X12 keys', () => {
  it('X12 are not shown where they hold what no header takes, and are sent once whatever the headers are called', async () => {
    for (const broken of [{ secretKey: 'sec_test_never\nshown' }, { publicKey: 'pub_test_never shown' }]) {
      const make = () => new Counterfoil({ baseUrl: 'http://127.0.0.1:1', ...PAIR, ...broken });
      expect(make).toThrow(CounterfoilError);
      expect(make).not.toThrow(/never/);
    }
    const sent: Headers[] = [];
    const answer: typeof fetch = async (_input, init) => {
      sent.push(new Headers(init?.headers));
      return new Response(succeed({}));
    };
    const shop = new Counterfoil({ baseUrl: 'http://127.0.0.1:1', ...PAIR, fetch: answer });
    await shop.products.create(
      { type: 'Game', name: 'Chess' },
      { headers: { 'Idempotency-Key': 'mine', 'X-SVC-Secret-Key': 'other' } },
    );
    expect(sent.map((one) => [one.get('idempotency-key'), one.get('x-svc-secret-key')])).toEqual([
      ['mine', PAIR.secretKey],
    ]);
  });

  it('X06 are sent at once, although nobody waits for them; a list is asked for once somebody looks', async () => {
    const sent: string[] = [];
    const answer: typeof fetch = async (input) => {
      sent.push(String(input));
      return new Response(
        succeed({ orders: [], count: 0, hasMore: false, cursor: null, previousCursor: null }),
      );
    };
    const shop = new Counterfoil({ baseUrl: 'http://127.0.0.1:1', ...PAIR, fetch: answer });
    const list = shop.orders.list();
    void shop.orders.refund('7K3M9XQ2V8TD', { amount: 500 });
    expect(sent).toEqual(['http://127.0.0.1:1/v0/orders/7K3M9XQ2V8TD/refunds']);
    await list;
    await list;
    expect(sent).toHaveLength(2);
  });

  it('X12 are shown by nothing that is printed', async () => {
    const stub = await startStub((_request, reply) => reply.writeHead(401).end(refuse('unauthorized')));
    const shop = new Counterfoil({ baseUrl: stub.url, ...PAIR, maxRetries: 0 });
    const refused = await shop.whoami().catch((caught: unknown) => caught);
    await stub.close();
    const lost = await shop.whoami().catch((caught: unknown) => caught);
    for (const one of [shop, refused, lost]) {
      const shown = [inspect(one, { depth: 9, showHidden: true }), JSON.stringify(one), String(one)].join(
        '\n',
      );
      expect(shown).not.toContain(PAIR.secretKey);
      expect(shown).not.toContain(PAIR.publicKey);
    }
  });
});
