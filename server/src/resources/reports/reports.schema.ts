/** Figures in the API. */
import { type Static, Type } from 'typebox';
import { BUCKET_INTERVALS, COMPARISONS } from '../../domain/figures/buckets.ts';
import { CHECKOUT_FRAMES, type CheckoutCounts } from '../../domain/figures/checkout-counts.ts';
import { definitionOf, METRIC_NAMES, type Metric } from '../../domain/figures/metrics.ts';
import { toDate } from '../../domain/figures/utc-days.ts';
import {
  Answer,
  Currency,
  CurrencyInput,
  Described,
  Ms,
  Nullable,
  StringEnum,
  TimeInput,
  Uuid,
} from '../shapes.ts';

const UNITS = ['minor', 'count', 'ratio'] as const;
const GROUPS = ['type', 'country'] as const;

const window = {
  from: TimeInput({ description: 'Begin of the window, which belongs to it.' }),
  to: TimeInput({ description: 'End of the window, which does not belong to it.' }),
};
const timezone = Type.Optional(
  Type.String({ maxLength: 60, description: "IANA name; missing = the store's setting." }),
);
const currency = Type.Optional(CurrencyInput({ description: 'Missing = each one that was sold in.' }));

export const OverviewQuery = Type.Object({
  ...window,
  currency,
  timezone,
  compare: Type.Optional(
    StringEnum(COMPARISONS, {
      description:
        '`previous`: as many whole days, weeks or months before where the window is such in the zone, else as many ms. Default `previous`.',
    }),
  ),
});

/** Of one answer. */
const METRICS_MAX = 6;

export const TimeseriesQuery = Type.Object({
  ...window,
  currency,
  timezone,
  metrics: Type.Array(StringEnum(METRIC_NAMES), {
    minItems: 1,
    maxItems: METRICS_MAX,
    description: 'Which figures.',
  }),
  interval: StringEnum(BUCKET_INTERVALS, { description: 'At most 400 buckets.' }),
  groupBy: Type.Optional(
    StringEnum(GROUPS, { description: 'Of the payment. For flows of money, orders and customers.' }),
  ),
});

export const RowsQuery = Type.Object({
  ...window,
  metric: StringEnum(METRIC_NAMES),
  currency: Type.Optional(CurrencyInput({ description: "Missing = the store's." })),
  groupBy: Type.Optional(StringEnum(GROUPS)),
  group: Type.Optional(
    Type.String({ maxLength: 60, description: 'With `groupBy`; missing = payments that have none.' }),
  ),
  take: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
});

const figure = (options: Record<string, unknown> = {}) => Nullable(Type.Number(options));

export const OverviewData = Answer(null, {
  timezone: Type.String(),
  compared: Described(
    Nullable(Answer(null, { from: Ms(), to: Ms() })),
    'The window that it is compared with; null: none.',
  ),
  metrics: Type.Array(
    Answer(null, {
      metric: StringEnum(METRIC_NAMES),
      unit: StringEnum(UNITS, { description: '`minor`: minor units of the currency.' }),
      currency: Currency(),
      value: figure({ description: 'Null where it is not known, and for a ratio over 0.' }),
      previous: figure({ description: 'The same in the window before; null where it is not known.' }),
    }),
  ),
});

export const TimeseriesData = Answer(null, {
  timezone: Type.String(),
  series: Type.Array(
    Answer(null, {
      metric: StringEnum(METRIC_NAMES),
      unit: StringEnum(UNITS),
      currency: Currency(),
      group: Nullable(
        Type.String({ description: 'The group of this line; null without `groupBy`, or where it has none.' }),
      ),
      points: Type.Array(
        Answer(null, {
          from: Ms(),
          to: Ms(),
          value: figure({ description: 'Null also where the bucket has not begun.' }),
          complete: Type.Boolean({
            description: 'False where the bucket is not over, or cut by the window.',
          }),
        }),
        { description: 'The buckets, in order.' },
      ),
    }),
    { description: 'One for each figure, currency and group.' },
  ),
});

export const RowsData = Answer(null, {
  metric: StringEnum(METRIC_NAMES),
  unit: StringEnum(UNITS),
  currency: Currency(),
  total: figure({ description: 'The figure of the window, to the unit.' }),
  rows: Type.Array(
    Answer(null, {
      object: StringEnum(['payment', 'order', 'subscription', 'user']),
      id: Type.String(),
      number: Nullable(Type.String()),
      amount: Type.Integer({ description: 'What it adds to the figure, or to its part.' }),
      at: Ms(),
      userId: Type.String({ format: 'uuid' }),
      part: Nullable(
        StringEnum(['numerator', 'denominator'], {
          description: 'Of a ratio, which side it stands on; null of others.',
        }),
      ),
    }),
    { description: 'What the figure is the sum of.' },
  ),
  cursor: Nullable(Type.String()),
  hasMore: Type.Boolean(),
});

export const DefinitionsData = Answer(null, {
  definitions: Type.Array(
    Answer(null, {
      metric: StringEnum(METRIC_NAMES),
      unit: StringEnum(UNITS),
      kind: StringEnum(['flow', 'level', 'ratio']),
      groupBy: Type.Array(StringEnum(GROUPS), { description: 'By what it can be told apart.' }),
      formula: Type.String({ description: 'How it is computed.' }),
      sentence: Type.String({ description: 'What it means.' }),
    }),
    { description: 'What each figure is.' },
  ),
});

export function toDefinitions(): Static<typeof DefinitionsData>['definitions'] {
  return METRIC_NAMES.map((metric) => {
    const { unit, kind, isGrouped, formula, sentence } = definitionOf(metric);
    return { metric, unit, kind, groupBy: isGrouped ? [...GROUPS] : [], formula, sentence };
  });
}

export function toUnit(metric: Metric) {
  return definitionOf(metric).unit;
}

/** Sums of many amounts may pass the bound of one, beyond which JSON's readers round. */
export function toFigure(value: bigint | number | null): number | null {
  return value === null ? null : Number(value);
}

const ids = (description: string) => Type.Optional(Type.Array(Uuid({ description }), { maxItems: 100 }));

export const CheckoutsQuery = Type.Object({
  ...window,
  groupBy: Type.Optional(
    StringEnum(['date', 'frame'], { description: 'Missing = by both. What is summed over is null.' }),
  ),
  checkoutIds: ids('Checkout elements.'),
  offersIds: ids('Offers that were sold without an element.'),
});

const count = () => Type.Integer({ minimum: 0 });

export const CheckoutsData = Answer(null, {
  currency: Nullable(Currency()),
  rows: Type.Array(
    Answer(null, {
      date: Nullable(Type.String({ description: '`YYYY-MM-DD`' })),
      frame: Nullable(StringEnum(CHECKOUT_FRAMES, { description: '`page`: it stood by itself.' })),
      viewed: Described(count(), 'Checkouts whose page was in sight for a second.'),
      started: Described(count(), 'Of these, those with a valid e-mail address.'),
      submitted: Described(count(), 'Of these, those with an order.'),
      declined: Described(count(), 'Of these, those of which a charge failed.'),
      paid: Described(count(), 'Of these, those that were paid.'),
      value: Type.Integer({ description: 'Minor units that were paid at once.' }),
    }),
    { description: 'One for each checkout element or day.' },
  ),
});

/** In the order of the days; sums of `groupBy`. */
export function toCheckoutRows(
  counts: readonly CheckoutCounts[],
  groupBy: 'date' | 'frame' | null,
): Static<typeof CheckoutsData>['rows'] {
  const rows = new Map<string, Static<typeof CheckoutsData>['rows'][number]>();
  for (const { day, frame: shownIn, value, ...counted } of counts) {
    const date = groupBy === 'frame' ? null : toDate(day);
    const frame = groupBy === 'date' ? null : shownIn;
    const before = rows.get(`${date} ${frame}`);
    const row = before ?? {
      date,
      frame,
      viewed: 0,
      started: 0,
      submitted: 0,
      declined: 0,
      paid: 0,
      value: 0,
    };
    for (const name of ['viewed', 'started', 'submitted', 'declined', 'paid'] as const)
      row[name] += counted[name];
    row.value += Number(value);
    rows.set(`${date} ${frame}`, row);
  }
  return [...rows.values()];
}
