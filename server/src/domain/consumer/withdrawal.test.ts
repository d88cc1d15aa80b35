import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK_DEFAULTS, type ConsumerBlock } from '../settings-blocks.ts';
import { toCanonicalJson } from './canonical-json.ts';
import { endsWithInterval } from './notice.ts';
import { computeWithdrawableUntil, decideRight, type RightFacts } from './right.ts';
import { findNextLook, type JudgedOrder, judgeWithdrawal, planWithdrawalRefunds } from './withdrawal.ts';

const DAY_MS = 86_400_000;
const at = (text: string) => Date.parse(text);

describe('toCanonicalJson', () => {
  it('writes the sample of RFC 8785', () => {
    const sample = { numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 1e-27], literals: [null, true, false] };
    expect(toCanonicalJson({ ...sample, string: '€$\u000f\nA\'B"\\\\"/' })).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts keys by their UTF-16 units', () => {
    const keys = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 };
    expect([...toCanonicalJson(keys).matchAll(/:(\d)/g)].map(([, digit]) => digit).join('')).toBe('2467153');
  });
});

describe('the last day to withdraw', () => {
  it.each([
    ['2026-03-02T00:00:00Z', '2026-03-17T23:59:59.999Z'],
    ['2026-03-02T23:59:59.999Z', '2026-03-17T23:59:59.999Z'],
    // The 15th day is a Saturday, then a Sunday.
    ['2026-03-06T12:00:00Z', '2026-03-23T23:59:59.999Z'],
    ['2026-03-07T12:00:00Z', '2026-03-23T23:59:59.999Z'],
  ])('after a purchase at %s is over at %s', (purchase, until) => {
    expect(new Date(computeWithdrawableUntil(at(purchase))).toISOString()).toBe(
      new Date(until).toISOString(),
    );
  });

  it('gives whole 14 days after that of the purchase in every time zone, and never ends at a weekend', () => {
    const moment = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z') });
    const zone = fc.constantFrom(
      ...['UTC', 'Pacific/Kiritimati', 'Etc/GMT+12', 'Europe/Berlin', 'Asia/Kathmandu'],
    );
    fc.assert(
      fc.property(moment, zone, (purchasedAt, timeZone) => {
        const until = computeWithdrawableUntil(purchasedAt);
        const dayOf = (ms: number) =>
          Date.parse(new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(ms));
        // The first moment after it lies on the buyer's 15th day at the earliest.
        expect(dayOf(until + 1) - dayOf(purchasedAt)).toBeGreaterThanOrEqual(15 * DAY_MS);
        expect([0, 6]).not.toContain(new Date(until).getUTCDay());
        expect(until - purchasedAt).toBeLessThanOrEqual(18 * DAY_MS);
        expect((until + 1) % DAY_MS).toBe(0);
      }),
    );
  });
});

describe('the right', () => {
  const facts: RightFacts = {
    rule: 'eu',
    country: 'DE',
    isCompany: false,
    kinds: ['content'],
    isGift: false,
  };
  it.each([
    [{}, 'granted'],
    [{ country: 'GB' }, 'granted'],
    [{ country: 'NO' }, 'granted'],
    [{ country: 'RE' }, 'granted'],
    [{ country: 'AX' }, 'granted'],
    [{ country: null }, 'elsewhere'],
    [{ country: 'CH' }, 'elsewhere'],
    [{ country: 'US' }, 'elsewhere'],
    [{ country: 'US', rule: 'everyone' }, 'granted'],
    [{ rule: 'off' }, 'elsewhere'],
    [{ isCompany: true }, 'business'],
    [{ kinds: ['excluded'] }, 'excluded'],
    [{ kinds: ['excluded', 'service'] }, 'granted'],
    [{ isGift: true }, 'excluded'],
  ] as Array<[Partial<RightFacts>, string]>)('of %j is %s', (changes, right) => {
    expect(decideRight({ ...facts, ...changes })).toBe(right);
  });
});

describe('a withdrawal', () => {
  const paidAt = at('2026-03-02T12:00:00Z');
  const content = { id: 'a', kind: 'content' as const, quantity: 1, isBegun: false };
  const order: JudgedOrder = {
    right: 'granted',
    paidAt,
    isSubscription: false,
    items: [content],
    hasWaived: false,
  };
  const judge = (
    changes: Partial<JudgedOrder>,
    {
      settings = {},
      day = 5,
      ...stated
    }: { settings?: Partial<ConsumerBlock>; day?: number; items?: string[]; part?: string } = {},
  ) =>
    judgeWithdrawal({
      ...{ order: { ...order, ...changes }, items: stated.items ?? null, part: stated.part ?? null },
      settings: { ...BLOCK_DEFAULTS.consumer, ...settings },
      receivedAt: paidAt + day * DAY_MS,
    });
  const begun = { ...content, isBegun: true };
  const service = { id: 's', kind: 'service' as const, quantity: 1, isBegun: false };

  it('of what was not begun takes effect', () => {
    expect(judge({})).toEqual({ kind: 'effect', itemIds: ['a'], isWhole: true });
    expect(judge({}, { day: 19 })).toEqual({ kind: 'wait', reason: 'late' });
  });

  it('of what was begun waits, is waived, or takes effect where the shop lets it', () => {
    expect(judge({ items: [begun] })).toEqual({ kind: 'wait', reason: null });
    expect(judge({ items: [begun], hasWaived: true })).toEqual({ kind: 'wait', reason: 'waived' });
    const settings = { deliveredContent: 'automatic' as const };
    expect(judge({ items: [begun] }, { settings })).toMatchObject({ kind: 'effect' });
    expect(judge({ items: [begun], hasWaived: true }, { settings })).toEqual({
      kind: 'wait',
      reason: 'waived',
    });
  });

  it('of a service that was bought once waits; of a subscription it takes effect as a whole', () => {
    expect(judge({ items: [service] })).toEqual({ kind: 'wait', reason: null });
    expect(judge({ items: [service], isSubscription: true })).toMatchObject({
      kind: 'effect',
      isWhole: true,
    });
    const two = { items: [service, { ...service, id: 't' }], isSubscription: true };
    expect(judge(two, { items: ['t'] })).toEqual({ kind: 'wait', reason: null });
  });

  it('of a part is of the items that were ticked; words of the buyer’s own are read by a person', () => {
    const two = { items: [content, { ...content, id: 'b' }] };
    expect(judge(two, { items: ['b'] })).toEqual({ kind: 'effect', itemIds: ['b'], isWhole: false });
    expect(judge(two, { part: 'the second one' })).toEqual({ kind: 'wait', reason: null });
    expect(judge({}, { part: 'all of it' })).toMatchObject({ kind: 'effect' });
    const three = { items: [{ ...content, quantity: 3 }] };
    expect(judge(three, { part: 'two of the three' })).toEqual({ kind: 'wait', reason: null });
    expect(judge(three)).toMatchObject({ kind: 'effect' });
  });

  it.each(['business', 'excluded', 'elsewhere'] as const)('without a right says why: %s', (right) => {
    expect(judge({ right })).toEqual({ kind: 'wait', reason: right });
  });

  it('waits where the shop decides itself, and of an order that says nothing of a right', () => {
    expect(judge({}, { settings: { withdrawalHandling: 'manual' } })).toEqual({ kind: 'wait', reason: null });
    expect(judge({ right: null })).toEqual({ kind: 'wait', reason: 'other' });
    expect(judge({ paidAt: null })).toEqual({ kind: 'wait', reason: 'other' });
  });
});

const NO_CHANGE = { paidBackMinor: 0n, intervalMinor: null };

describe('what is given back', () => {
  const week = (n: number) => ({ startMs: n * 7 * DAY_MS, endMs: (n + 1) * 7 * DAY_MS });

  it('of a weekly plan in its second week is that week’s rest, newest first', () => {
    const paid = [
      { paymentId: 'second', leftMinor: 1000n, sentBackMinor: 0n, ...NO_CHANGE, period: week(1) },
      { paymentId: 'first', leftMinor: 1000n, sentBackMinor: 0n, ...NO_CHANGE, period: week(0) },
    ];
    const usedUntilMs = 7 * DAY_MS + 2 * DAY_MS;
    // 1000 + 1000 × 2/7 = 1285.71… were used.
    expect(planWithdrawalRefunds({ paid, usedUntilMs, mostMinor: null })).toEqual([
      { paymentId: 'second', amountMinor: 714n },
    ]);
    expect(planWithdrawalRefunds({ paid, usedUntilMs: null, mostMinor: null })).toEqual([
      { paymentId: 'second', amountMinor: 1000n },
      { paymentId: 'first', amountMinor: 1000n },
    ]);
  });

  it('is never more than was paid nor than the bound, and is rounded once', () => {
    const part = fc.record({
      leftMinor: fc.bigInt({ min: 0n, max: 10n ** 12n }),
      start: fc.integer({ min: 0, max: 100 }),
      days: fc.integer({ min: 1, max: 366 }),
    });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.integer({ min: 0, max: 500 }), (parts, day) => {
        const paid = parts.map(({ leftMinor, start, days }, index) => ({
          paymentId: String(index),
          leftMinor,
          ...{ sentBackMinor: 0n, ...NO_CHANGE },
          period: { startMs: start * DAY_MS, endMs: (start + days) * DAY_MS },
        }));
        const refunds = planWithdrawalRefunds({ paid, usedUntilMs: day * DAY_MS, mostMinor: null });
        const sum = refunds.reduce((all, { amountMinor }) => all + amountMinor, 0n);
        const exact = parts.reduce((all, { leftMinor, start, days }) => {
          const used = Math.min(Math.max(day - start, 0), days);
          return all + Number(leftMinor) * (1 - used / days);
        }, 0);
        expect(Math.abs(Number(sum) - exact)).toBeLessThanOrEqual(0.51 + exact * 1e-12);
        for (const { paymentId, amountMinor } of refunds) {
          expect(amountMinor <= (paid[Number(paymentId)]?.leftMinor ?? 0n)).toBe(true);
        }
      }),
    );
    const paid = [{ paymentId: 'a', leftMinor: 500n, sentBackMinor: 0n, ...NO_CHANGE, period: null }];
    expect(planWithdrawalRefunds({ paid, usedUntilMs: 9, mostMinor: 200n })).toEqual([
      { paymentId: 'a', amountMinor: 200n },
    ]);
  });
});

describe('what is given back once a part has gone', () => {
  const period = { startMs: 0, endMs: 10 * DAY_MS };

  it('is what the whole would have been, less that part', () => {
    const usedUntilMs = 5 * DAY_MS;
    const whole = [
      { paymentId: 'change', leftMinor: 100n, sentBackMinor: 0n, ...NO_CHANGE, period },
      { paymentId: 'first', leftMinor: 500n, sentBackMinor: 0n, ...NO_CHANGE, period },
    ];
    expect(planWithdrawalRefunds({ paid: whole, usedUntilMs, mostMinor: null })).toEqual([
      { paymentId: 'change', amountMinor: 100n },
      { paymentId: 'first', amountMinor: 200n },
    ]);
    const rest = [
      { paymentId: 'change', leftMinor: 0n, sentBackMinor: 100n, ...NO_CHANGE, period },
      { paymentId: 'first', leftMinor: 500n, sentBackMinor: 0n, ...NO_CHANGE, period },
    ];
    const second = { paymentId: 'first', amountMinor: 200n };
    expect(planWithdrawalRefunds({ paid: rest, usedUntilMs, mostMinor: null })).toEqual([second]);
    expect(planWithdrawalRefunds({ paid: rest, usedUntilMs, mostMinor: 150n })).toEqual([
      { ...second, amountMinor: 50n },
    ]);
  });
});

describe('a statement that is open', () => {
  it('is looked at for its effect, then on days 7 and 12, then no more', () => {
    const open = { receivedAt: 0, effectAt: DAY_MS, warnedDays: 0 };
    expect(findNextLook(open)).toBe(DAY_MS);
    expect(findNextLook({ ...open, effectAt: null })).toBe(7 * DAY_MS);
    expect(findNextLook({ ...open, effectAt: null, warnedDays: 7 })).toBe(12 * DAY_MS);
    expect(findNextLook({ ...open, effectAt: null, warnedDays: 12 })).toBeNull();
  });
});

describe('a contract that is to end later', () => {
  it('ends with the last interval before the date', () => {
    const running = { currentIntervalEnd: 30, nextIntervalEnd: 60 };
    expect(endsWithInterval(running, null)).toBe(true);
    expect(endsWithInterval(running, 10)).toBe(true);
    expect(endsWithInterval(running, 30)).toBe(true);
    expect(endsWithInterval(running, 59)).toBe(true);
    expect(endsWithInterval(running, 60)).toBe(false);
  });
});
