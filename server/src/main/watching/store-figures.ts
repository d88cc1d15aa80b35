/** What metrics tell of the store as a whole: asked by one process for all. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { JOB_KINDS } from '../../domain/due-work.ts';
import { KEPT_FOR_A_TIME, type RetentionDays } from '../../domain/retention.ts';
import { isAtRest, isHeld } from '../../resources/installation/held.sql.ts';
import { isAlive, isServedEmbedded } from '../../resources/installation/processes.sql.ts';
import { TIMELINE } from '../../resources/installation/timeline.sql.ts';
import { listLate } from '../../resources/retention/retention.queries.ts';
import type { BackupAges } from './backup-ages.ts';
import type { StoreFigures } from './store-metrics.ts';

/** Stores that are asked how far behind they are; the first ones tell enough. */
const BEHIND_MAX = 100;
const HOUR_MS = 3_600_000;

/**
 * By the indexes of what is due: a store has a row for each of its subscriptions, which mostly is due much later. In the order of
 * an index and apart (offset 0): the store thinks a third to be due, and would read all of it.
 */
const DUE_NOW = sql`
  select d.workspace_id, d.test_mode, d.kind, d.lane, d.lease_until_ms, d.due_real_ms
  from unnest(${Object.keys(JOB_KINDS)}::text[]) as k (kind)
  cross join lateral (select d.* from due_work d
    where d.kind = k.kind and d.lane is null and d.due_real_ms <= (select real_now_ms())
    order by d.due_real_ms offset 0) d
  union all
  select d.workspace_id, d.test_mode, d.kind, d.lane, d.lease_until_ms, d.due_real_ms
  from due_work d where d.lane is not null and d.due_real_ms <= (select real_now_ms())`;

interface Server {
  failed: number;
  timeline: number | null;
  lagMs: number | null;
}

export interface Asked {
  days: RetentionDays;
  /** Null = they are not ours to look at. */
  readBackups: () => Promise<BackupAges | null>;
}

export async function readStoreFigures(db: Db, { days, readBackups }: Asked): Promise<StoreFigures> {
  const isServed = await isServedEmbedded(db);
  const [
    due,
    mailOldestMs,
    unknown,
    held,
    failing,
    broken,
    tables,
    retention,
    holds,
    processes,
    archiver,
    backups,
  ] = await Promise.all([
    // What a store at rest has is due, and nobody is late with it; so is what a receiver that fails is to get.
    sql<StoreFigures['due'][number]>`
      select w.kind, case when w.lease_until_ms > real_now_ms() then 'leased' else 'waiting' end as state,
        count(*)::int as count,
        coalesce(real_now_ms() - min(w.due_real_ms)
          filter (where not ${isAtRest('s', 'o')} and coalesce(h.health, 'ok') = 'ok'), 0) as oldest_ms
      from (${DUE_NOW}) w join stores s on s.workspace_id = w.workspace_id and s.test_mode = w.test_mode
      join workspaces o on o.id = w.workspace_id
      left join webhooks h on h.workspace_id = w.workspace_id and h.test_mode = w.test_mode and h.id = w.lane
      group by 1, 2`.execute(db),
    readMailAge(db),
    sql<StoreFigures['chargesUnknown'][number]>`
      select c.processor, count(*)::int as count
      from charges c join stores s on s.workspace_id = c.workspace_id and s.test_mode = c.test_mode
      where c.status = 'pending' and c.action_path is null and c.hold is null and c.expected_by is null
        and c.created_at - s.clock_offset_ms < (select real_now_ms()) - ${HOUR_MS}::bigint
      group by 1`.execute(db),
    listHeld(db),
    countFailing(db),
    countBroken(db),
    // Of our own schema: what else lies in the database is its operator's.
    sql<StoreFigures['tables'][number]>`
      select relname as "table", pg_total_relation_size(relid) as bytes, n_dead_tup as dead_rows
      from pg_stat_user_tables where schemaname = current_schema()`.execute(db),
    readRetention(db, days),
    sql<{ held: boolean }>`select exists (select from stores s where ${isHeld('s')}) as held`.execute(db),
    sql<StoreFigures['processes'][number]>`
      select role, count(*)::int as count from processes
      where ${isAlive(isServed)} group by 1`.execute(db),
    sql<Server>`
      select failed_count as failed, ${TIMELINE} as timeline,
        (select extract(epoch from max(coalesce(replay_lag, interval '0')) * 1000)::float8
          from pg_stat_replication where replay_lsn is not null) as lag_ms
      from pg_stat_archiver`.execute(db),
    readBackups(),
  ]);
  return {
    due: due.rows,
    chargesUnknown: unknown.rows,
    chargesHeld: held,
    webhooksFailing: failing,
    processorsBroken: broken,
    tables: tables.rows,
    backups,
    archiveFailed: archiver.rows[0]?.failed ?? 0,
    timeline: archiver.rows[0]?.timeline ?? null,
    lagMs: archiver.rows[0]?.lagMs ?? null,
    retention,
    isHeld: holds.rows[0]?.held === true,
    processes: processes.rows,
    mailOldestMs,
  };
}

async function listHeld(db: Db): Promise<StoreFigures['chargesHeld']> {
  const { rows } = await sql<StoreFigures['chargesHeld'][number]>`
    select processor, count(*)::int as count from charges
    where status = 'pending' and hold is not null group by 1`.execute(db);
  return rows;
}

async function countFailing(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhooks where health <> 'ok' and deleted_at is null`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Of live stores that are at work: the connections of a copy for tries let nobody in for good. */
async function countBroken(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from processors p
    join stores s on s.workspace_id = p.workspace_id and s.test_mode = p.test_mode
    join workspaces o on o.id = p.workspace_id
    where p.health = 'broken' and p.status <> 'retired' and not p.test_mode and not ${isAtRest('s', 'o')}
      and not (select i.is_copy from installation_state i)`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Since it was written: one that the mail server did not take is due later and later, and waits all the same. */
async function readMailAge(db: Db): Promise<number> {
  const { rows } = await sql<{ oldestMs: number }>`
    select coalesce(real_now_ms() - min(coalesce(m.written_real_ms, w.due_real_ms)), 0) as oldest_ms
    from due_work w
    join workspaces o on o.id = w.workspace_id
    join stores s on s.workspace_id = w.workspace_id and s.test_mode = w.test_mode and not ${isAtRest('s', 'o')}
    join mails m on m.workspace_id = w.workspace_id and m.test_mode = w.test_mode and m.id = w.ref_id
    where w.kind = 'send_mail' and w.lane is null`.execute(db);
  return Math.max(0, rows[0]?.oldestMs ?? 0);
}

async function readRetention(db: Db, retainDays: RetentionDays): Promise<StoreFigures['retention']> {
  const told: StoreFigures['retention'] = [];
  for (const kept of KEPT_FOR_A_TIME) {
    const days = retainDays[kept];
    if (days === 0) continue;
    const behind = await listLate(db, { kept, days, limit: BEHIND_MAX });
    told.push({ kept, behindMs: Math.max(0, ...behind.map(({ behindMs }) => behindMs)) });
  }
  return told;
}
