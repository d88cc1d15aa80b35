import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp, type TestStore } from '../../test/support/harness.ts';
import { decodeCursor, encodeCursor } from './paging.ts';

let app: TestApp;
const COUNT = 47;

beforeAll(async () => {
  app = await createTestApp();
  const { db, ids } = app.service;
  const { workspaceId } = app.test.scope;
  // Three moments for all rows: only the id tells most of them apart.
  const rows = Array.from({ length: COUNT }, (_, i) => ({
    workspaceId,
    testMode: true,
    id: ids.next(1_700_000_000_000),
    type: 'sale' as const,
    amountType: 'percentage' as const,
    amount: 1000n,
    name: `Sale ${i}`,
    status: 'active' as const,
    createdAt: 1_700_000_000_000 + (i % 3),
    updatedAt: 1,
    currency: null,
    discountCode: null,
    codeNormal: null,
    validFrom: null,
    validUntil: null,
    purchaseLimit: null,
    limitPerUser: null,
    durationIntervals: null,
    archivedAt: null,
  }));
  await db.insertInto('discounts').values(rows).execute();
});
afterAll(() => app.close());

interface Shown {
  id: string;
  createdAt: number;
}

const list = (query: Record<string, string>, store: TestStore = app.test) =>
  store.get('/v0/discounts/list', { query });

async function walkByCursor(take: number): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await list({ take: String(take), cursor });
    shown.push(...body.data.discounts);
    expect(body.data.count).toBe(COUNT);
    expect(body.data.hasMore).toBe(body.data.cursor !== null);
    if (body.data.cursor === null) return shown;
    cursor = body.data.cursor;
  }
}

async function walkBySkip(take: number): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (let hasMore = true; hasMore; ) {
    const { body } = await list({ take: String(take), skip: String(shown.length) });
    shown.push(...body.data.discounts);
    hasMore = body.data.hasMore;
  }
  return shown;
}

describe('paging over rows of equal age', () => {
  it.each([1, 5, 46, 47, 48])('shows each row once, in pages of %i, by cursor and by skip', async (take) => {
    const byCursor = await walkByCursor(take);
    expect(new Set(byCursor.map(({ id }) => id)).size).toBe(COUNT);
    expect(byCursor).toHaveLength(COUNT);
    expect((await walkBySkip(take)).map(({ id }) => id)).toEqual(byCursor.map(({ id }) => id));
  });

  it('is newest first', async () => {
    const times = (await walkByCursor(10)).map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  it.each([1, 5, 46])('goes back by previousCursor over the pages of %i that it came by', async (take) => {
    type Data = {
      discounts: Shown[];
      cursor: string | null;
      previousCursor: string | null;
      hasMore: boolean;
    };
    const there: Data[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await list({ take: String(take), cursor });
      there.push(body.data);
      if (body.data.cursor === null) break;
      cursor = body.data.cursor;
    }
    expect(there[0]?.previousCursor).toBeNull();
    const idsOf = (data: Data | undefined) => data?.discounts.map(({ id }) => id);
    // The last page may be shorter than those that end before it.
    for (let back = there.at(-1), at = there.length - 2; at >= 0; at -= 1) {
      back = (await list({ take: String(take), cursor: back?.previousCursor ?? 'none' })).body.data as Data;
      expect(idsOf(back)).toEqual(idsOf(there[at]));
      expect(back).toMatchObject({ hasMore: true, cursor: there[at]?.cursor });
      expect(back.previousCursor === null).toBe(at === 0);
    }
  });

  it('answers the page before one that was reached by skip, in its own order', async () => {
    const all = (await walkByCursor(100)).map(({ id }) => id);
    const { body } = await list({ take: '5', skip: '12' });
    const before = await list({ take: '5', cursor: body.data.previousCursor });
    expect(before.body.data.discounts.map(({ id }: Shown) => id)).toEqual(all.slice(7, 12));
  });

  it('neither repeats nor skips a row when newer ones come in between', async () => {
    const first = await list({ take: '20' });
    await app.other.post('/v0/discounts/create', { type: 'sale', amount: 1, amountType: 'percentage' });
    const made = await app.test.post('/v0/discounts/create', {
      type: 'sale',
      amount: 1,
      amountType: 'percentage',
    });
    const rest = await list({ take: '100', cursor: first.body.data.cursor });
    const ids = [...first.body.data.discounts, ...rest.body.data.discounts].map(({ id }: Shown) => id);
    expect(new Set(ids).size).toBe(COUNT);
    expect(ids).not.toContain(made.body.data.discount.id);
    await app.service.db.deleteFrom('discounts').where('id', '=', made.body.data.discount.id).execute();
  });

  it('shows nothing beyond the end and 20 rows when not asked', async () => {
    const beyond = await list({ skip: '1000' });
    expect(beyond.body.data).toMatchObject({ discounts: [], count: COUNT, cursor: null, hasMore: false });
    expect((await list({})).body.data.discounts).toHaveLength(20);
  });
});

describe('a cursor', () => {
  it('of another workspace shows none of its rows', async () => {
    const { body } = await list({ take: '5' });
    const answer = await list({ cursor: body.data.cursor }, app.other);
    const shown: Shown[] = answer.body.data.discounts;
    const own = new Set((await walkByCursor(100)).map(({ id }) => id));
    expect(shown.filter(({ id }) => own.has(id))).toEqual([]);
  });

  it.each([
    'x',
    'W10',
    Buffer.from('["a",1]').toString('base64url'),
    Buffer.from('[1e999,"x"]').toString('base64url'),
  ])('that is not ours is 400: %s', async (cursor) => {
    await expectRefusal(list({ cursor }), 400, 'invalid_input');
  });

  it('of another sort order is 400', async () => {
    const id = '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f';
    const ofNumbers = encodeCursor({ value: 'ABCDEFGH1234', id });
    const ofTimes = encodeCursor({ value: 1_700_000_000_000, id });
    const orders = (query: Record<string, string>) => app.test.get('/v0/orders/list', { query });
    await expectRefusal(list({ cursor: ofNumbers }), 400, 'invalid_input');
    await expectRefusal(orders({ cursor: ofNumbers }), 400, 'invalid_input');
    await expectRefusal(orders({ cursor: ofTimes, orderBy: 'orderNumber' }), 400, 'invalid_input');
    expect((await orders({ cursor: ofNumbers, orderBy: 'orderNumber' })).status).toBe(200);
    const ofValues = encodeCursor({ value: 1_000, id, sortName: 'value' });
    expect((await orders({ cursor: ofValues, orderBy: 'value' })).status).toBe(200);
    for (const [cursor, orderBy] of [
      [ofTimes, 'value'],
      [ofValues, 'createdAt'],
      [ofValues, 'orderNumber'],
    ] as const) {
      await expectRefusal(orders({ cursor, orderBy }), 400, 'invalid_input');
    }
    const byEnd = { query: { cursor: ofValues, orderBy: 'currentIntervalEnd' } };
    await expectRefusal(app.test.get('/v0/subscriptions/list', byEnd), 400, 'invalid_input');
  });

  it('comes back as it was made', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.oneof(fc.maxSafeInteger(), fc.string({ unit: 'grapheme' })), (id, value) => {
        if (typeof value === 'string' && value.includes('\u0000')) return;
        const valueType = typeof value === 'string' ? 'string' : 'number';
        expect(decodeCursor(encodeCursor({ value, id }), valueType)).toEqual({ value, id });
        const named = encodeCursor({ value, id, isBefore: true, sortName: 'value' });
        expect(decodeCursor(named, valueType, 'value')).toEqual({ value, id, isBefore: true });
      }),
    );
  });
});
