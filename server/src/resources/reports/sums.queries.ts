/** SQL of sums over windows: what is kept of closed quarter hours, and the rows of what is not. */
import { type RawBuilder, sql } from 'kysely';
import { askByTurns } from '../../db/by-turns.ts';
import type { Db, Tx } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { isSpread } from '../../db/store-form.ts';
import {
  coverBuckets,
  DAY_MS,
  type KeptStretch,
  listKept,
  QUARTER_MS,
  type Span,
} from '../../domain/figures/buckets.ts';
import { KEPT_MEASURES, LATE_MEASURES, type Measure, type Sums } from '../../domain/figures/metrics.ts';
import { isOfSeen } from '../workspaces/restoring.sql.ts';
import { type Group, type Reading, selectFacts, sourcesOf, toColumn } from './facts.sql.ts';

export interface SummedUp {
  /** Of the edges that bound the buckets: 0 is the first bucket. */
  bucket: number;
  currency: string;
  /** Type or country of the payment; null also where nothing was told apart. */
  group: string | null;
  sums: Sums;
}

export interface Summing {
  measures: readonly Measure[];
  /** Bounds of the buckets in their order, ms. */
  edges: readonly number[];
  currency: string | null;
  groupBy: Group | null;
  /** See `findClosedUntil`. */
  closedUntilMs: number;
}

/** Sums of each bucket, currency and group that has rows. */
export async function sumMeasures(db: Db, scope: Scope, summing: Summing): Promise<SummedUp[]> {
  const { measures, edges, groupBy } = summing;
  const parts = measures.length === 0 ? [] : toParts(scope, summing);
  if (parts.length === 0 || edges.length < 2) return [];
  const columns = measures.map((measure) => {
    const name = sql.raw(toColumn(measure));
    return sql`coalesce(sum(${name}), 0)::numeric as ${name}`;
  });
  const group = groupBy === null ? sql.raw('') : sql`, ${sql.raw(groupBy)}`;
  const { rows } = await sql<Record<string, unknown>>`
    select bucket, currency, ${sql.join(columns)} ${group}
    from (${sql.join(parts, sql` union all `)}) facts
    group by bucket, currency ${group}`.execute(db);
  return rows.map((row) => ({
    bucket: Number(row.bucket) - 1,
    currency: String(row.currency),
    group: groupBy === null || row[groupBy] === null ? null : String(row[groupBy]),
    // Each is a sum, by the name that the driver gives its column.
    sums: Object.fromEntries(measures.map((measure) => [measure, row[measure] as bigint])),
  }));
}

function toParts(scope: Scope, summing: Summing): Array<RawBuilder<unknown>> {
  const { measures, edges, currency, groupBy, closedUntilMs } = summing;
  const reading: Omit<Reading, 'span'> = {
    ...{ scope, measures, currency, groups: groupBy === null ? [] : [groupBy] },
    bucketOf: (at) => sql`width_bucket(${at}, ${[...edges]}::bigint[])`,
  };
  const whole = { fromMs: edges[0] ?? 0, toMs: edges.at(-1) ?? 0 };
  const cover = coverBuckets(edges, closedUntilMs);
  const late = sourcesOf(measures.filter((measure) => LATE.has(measure)));
  const lasting = sourcesOf(measures.filter((measure) => !LATE.has(measure)));
  return [
    ...(lasting.length > 0 && cover.kept ? selectKept(reading, listKept(edges, cover.kept)) : []),
    ...cover.live.flatMap((span) => lasting.map((source) => selectFacts(source, { ...reading, span }))),
    ...late.map((source) => selectFacts(source, { ...reading, span: whole })),
  ];
}

const LATE: ReadonlySet<Measure> = new Set(LATE_MEASURES);

/** The lengths that sums are kept of, as the column says them. */
const QUARTER = sql.lit(15);
const DAY = sql.lit(1440);

type Kept = ReturnType<typeof listKept>;

function selectKept(reading: Omit<Reading, 'span'>, { days, quarters }: Kept): Array<RawBuilder<unknown>> {
  return [
    ...(days.length > 0 ? [selectStretches(reading, DAY, days)] : []),
    ...(quarters.length > 0 ? [selectStretches(reading, QUARTER, quarters)] : []),
  ];
}

/** Each stretch is read by itself along the key: what is put together at once need not be sorted. */
function selectStretches(
  { scope, measures, currency, groups }: Omit<Reading, 'span'>,
  length: RawBuilder<unknown>,
  stretches: readonly KeptStretch[],
): RawBuilder<unknown> {
  const sums = measures.map((measure) => {
    const name = sql.raw(toColumn(measure));
    return LATE.has(measure) ? sql`0 as ${name}` : sql`sum(f.${name}) as ${name}`;
  });
  const told = groups.map((group) => sql.raw(`f.${group}`));
  const names = [
    ...groups.map((group) => sql.raw(`nullif(k.${group}, '') as ${group}`)),
    ...measures.map((measure) => sql.raw(`k.${toColumn(measure)}`)),
  ];
  const isGrouped = sql.lit(groups.length > 0);
  const of = (value: (stretch: KeptStretch) => number) => sql`${stretches.map(value)}::bigint[]`;
  return sql`select b.bucket, k.currency, ${sql.join(names)}
    from unnest(${of(({ bucket }) => bucket + 1)}, ${of(({ fromMs }) => fromMs)}, ${of(({ toMs }) => toMs)})
      b (bucket, from_ms, to_ms)
    cross join lateral (
      select ${sql.join([sql.raw('f.currency'), ...told, ...sums])}
      from figure_sums f
      where ${inScope(scope, 'f')} and f.is_grouped = ${isGrouped} and f.span_minutes = ${length}
        and f.starts_at >= b.from_ms and f.starts_at < b.to_ms
        ${currency === null ? sql.raw('') : sql`and f.currency = ${currency}`}
      group by ${sql.join([sql.raw('f.currency'), ...told])}) k`;
}

/** Until when the store's quarter hours are summed up, ms; 0 = none is. */
export async function findClosedUntil(db: Db, scope: Scope): Promise<number> {
  const row = await db
    .selectFrom('figureSumClosings')
    .select('closedUntil')
    .where(inScope(scope))
    .executeTakeFirst();
  return row?.closedUntil ?? 0;
}

/** Rows of figures may come so much later than their moment: a request, or a job, takes no longer. */
const LATE_MS = 3_600_000;

export interface ClosingSizes {
  /** A store with fewer payments that are not summed up is read from its rows. */
  paymentsMin: number;
  /** Payments that are summed up by one transaction, about. */
  paymentsMax: number;
}

export const CLOSING_SIZES: ClosingSizes = { paymentsMin: 1_000, paymentsMax: 20_000 };

export interface Closing {
  scope: Scope;
  fromMs: number;
  toMs: number;
}

/** The next stretch of each store that is worth summing up, whose clock nobody moves just now. */
export async function listClosings(db: Db, asked: ClosingSizes & { limit: number }): Promise<Closing[]> {
  if (isSpread(db)) return askByTurns(db, 'closings', (one, scope) => selectClosings(one, asked, scope));
  return selectClosings(db, asked);
}

/** `only` = of one store. */
async function selectClosings(
  db: Db,
  { paymentsMin, paymentsMax, limit }: ClosingSizes & { limit: number },
  only?: Scope,
): Promise<Closing[]> {
  const isOnly = (row: string) => (only ? inScope(only, row) : sql`true`);
  const { rows } = await sql<{ workspaceId: string; testMode: boolean; fromMs: number; toMs: number }>`
    select s.workspace_id, s.test_mode, coalesce(c.closed_until, 0) as from_ms,
      (least(coalesce(far.paid_at, t.now_ms), t.now_ms) / ${QUARTER_MS}) * ${QUARTER_MS} as to_ms
    from stores s
    left join figure_sum_closings c on c.workspace_id = s.workspace_id and c.test_mode = s.test_mode and ${isOnly('c')}
    cross join lateral (select real_now_ms() + s.clock_offset_ms - ${LATE_MS} as now_ms) t
    cross join lateral (
      select p.paid_at from payments p
      where p.workspace_id = s.workspace_id and p.test_mode = s.test_mode and ${isOnly('p')}
        and p.paid_at >= coalesce(c.closed_until, 0) and p.paid_at < t.now_ms
      order by p.paid_at offset ${paymentsMin - 1} limit 1) near
    left join lateral (
      select p.paid_at + ${QUARTER_MS} as paid_at from payments p
      where p.workspace_id = s.workspace_id and p.test_mode = s.test_mode and ${isOnly('p')}
        and p.paid_at >= coalesce(c.closed_until, 0) and p.paid_at < t.now_ms
      order by p.paid_at offset ${paymentsMax} limit 1) far on true
    where s.clock_advancing_to is null and ${isOfSeen('s')} and ${isOnly('s')}
    limit ${limit}`.execute(db);
  return rows
    .map(({ workspaceId, testMode, fromMs, toMs }) => ({
      scope: { workspaceId, testMode },
      ...{ fromMs: Number(fromMs), toMs: Number(toMs) },
    }))
    .filter(({ fromMs, toMs }) => toMs > fromMs);
}

/**
 * Sums up the quarter hours of the stretch; false where another process was faster. `fromMs` and `toMs` are bounds of
 * quarter hours.
 */
export async function closeQuarters(tx: Tx, { scope, fromMs, toMs }: Closing): Promise<boolean> {
  const { workspaceId, testMode } = scope;
  const { numAffectedRows } = await sql`
    insert into figure_sum_closings as c (workspace_id, test_mode, closed_until)
    values (${workspaceId}, ${testMode}, ${toMs})
    on conflict (workspace_id, test_mode) do update set closed_until = excluded.closed_until
    where c.closed_until = ${fromMs}::bigint`.execute(tx);
  if (numAffectedRows !== 1n) return false;
  await insertQuarters(tx, scope, { fromMs, toMs });
  await insertDays(tx, scope, {
    fromMs: Math.floor(fromMs / DAY_MS) * DAY_MS,
    toMs: Math.floor(toMs / DAY_MS) * DAY_MS,
  });
  return true;
}

const NAMES = KEPT_MEASURES.map((measure) => sql.raw(toColumn(measure)));
const SUMS = sql.join(NAMES.map((name) => sql`sum(${name})`));
/** Of a row of sums, in the order in which they are written. */
const COLUMNS = sql`workspace_id, test_mode, span_minutes, is_grouped, currency, starts_at, type, country,
  ${sql.join(NAMES)}`;

/** Each quarter hour twice: of everything, and told apart by type and country of what belongs to a payment. */
async function insertQuarters(tx: Tx, scope: Scope, span: Span): Promise<void> {
  const { workspaceId, testMode } = scope;
  const bucketOf = (at: RawBuilder<unknown>) => sql`(${at} / ${QUARTER_MS}) * ${QUARTER_MS}`;
  const groups: readonly Group[] = ['type', 'country'];
  const reading = { scope, measures: KEPT_MEASURES, span, currency: null, groups, bucketOf };
  const facts = sourcesOf(KEPT_MEASURES).map((source) => selectFacts(source, reading));
  await sql`
    insert into figure_sums (${COLUMNS})
    select ${workspaceId}::uuid, ${testMode}::boolean, ${QUARTER}, grouping(type) = 0, currency, bucket,
      coalesce(type, ''), coalesce(country, ''), ${SUMS}
    from (${sql.join(facts, sql` union all `)}) facts
    group by grouping sets ((currency, bucket), (currency, bucket, type, country))
    having grouping(type) = 1 or type is not null`.execute(tx);
}

/** Days of which all quarter hours are there by now. */
async function insertDays(tx: Tx, scope: Scope, { fromMs, toMs }: Span): Promise<void> {
  const day = sql`(starts_at / ${DAY_MS}) * ${DAY_MS}`;
  await sql`
    insert into figure_sums (${COLUMNS})
    select workspace_id, test_mode, ${DAY}, is_grouped, currency, ${day}, type, country, ${SUMS}
    from figure_sums
    where ${inScope(scope)} and is_grouped in (false, true) and span_minutes = ${QUARTER}
      and starts_at >= ${fromMs}::bigint and starts_at < ${toMs}::bigint
    group by 1, 2, 3, 4, 5, 6, 7, 8`.execute(tx);
}
