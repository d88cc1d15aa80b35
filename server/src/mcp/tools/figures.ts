/** Tools that add up, and say why. */
import { type Static, Type } from 'typebox';
import { StringEnum } from '../../resources/shapes.ts';
import { ask, type Caller, ToolRefusal } from '../caller.ts';
import { at, email, integer, list, moment, money, number, object, text, toIso } from '../parts.ts';
import { tool } from '../tool.ts';
import { calculateTax } from './calculate-tax.ts';
import { toOrderId } from './find.ts';
import { parseMoment } from './parse-moment.ts';
import { charge, item, payment, refund, TAKE } from './stories.ts';

const DAY_MS = 86_400_000;
const closed = { additionalProperties: false };
const Moment = (description: string) =>
  Type.String({ minLength: 4, maxLength: 40, description: `${description} A date or a moment, ISO 8601.` });

const METRICS = ['grossVolume', 'refunds', 'fees', 'taxCollected', 'netVolume', 'orders'];
const BY = ['day', 'month', 'type', 'country'] as const;

const revenueSummary = tool({
  name: 'revenue_summary',
  title: 'Sum up the revenue',
  description:
    'What was sold, given back, kept by processors and collected as tax between two moments, and the same by day, month, ' +
    'type or country: the figures of the dashboard.',
  kind: 'read',
  areas: ['reports'],
  input: Type.Object(
    {
      from: Moment('From when on.'),
      to: Type.Optional(Moment('Until when; missing: now.')),
      by: Type.Optional(StringEnum(BY, { description: 'How it is divided; day when missing.' })),
    },
    closed,
  ),
  output: object({
    timezone: text('timezone', 'In which days and months begin.'),
    totals: list(
      'totals',
      object({
        metric: text('metric'),
        unit: text('unit'),
        amount: money('amount', 'Of sums of money.'),
        count: number('count', 'Of what is counted, and ratios.'),
        before: number('before', 'The same of the time before, in the same unit.'),
      }),
      'Over the whole time.',
    ),
    rows: list(
      'rows',
      object({
        metric: text('metric'),
        group: text('group', 'The type or country; null of days and months.'),
        from: text('from', 'When it begins, ISO 8601.'),
        amount: money('amount', 'Of sums of money.'),
        count: number('count', 'Of what is counted.'),
      }),
      'The parts that are not 0, newest first.',
    ),
  }),
  run: async ({ caller, args }) => {
    const window = await toWindow(caller, args);
    const overview = await ask(caller, 'GET /v0/reports/overview', { query: window });
    const divided = await ask(caller, 'GET /v0/reports/timeseries', {
      query: { ...window, metrics: METRICS, ...toDivision(args.by ?? 'day', window) },
    });
    const totals = (overview.metrics as Figure[]).map((one) => ({
      ...toFigure(one, one.value),
      before: one.previous,
    }));
    return { data: { timezone: overview.timezone, totals, rows: toRows(divided.series as Series[]) } };
  },
});

type Figure = {
  metric: string;
  unit: string;
  currency: string | null;
  value: number | null;
  previous?: number | null;
};
type Series = Omit<Figure, 'value'> & {
  group: string | null;
  points: Array<{ from: number; value: number | null }>;
};

function toFigure({ metric, unit, currency }: Omit<Figure, 'value'>, value: number | null) {
  return {
    metric,
    unit,
    currency,
    amount: unit === 'minor' ? value : null,
    count: unit === 'minor' ? null : value,
  };
}

/** Groups are summed over one bucket where the API divides by time as well. */
function toDivision(by: (typeof BY)[number], { from, to }: { from: number; to: number }) {
  if (by === 'day' || by === 'month') return { interval: by };
  return { groupBy: by, interval: to - from > 92 * DAY_MS ? 'month' : 'day' };
}

type Row = ReturnType<typeof toFigure> & { group: string | null; at: number };

function toRows(series: readonly Series[]): object[] {
  const rows = series.flatMap((one): Row[] => {
    if (one.group === null)
      return one.points.map((point) => ({ ...toFigure(one, point.value), group: null, at: point.from }));
    const sum = one.points.reduce((total, { value }) => total + (value ?? 0), 0);
    return [{ ...toFigure(one, sum), group: one.group, at: one.points[0]?.from ?? 0 }];
  });
  return rows
    .filter(({ amount, count }) => (amount ?? 0) !== 0 || (count ?? 0) !== 0)
    .sort((a, b) => b.at - a.at)
    .map((row) => ({ ...row, from: toIso(row.at) }));
}

/** Of a hundred each. */
const FAILED_PAGES_MAX = 20;

const SINCE = Type.Object(
  { since: Type.Optional(Moment('From when on; missing: the last 7 days.')) },
  closed,
);

const findFailedPayments = tool({
  name: 'find_failed_payments',
  title: 'Find payments that failed',
  description:
    'Payments since a moment that were not taken: whose, why each try was declined, and what is tried next.',
  kind: 'read',
  areas: ['payments'],
  input: SINCE,
  output: object({
    payments: list(
      'payments',
      object({
        number: text('number'),
        orderNumber: text('orderNumber'),
        status: text('status'),
        type: text('type'),
        value: money('value', 'What is asked for.'),
        customerId: text('userId'),
        customerName: text('user.username'),
        email: email('userEmail'),
        createdAt: moment('createdAt', 'When it was made.'),
        tries: list('charges', charge, 'Each try, with why it was declined.'),
        subscriptionId: text('subscriptionId'),
        subscriptionStatus: text('subscription.status'),
        nextTry: text(
          'nextTry',
          'When it is tried again by itself, ISO 8601; null where it is not, or nobody knows.',
        ),
      }),
      'Newest first.',
    ),
  }),
  run: async ({ caller, args }) => {
    return { data: { payments: await listFailed(caller, await toSince(caller, args)) } };
  },
});

/** A try is known to have failed by its payment alone, and many may wait that were never tried. */
async function listFailed(caller: Caller, createdFrom: number): Promise<object[]> {
  const failed: object[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < FAILED_PAGES_MAX; page += 1) {
    const query = { statuses: ['FAILED', 'UNPAID', 'PENDING'], createdFrom, take: 100, cursor };
    const answer = await ask(caller, 'GET /v0/payments/list', { query });
    for (const one of answer.payments as object[])
      if ((at(one, 'charges') as object[]).some((tried) => at(tried, 'status') === 'failed'))
        failed.push(one);
    if (failed.length >= TAKE || typeof answer.cursor !== 'string' || answer.hasMore === false) break;
    cursor = answer.cursor;
  }
  return failed.slice(0, TAKE);
}

const STREAK_OF = 50;

const webhookHealth = tool({
  name: 'webhook_health',
  title: 'Tell how webhooks are doing',
  description: 'Each webhook with its state, how many tries failed in a row, and what it last answered.',
  kind: 'read',
  areas: ['webhooks'],
  input: SINCE,
  output: object({
    webhooks: list(
      'webhooks',
      object({
        id: text('id'),
        host: text('host', 'Where events are sent to.'),
        status: text('status'),
        health: text('health'),
        description: text('description'),
        lastSuccessAt: moment('lastSuccessAt', 'When a try was last taken.'),
        lastFailureAt: moment('lastFailureAt', 'When a try last failed.'),
        failedInARow: integer('failedInARow', 'Of the newest tries, at most 50.'),
        lastAnswers: list(
          'attempts',
          object({
            at: moment('createdAt', 'When it was sent.'),
            eventId: text('eventId'),
            eventType: text('eventType'),
            statusCode: integer('statusCode', 'Of the answer.'),
            error: text('error'),
            answer: text('responseText'),
            durationMs: integer('durationMs', 'How long it took, in ms.'),
          }),
          'Newest first.',
        ),
      }),
      'All that are not archived.',
    ),
  }),
  run: async ({ caller, args }) => {
    const since = await toSince(caller, args);
    const { webhooks } = await ask(caller, 'GET /v0/webhooks/list', { query: { take: 10 } });
    const told = [];
    for (const one of webhooks as Array<{ id: string; url: string }>) {
      const { attempts } = await ask(caller, `GET /v0/webhooks/${one.id}/attempts`, {
        query: { take: STREAK_OF },
      });
      const tries = (attempts as Attempt[]).filter(({ createdAt }) => createdAt >= since);
      const firstTaken = tries.findIndex(isTaken);
      const failedInARow = firstTaken < 0 ? tries.length : firstTaken;
      const { host } = new URL(one.url);
      told.push({ ...one, host, failedInARow, attempts: tries.slice(0, 5) });
    }
    return { data: { webhooks: told } };
  },
});

interface Attempt {
  statusCode: number | null;
  createdAt: number;
}

const isTaken = ({ statusCode }: Attempt) => statusCode !== null && statusCode >= 200 && statusCode < 300;

const explainAmount = tool({
  name: 'explain_amount',
  title: 'Explain an amount',
  description:
    'What each sum of an order or a payment is made of: prices, quantities, discount, tax with its reason, what the ' +
    'processor kept and what was given back.',
  kind: 'read',
  areas: ['orders'],
  input: Type.Object(
    {
      number: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Of the order or the payment, or its id.',
      }),
    },
    closed,
  ),
  output: object({
    orderNumber: text('order.number'),
    lines: list(
      'items',
      item,
      'Subtotal is unit price times quantity; total is subtotal less discount, and tax on top where it is not included.',
    ),
    subtotal: money('sums.subtotal', 'Of all lines.', 'order.currency'),
    discount: money('sums.discount', 'Of all lines.', 'order.currency'),
    tax: money('sums.tax', 'Of all lines.', 'order.currency'),
    total: money('sums.total', 'Of all lines: what the order is worth.', 'order.currency'),
    fee: money('order.fee', 'What the processor kept.', 'order.currency'),
    refunded: money('order.refundedValue', 'What was given back.', 'order.currency'),
    kept: money(
      'sums.kept',
      'What was paid less fee and what was given back; of an order that is not paid, 0.',
      'order.currency',
    ),
    payments: list('payments', payment, 'How it was paid.'),
    refunds: list('refunds', refund, 'What was given back.'),
  }),
  run: async ({ caller, args: { number: given } }) => {
    const story = await readOrder(caller, given);
    const items = story.items as Array<Record<'subtotal' | 'discount' | 'tax' | 'total', number>>;
    const add = (name: 'subtotal' | 'discount' | 'tax' | 'total') =>
      items.reduce((sum, one) => sum + one[name], 0);
    const { fee, refundedValue, paidAt } = story.order as PaidOrder;
    const total = add('total');
    const kept = (paidAt === null ? 0 : total) - fee - refundedValue;
    return {
      data: {
        ...story,
        sums: { subtotal: add('subtotal'), discount: add('discount'), tax: add('tax'), total, kept },
      },
    };
  },
});

interface PaidOrder {
  fee: number;
  refundedValue: number;
  paidAt: number | null;
}

/** Numbers of payments differ from their order's where there are several. */
async function readOrder(caller: Caller, given: string) {
  const number = (id: string) => `GET /v0/orders/${encodeURIComponent(id)}`;
  const story = await ask(caller, number(await toOrderId(caller, given)), { orNull: true });
  if (story) return story;
  const found = await ask(caller, 'GET /v0/payments/list', {
    query: { number: given.replace(/^#/, ''), take: 1 },
  });
  const [one] = found.payments as Array<{ orderId: string }>;
  if (one) return ask(caller, number(one.orderId));
  throw new ToolRefusal({
    status: 404,
    code: 'not_found',
    message: `There is no order or payment ${given}.`,
  });
}

export const FIGURES = [revenueSummary, findFailedPayments, webhookHealth, explainAmount, calculateTax];

/** Now is the workspace's, whose clock a test may have moved. */
async function toNow(caller: Caller): Promise<number> {
  if (!caller.scope.testMode) return caller.service.realNowMs();
  const clock = await ask(caller, 'GET /v0/test-clock', { orNull: true });
  return (clock?.testClock as { now: number } | undefined)?.now ?? caller.service.realNowMs();
}

async function toSince(caller: Caller, { since }: Static<typeof SINCE>): Promise<number> {
  return since === undefined ? (await toNow(caller)) - 7 * DAY_MS : parseMoment(since, 'since');
}

async function toWindow(caller: Caller, { from, to }: { from: string; to?: string }) {
  return {
    from: parseMoment(from, 'from'),
    to: to === undefined ? await toNow(caller) : parseMoment(to, 'to'),
  };
}
