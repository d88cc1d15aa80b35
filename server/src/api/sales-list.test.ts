import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer } from '../../test/support/make-catalogue.ts';

interface Listed {
  id: string;
  number: string;
  orderNumber: string;
  status: string;
  type: string;
  value: number;
  currency: string;
  userId: string;
  checkoutId: string | null;
  subscriptionId: string | null;
  createdAt: number;
  [field: string]: unknown;
}

let app: TestApp;
let elementId: string;
let sizeId: string;
const whole: Record<string, Listed[]> = {};
/** The orders of buyers in France, whose country a payment does not show. */
let french: Set<string>;

beforeAll(async () => {
  app = await createTestApp();
  const cheap = await makeOffer(app.test, { price: 100 });
  const dear = await makeOffer(app.test, { price: 5_000 });
  const club = await makePlanOffer(app.test, { price: 700 });
  const { body: element } = await app.test.post('/v0/elements/checkout/create', { offersIds: [cheap, dear] });
  elementId = element.data.checkoutElement.id;
  const { body: field } = await app.test.post('/v0/custom-fields/create', {
    key: 'size',
    label: 'Size',
    type: 'text',
    required: false,
  });
  sizeId = field.data.customField.id;
  const sell = async (body: Record<string, unknown>) => {
    const { body: sold } = await buy(app.test, body);
    return sold.data.order.id as string;
  };
  await sell({ offersIds: [cheap], card: '4000000000000002' });
  await sell({ offersIds: [club], userEmail: 'club_member@example.com' });
  await sell({ elementId, customFields: { size: 'M' } });
  await sell({ elementId, customFields: { size: 'L' } });
  const orderId = await sell({ offersIds: [dear], userEmail: 'paul@example.com', billingDetails: FRANCE });
  french = new Set([orderId]);
  await app.test.post(`/v0/orders/${orderId}/refunds`, { amount: 1 });
  for (const list of ['orders', 'payments']) {
    const { body } = await app.test.get(`/v0/${list}/list`);
    whole[list] = body.data[list];
  }
});
afterAll(() => app.close());

const FRANCE = { countryCode: 'FR' };
const fieldValues = (values: Record<string, string>) => encodeURIComponent(JSON.stringify(values));

/** Each filter with what it must let through, by the fields of the whole list. */
const FILTERS: Array<
  [name: string, query: (rows: Listed[]) => string, passes: (row: Listed, rows: Listed[]) => boolean]
> = [
  ['statuses', () => 'statuses=PAID&statuses=FAILED', ({ status }) => ['PAID', 'FAILED'].includes(status)],
  ['status', () => 'status=PARTIALLY_REFUNDED', ({ status }) => status === 'PARTIALLY_REFUNDED'],
  ['types', () => 'types[]=subscription_initial', ({ type }) => type === 'subscription_initial'],
  ['type', () => 'type=one_time', ({ type }) => type === 'one_time'],
  ['currencies', () => 'currencies=EUR,USD', ({ currency }) => currency === 'EUR'],
  ['currency', () => 'currency=EUR', ({ currency }) => currency === 'EUR'],
  ['countries', () => 'countries=FR,XK', (row) => french.has(String(row.orderId ?? row.id))],
  ['country', () => 'country=FR', (row) => french.has(String(row.orderId ?? row.id))],
  ['valueFrom', () => 'valueFrom=832.5', ({ value }) => value >= 833],
  ['valueTo', () => 'valueTo=833', ({ value }) => value <= 833],
  ['number', ([row]) => `number=%23${row?.number}`, ({ number }, [row]) => number === row?.number],
  ['ids', (rows) => `ids=${rows[0]?.id},${rows[2]?.id}`, (row, rows) => row === rows[0] || row === rows[2]],
  ['checkoutIds', () => `checkoutIds=${elementId}`, ({ checkoutId }) => checkoutId === elementId],
  ['userId', ([row]) => `userId=${row?.userId}`, ({ userId }, [row]) => userId === row?.userId],
  [
    'subscriptionId',
    (rows) => `subscriptionId=${rows.find((row) => row.subscriptionId)?.subscriptionId}`,
    ({ subscriptionId }) => subscriptionId !== null,
  ],
  [
    'createdFrom and createdTo',
    (rows) => `createdFrom=${rows[3]?.createdAt}&createdTo=${rows[1]?.createdAt}`,
    ({ createdAt }, rows) =>
      createdAt >= Number(rows[3]?.createdAt) && createdAt <= Number(rows[1]?.createdAt),
  ],
  [
    'term, a number',
    ([row]) => `term=${row?.orderNumber}`,
    (row, [first]) => row.orderNumber === first?.orderNumber,
  ],
  ['term, an e-mail', () => 'term=paul@example.com', (row) => french.has(String(row.orderId ?? row.id))],
  ['term, a sign that SQL knows', () => 'term=_', ({ subscriptionId }) => subscriptionId !== null],
  [
    'all at once',
    () => 'status=PAID&type=one_time&currency=EUR&country=DE&valueFrom=1',
    (row) => row.status === 'PAID' && row.type === 'one_time',
  ],
];

describe.each(['orders', 'payments'])('GET /v0/%s/list', (list) => {
  const ask = async (query: string) => (await app.test.get(`/v0/${list}/list?${query}`)).body.data;
  const idsOf = (rows: Listed[]) => rows.map(({ id }) => id);

  it.each(FILTERS)('filters by %s', async (_name, query, passes) => {
    const rows = whole[list] ?? [];
    const expected = idsOf(rows.filter((row) => passes(row, rows)));
    expect(expected).not.toEqual([]);
    const data = await ask(`${query(rows)}&returnCount=true`);
    expect(idsOf(data[list])).toEqual(expected);
    expect(data.count).toBe(expected.length);
  });

  it('finds carts by the value of a custom field, by its key or its id, and by nothing less', async () => {
    const [byKey, byId, part] = await Promise.all(
      [{ size: 'M' }, { [sizeId]: 'M' }, { size: '' }].map((values) =>
        ask(`customFields=${fieldValues(values)}`),
      ),
    );
    expect(byKey[list]).toHaveLength(1);
    expect(idsOf(byId[list])).toEqual(idsOf(byKey[list]));
    expect(part[list]).toEqual([]);
  });

  it.each([
    ['half a character in a value', '{"size":"\\ud800"}'],
    ['half a character in a key', '{"\\udc00":"M"}'],
    ['a value with U+0000', '{"size":"M\\u0000"}'],
    ['a key with U+0000', '{"\\u0000":"M"}'],
  ])('refuses %s, which JSON can say and the store cannot hold', async (_name, text) => {
    const { status, body } = await app.test.get(`/v0/${list}/list?customFields=${encodeURIComponent(text)}`);
    expect([status, body.error.details[0].path]).toEqual([400, 'customFields']);
  });

  it.each(['value', 'orderNumber', 'createdAt'])(
    'sorts by %s, both ways, and pages without a gap',
    async (orderBy) => {
      const up = idsOf((await ask(`orderBy=${orderBy}&orderDirection=ASC`))[list]);
      const down = idsOf((await ask(`orderBy=${orderBy}&orderDirection=DESC`))[list]);
      expect(down).toEqual([...up].reverse());
      const walked: string[] = [];
      for (let cursor = ''; ; ) {
        const data = await ask(`orderBy=${orderBy}&take=2${cursor}`);
        walked.push(...idsOf(data[list]));
        expect(data.hasMore).toBe(data.cursor !== null);
        if (!data.hasMore) break;
        cursor = `&cursor=${data.cursor}`;
      }
      expect(walked).toEqual(down);
    },
  );

  it.each(['value', 'orderNumber', 'createdAt'])('goes back through pages sorted by %s', async (orderBy) => {
    const query = `orderBy=${orderBy}&take=2`;
    const first = await ask(query);
    const second = await ask(`${query}&cursor=${first.cursor}`);
    const back = await ask(`${query}&cursor=${second.previousCursor}`);
    expect(idsOf(back[list])).toEqual(idsOf(first[list]));
    expect(back.previousCursor).toBeNull();
  });

  it('counts on its first page, and on others where that is asked for', async () => {
    const count = whole[list]?.length;
    expect((await ask('')).count).toBe(count);
    expect((await ask('take=2')).count).toBe(count);
    expect((await ask('take=2&skip=1')).count).toBeNull();
    expect((await ask('take=2&skip=1&returnCount=true')).count).toBe(count);
    const { cursor } = await ask('take=2');
    expect((await ask(`take=2&cursor=${cursor}`)).count).toBeNull();
    expect((await ask(`take=2&cursor=${cursor}&returnCount=1`)).count).toBe(count);
  });

  it.each(['status=paid', 'statuses=Paid', 'type=ONE_TIME', 'currency=eur', 'country=fr', 'orderBy=VALUE'])(
    'takes words in any case: %s',
    async (query) => {
      const [name, value = ''] = query.split('=');
      const exact =
        name === 'type' ? value.toLowerCase() : name === 'orderBy' ? 'value' : value.toUpperCase();
      expect(idsOf((await ask(query))[list])).toEqual(idsOf((await ask(`${name}=${exact}`))[list]));
    },
  );

  it('takes `archived` as a status for only what is archived', async () => {
    expect(await ask('status=archived')).toMatchObject({ [list]: [], count: 0 });
  });

  it.each([
    'country=ZZ',
    'countries=DE,ZZ',
    'currency=EUX',
    'status=GONE',
    'type=gift',
    'orderBy=name',
    'valueFrom=x',
  ])('refuses %s', async (query) =>
    expectRefusal(app.test.get(`/v0/${list}/list?${query}`), 400, 'invalid_input'),
  );
});

describe('the number of matches of a long list', () => {
  it('is counted up to 10,000 and beyond that only where it is asked for', async () => {
    const { db } = app.service;
    const [order] = whole.orders ?? [];
    const add = (from: number, to: number) =>
      sql`insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(),
        'number', 'COUNTED' || n))).* from orders o, generate_series(${from}::int, ${to}::int) n
        where o.id = ${order?.id}`.execute(db);
    const count = async (query: string) =>
      (await app.test.get(`/v0/orders/list?take=1${query}`)).body.data.count;
    const missing = 10_000 - (whole.orders?.length ?? 0);
    await add(1, missing);
    expect(await count('')).toBe(10_000);
    await add(missing + 1, missing + 1);
    expect(await count('')).toBeNull();
    expect(await count('&returnCount=true')).toBe(10_001);
    expect(await count(`&ids=${order?.id}`)).toBe(1);
  });
});
