import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, createTestApp, type TestApp } from '../../test/support/harness.ts';
import { coerceQuery, parseQueryString, toMs } from './query.ts';

let app: TestApp;
let ids: string[];
beforeAll(async () => {
  app = await createTestApp();
  const made = [];
  for (const name of ['a', 'b', 'c', 'd']) {
    const body = { type: 'sale', amount: 10, amountType: 'percentage', name };
    made.push((await app.test.post('/v0/discounts/create', body)).body.data.discount.id);
  }
  ids = made;
  await app.test.patch(`/v0/discounts/${ids[3]}/archive`);
});
afterAll(() => app.close());

function list(query: string): Promise<Answer> {
  return app.test.get(`/v0/discounts/list${query}`);
}

async function namesOf(query: string): Promise<string> {
  const { body } = await list(query);
  return body.data.discounts
    .map(({ name }: { name: string }) => name)
    .sort()
    .join('');
}

describe('the spellings of a list', () => {
  it('are one: repeated, with brackets, with numbered brackets, with commas', async () => {
    const [a, b] = ids;
    for (const query of [
      `ids=${a}&ids=${b}`,
      `ids[]=${a}&ids[]=${b}`,
      `ids=${a},${b}`,
      `ids[0]=${a}&ids[1]=${b}`,
      `ids=${a?.toUpperCase()},${b}`,
    ]) {
      expect(await namesOf(`?${query}`), query).toBe('ab');
    }
    expect(await namesOf(`?ids%5B%5D=${a}&ids=${b},`)).toBe('ab');
  });
});

describe('a parameter', () => {
  it.each(['term=', 'term=null', 'statuses=', 'statuses[]=null', 'take=', 'archived=null', 'type='])(
    'counts as not given in %s',
    async (query) => {
      expect(await namesOf(`?${query}`)).toBe('abc');
    },
  );

  it.each([
    'utm_source=mail',
    '__proto__=1',
    'constructor=1',
    'toString=x',
    'skip[a]=1',
    'a.b=c',
    '=1',
    '&&&',
  ])('that is unknown is ignored: %s', async (query) => {
    expect(await namesOf(`?${query}`)).toBe('abc');
  });

  it.each([
    'type=coupon',
    'statuses=active,gone',
    'ids=1',
    'take=x',
    'take=1.5',
    'take=0',
    'skip=-1',
    'skip=9007199254740993',
    'archived=yes',
    'archived=2',
    'cursor=nonsense',
    `term=${'x'.repeat(201)}`,
  ])('with a wrong value is 400: %s', async (query) => {
    const answer = await list(`?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('invalid_input');
    expect(answer.body.error.message).toContain(query.split('=')[0]);
  });

  it.each(['take=1&take=2', 'archived=true&archived[]=false', 'term=a&term=b'])(
    'that holds one value is 400 with two: %s',
    async (query) => {
      const { status, body } = await list(`?${query}`);
      const path = query.split('=')[0];
      expect([status, body.error.details]).toEqual([400, [{ path, message: 'must be given once' }]]);
      const twice = query.replace(/=[^&]*$/, query.match(/=[^&]*/)?.[0] ?? '');
      expect((await list(`?${twice}`)).status).toBe(200);
    },
  );

  it.each(['status=active', 'statuses=ACTIVE', 'status=Active', 'status[]=aCtIvE', 'type=SALE'])(
    'that is a word may be written in any case: %s',
    async (query) => {
      expect(await namesOf(`?${query}`)).toBe('abc');
    },
  );

  it('of a status is one in both of its spellings', async () => {
    expect(await namesOf('?status=archived')).toBe('d');
    expect(await namesOf('?statuses=archived')).toBe('d');
    expect(await namesOf('?status=inactive')).toBe('');
    expect(await namesOf('?status=inactive&statuses=active')).toBe('abc');
  });

  it('of a status is known to every list that has one', async () => {
    const withStatuses = ['products', 'offers', 'elements/checkout', 'users', 'custom-fields', 'webhooks'];
    for (const list of [...withStatuses, 'orders', 'payments', 'discounts']) {
      const { status } = await app.test.get(`/v0/${list}/list?status=archived&statuses=archived`);
      expect({ list, status }).toEqual({ list, status: 200 });
      expect({ list, status: (await app.test.get(`/v0/${list}/list?status=gone`)).status }).toEqual({
        list,
        status: 400,
      });
    }
    expect((await app.test.get('/v0/subscriptions/list?statuses=ACTIVE,past_due&status=all')).status).toBe(
      200,
    );
    expect((await app.test.get('/v0/mails/list?status=SENT')).status).toBe(200);
    expect((await app.test.get('/v0/products/list?status=active')).status).toBe(200);
  });

  it.each(['true', '1'])('of truth may be %s', async (truth) => {
    expect(await namesOf(`?archived=${truth}`)).toBe('d');
    expect(await namesOf(`?withArchived=${truth}`)).toBe('abcd');
  });

  it.each(['%00', 'a%00b', '%ff', '%', '%E0%A4%A', '%5C', '%25', '_', "'", '%ud800'])(
    'with the odd text %s is answered, never 500',
    async (text) => {
      const { status } = await list(`?term=${text}`);
      expect([200, 400]).toContain(status);
    },
  );

  it('with signs of a pattern finds them as they are', async () => {
    expect(await namesOf('?term=%25')).toBe('');
    expect(await namesOf('?term=_')).toBe('');
    expect(await namesOf('?term=A')).toBe('a');
  });
});

describe('a number', () => {
  it.each(['-1.7976931348623157e+308', '-1.7976931348623157e%2B308', '-1e3', '12.5'])(
    'is understood as %s',
    async (value) => {
      expect((await app.test.get(`/v0/orders/list?valueFrom=${value}`)).status).toBe(200);
    },
  );
});

describe('take', () => {
  it('above 100 is 400 where it is not said to be served as 100', async () => {
    expect((await app.test.get('/v0/subscriptions/list?take=100')).status).toBe(200);
    for (const path of ['/v0/subscriptions/list', '/subscriptions', '/v0/elements/checkout/list'])
      expect((await app.test.get(`${path}?take=101`)).status).toBe(400);
  });

  it('above 100 is served as 100', async () => {
    const { status, body } = await list('?take=100000');
    expect({ status, count: body.data.count }).toEqual({ status: 200, count: 3 });
  });
});

describe('a time', () => {
  const created = (from: string) => app.test.get(`/v0/orders/list?createdFrom=${from}&returnCount=true`);

  it.each([
    '1700000000000',
    '1700000000',
    '2023-11-14',
    '2023-11-14T22:13:20Z',
    '2023-11-14T22:13:20%2B01:00',
    '2023-11-14T22:13:20+01:00',
    '2023-11-14 22:13',
  ])('is understood as %s', async (time) => {
    expect((await created(time)).status).toBe(200);
  });

  it.each([
    ...['yesterday', '2023-13-01', '14.11.2023', '-5', '1e400', '2023-11-14T25:00:00Z'],
    // Of days that are not in the calendar another program may have meant the one before, or the one behind.
    ...['2023-02-29', '2024-02-30', '2023-04-31T10:00:00Z', '2023-00-01'],
  ])('is 400 as %s', async (time) => {
    expect((await created(time)).status).toBe(400);
  });

  it('of a body that is no day of the calendar is refused, too', async () => {
    const code = { type: 'coupon', code: 'NO-DAY', amount: 5, amountType: 'percentage' };
    const { status } = await app.test.post('/v0/discounts/create', { ...code, expiresAt: '2030-02-30' });
    expect(status).toBe(400);
  });

  it('that ends a window is meant whole where it is a day alone, and to the moment where it has an hour', async () => {
    const query = {
      createdFrom: { type: 'integer', 'x-time': true },
      createdTo: { type: 'integer', 'x-time': true, 'x-whole-day': true },
    };
    const read = (text: string) => coerceQuery(query, parseQueryString(text));
    expect(read('createdFrom=2026-01-31&createdTo=2026-01-31')).toEqual({
      createdFrom: Date.UTC(2026, 0, 31),
      createdTo: Date.UTC(2026, 1, 1) - 1,
    });
    expect(read('createdTo=2026-01-31T00:00')).toEqual({ createdTo: Date.UTC(2026, 0, 31) });
    const made = await app.test.post('/v0/users/create', { email: 'whole-day@example.com' });
    const { user } = made.body.data;
    const day = new Date(user.createdAt).toISOString().slice(0, 10);
    const listed = await app.test.get(`/v0/users/list?createdAfter=${day}&createdBefore=${day}`);
    expect(listed.body.data.users.map(({ id }: { id: string }) => id)).toContain(user.id);
  });

  it('below 100,000,000,000 is seconds', () => {
    expect(toMs(99_999_999_999)).toBe(99_999_999_999_000);
    expect(toMs(100_000_000_000)).toBe(100_000_000_000);
    expect(toMs(0)).toBe(0);
  });
});

describe('parseQueryString', () => {
  it('keeps the order of repeated values and has no prototype to be reached', () => {
    const query = parseQueryString('a=2&a[]=1&a[7]=3&__proto__=x');
    expect(query.a).toEqual(['2', '1', '3']);
    expect(Object.getPrototypeOf(query)).toBeNull();
  });
});
