/** The figures of a store: what each is, and how it follows from sums of rows. */
import { divideHalfAwayFromZero } from '../money/rounding.ts';

/** What is summed up over a window, by the names of the columns that keep the sums. Money is in minor units. */
export const KEPT_MEASURES = [
  'gross',
  'refunds',
  'taxes',
  'fees',
  'orders',
  'newCustomers',
  'initialPayments',
  'initialValue',
  'paidPayments',
  'firstCharges',
  'firstFailures',
  'disputes',
  'mrr',
  'activeSubscriptions',
  'churnedSubscriptions',
  'mrrNew',
  'mrrImported',
  'mrrExpansion',
  'mrrContraction',
  'mrrChurn',
  'mrrReactivation',
  'mrrPaused',
  'mrrResumed',
] as const;
/** What a later moment can change: never kept. */
export const LATE_MEASURES = ['recovered', 'trialsPaid', 'trialsDecided'] as const;
export const MEASURES = [...KEPT_MEASURES, ...LATE_MEASURES] as const;
export type KeptMeasure = (typeof KEPT_MEASURES)[number];
export type Measure = (typeof MEASURES)[number];

/** Sums of a window; `…Before` are those of all time up to its beginning. */
export type Sums = Readonly<Partial<Record<Measure, bigint>>>;
export interface Window {
  within: Sums;
  before: Sums;
}

export type Unit = 'minor' | 'count' | 'ratio';

export interface Definition {
  unit: Unit;
  /** A flow is a sum over a window, a level its value at the end; null = of neither kind. */
  kind: 'flow' | 'level' | 'ratio';
  within: readonly Measure[];
  /** What must be known of the time before the window: it rests on movements. */
  before: readonly Measure[];
  /** Whether it can be told by type and country of the payment. */
  isGrouped: boolean;
  formula: string;
  sentence: string;
  /** Null = unknown, or over 0. */
  compute: (window: Window) => bigint | number | null;
}

/** The words of a definition, whose sums are all of the window. */
type Words = Pick<Definition, 'formula' | 'sentence'>;

const sum = (measure: Measure, of: Sums) => of[measure] ?? 0n;

function flow(unit: Unit, measure: Measure, words: Words, isGrouped = false): Definition {
  const compute = ({ within }: Window) => sum(measure, within);
  return { unit, kind: 'flow', within: [measure], before: [], isGrouped, ...words, compute };
}

function level(unit: Unit, measure: Measure, words: Words, factor = 1n): Definition {
  const compute = ({ within, before }: Window) => factor * (sum(measure, before) + sum(measure, within));
  return { unit, kind: 'level', within: [measure], before: [measure], isGrouped: false, ...words, compute };
}

function ratio(
  parts: { over: Measure; under: Measure; isUnderBefore?: boolean },
  words: Words,
  isGrouped = false,
): Definition {
  const { over, under, isUnderBefore = false } = parts;
  return {
    ...{ unit: 'ratio', kind: 'ratio', isGrouped, ...words },
    within: isUnderBefore ? [over] : [over, under],
    before: isUnderBefore ? [under] : [],
    compute: ({ within, before }) => toRatio(sum(over, within), sum(under, isUnderBefore ? before : within)),
  };
}

/** What no sum of money tells. */
function unknown(unit: Unit, kind: Definition['kind'], words: Words): Definition {
  return { unit, kind, within: [], before: [], isGrouped: false, ...words, compute: () => null };
}

const RATIO_ONE = 1_000_000n;

/** 6 places, half away from zero; null over 0. */
export function toRatio(over: bigint, under: bigint): number | null {
  if (under === 0n) return null;
  return Number(divideHalfAwayFromZero(over * RATIO_ONE, under)) / Number(RATIO_ONE);
}

const movement = (kind: string, sentence: string): Words => ({
  formula: `sum of the movements of the kind "${kind}"`,
  sentence,
});

/** In the order in which they are shown. */
export const METRICS = {
  grossVolume: flow(
    'minor',
    'gross',
    {
      formula: 'credited to sales and tax_payable by charges',
      sentence: 'What was paid, tax included, at the moment it was paid.',
    },
    true,
  ),
  refunds: flow(
    'minor',
    'refunds',
    {
      formula: 'debited to refunds and tax_payable by refunds and lost disputes',
      sentence: 'What was given back, tax included, at the moment it was.',
    },
    true,
  ),
  fees: flow(
    'minor',
    'fees',
    {
      formula: 'fees of payments and of reversals',
      sentence: 'What processors kept of payments, in the currency of the payment.',
    },
    true,
  ),
  taxCollected: flow(
    'minor',
    'taxes',
    {
      formula: '− sum of tax_payable',
      sentence: 'Tax in what was paid, less the tax in what was given back.',
    },
    true,
  ),
  accountFees: unknown('minor', 'flow', {
    formula: 'dispute and account fees',
    sentence: "What a processor takes for the account itself, in the account's own currency.",
  }),
  netVolume: {
    unit: 'minor',
    kind: 'flow',
    within: ['gross', 'refunds', 'taxes', 'fees'],
    before: [],
    isGrouped: true,
    formula: 'grossVolume − refunds − taxCollected − fees',
    sentence: 'What is left of sales for the seller.',
    compute: ({ within }) =>
      sum('gross', within) - sum('refunds', within) - sum('taxes', within) - sum('fees', within),
  },
  orders: flow(
    'count',
    'orders',
    {
      formula: 'orders paid in the window, free claims left out',
      sentence: 'How many orders were paid.',
    },
    true,
  ),
  newCustomers: flow(
    'count',
    'newCustomers',
    {
      formula: 'users whose first paid order is in the window',
      sentence: 'How many bought for the first time.',
    },
    true,
  ),
  averageOrderValue: {
    unit: 'minor',
    kind: 'ratio',
    within: ['initialValue', 'initialPayments'],
    before: [],
    isGrouped: true,
    formula: 'value of initial payments above 0 / their number',
    sentence: 'What an order comes to on average, renewals left out.',
    compute: ({ within }) => {
      const count = sum('initialPayments', within);
      return count === 0n ? null : divideHalfAwayFromZero(sum('initialValue', within), count);
    },
  },
  failedPaymentRate: ratio(
    { over: 'firstFailures', under: 'firstCharges' },
    {
      formula: 'payments above 0 whose first charge failed / those whose first charge was settled',
      sentence: 'How many payments were declined at the first try.',
    },
  ),
  recoveredRate: ratio(
    { over: 'recovered', under: 'firstFailures' },
    {
      formula: 'of payments whose first charge failed in the window: those that were paid by now',
      sentence: 'How many of the declined payments came in after all.',
    },
  ),
  refundRate: ratio(
    { over: 'refunds', under: 'gross' },
    {
      formula: 'refunds / grossVolume',
      sentence: 'How much of what was paid was given back in the same time.',
    },
    true,
  ),
  disputeRate: ratio(
    { over: 'disputes', under: 'paidPayments' },
    {
      formula: 'disputes opened / payments above 0 that were paid',
      sentence: 'How many payments were disputed by their buyers.',
    },
  ),
  // Counted by days, and by nothing else: see the report of checkouts.
  checkoutConversion: unknown('ratio', 'ratio', {
    formula: 'paid / viewed checkouts, by the UTC day of the view; none for hours',
    sentence: 'How many of those who saw a checkout bought.',
  }),
  trialConversion: ratio(
    { over: 'trialsPaid', under: 'trialsDecided' },
    {
      formula: 'of trials that ended in the window: first interval paid / (paid + ended or unpaid without)',
      sentence: 'How many trials became paying subscriptions; those that are still tried are left out.',
    },
  ),
  mrr: level('minor', 'mrr', {
    formula: 'sum over active and past due subscriptions of the net price of a month',
    sentence: 'Monthly recurring revenue: what subscriptions bring in a month, without tax.',
  }),
  arr: level(
    'minor',
    'mrr',
    { formula: '12 × mrr', sentence: 'What subscriptions bring in a year at this rate.' },
    12n,
  ),
  activeSubscriptions: level('count', 'activeSubscriptions', {
    formula: 'subscriptions with mrr above 0',
    sentence: 'How many subscriptions bring revenue.',
  }),
  mrrNew: flow('minor', 'mrrNew', movement('new', 'What subscriptions brought for the first time.')),
  mrrExpansion: flow(
    'minor',
    'mrrExpansion',
    movement('expansion', 'What running subscriptions bring more.'),
  ),
  mrrContraction: flow(
    'minor',
    'mrrContraction',
    movement('contraction', 'What running subscriptions bring less; never above 0.'),
  ),
  mrrChurn: flow(
    'minor',
    'mrrChurn',
    movement('churn', 'What was lost by ends and unpaid ones; never above 0.'),
  ),
  mrrReactivation: flow(
    'minor',
    'mrrReactivation',
    movement('reactivation', 'What came back after being unpaid, or with a user who had left.'),
  ),
  mrrPaused: flow('minor', 'mrrPaused', movement('paused', 'What stands still by pauses; never above 0.')),
  mrrResumed: flow('minor', 'mrrResumed', movement('resumed', 'What came back by the end of a pause.')),
  mrrImported: flow(
    'minor',
    'mrrImported',
    movement('imported', 'What came with subscriptions that began elsewhere.'),
  ),
  subscriberChurnRate: ratio(
    { over: 'churnedSubscriptions', under: 'activeSubscriptions', isUnderBefore: true },
    {
      formula: 'churn movements / activeSubscriptions at the beginning',
      sentence: 'How many of the subscriptions at the beginning were lost.',
    },
  ),
  mrrChurnRate: {
    unit: 'ratio',
    kind: 'ratio',
    within: ['mrrChurn', 'mrrContraction'],
    before: ['mrr'],
    isGrouped: false,
    formula: '(|mrrChurn| + |mrrContraction|) / mrr at the beginning',
    sentence: 'How much of the recurring revenue at the beginning was lost.',
    compute: ({ within, before }) =>
      toRatio(-sum('mrrChurn', within) - sum('mrrContraction', within), sum('mrr', before)),
  },
} as const satisfies Record<string, Definition>;

export type Metric = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as [Metric, ...Metric[]];

/** Sums that movements make: nothing is known of them before a store's books were opened. */
const MOVED: ReadonlySet<Measure> = new Set(
  KEPT_MEASURES.filter((name) => name.startsWith('mrr') || name.endsWith('Subscriptions')),
);

export function definitionOf(metric: Metric): Definition {
  return METRICS[metric];
}

/**
 * A figure of a window; null where it is unknown. `openedMs`: when the movements of a store from before begin, null =
 * with the store itself.
 */
export function computeMetric(
  metric: Metric,
  window: Window,
  { fromMs, toMs, openedMs }: { fromMs: number; toMs: number; openedMs: number | null },
): bigint | number | null {
  const { kind, within, before, compute } = definitionOf(metric);
  if (openedMs !== null && [...within, ...before].some((measure) => MOVED.has(measure))) {
    // A level is asked for at the end of the window, all else over the whole of it.
    if ((kind === 'level' ? toMs : fromMs) < openedMs) return null;
  }
  return compute(window);
}
