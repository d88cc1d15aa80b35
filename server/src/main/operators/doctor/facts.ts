/** What `doctor` asks a store and the machine beneath it. Nothing is changed, and no statement reads a large table whole. */
import { sql } from 'kysely';
import type { Config } from '../../../config.ts';
import type { Db } from '../../../db/database.ts';
import { findPooler, type PoolerFound } from '../../../db/find-pooler.ts';
import { KEPT_FOR_A_TIME } from '../../../domain/retention.ts';
import { hasPaidLiveStore } from '../../../resources/installation/held.queries.ts';
import { isAtRest, isHeld } from '../../../resources/installation/held.sql.ts';
import { isAlive, isServedEmbedded } from '../../../resources/installation/processes.sql.ts';
import { TIMELINE } from '../../../resources/installation/timeline.sql.ts';
import { listLate } from '../../../resources/retention/retention.queries.ts';
import { readBeat } from '../../beat-file.ts';
import { daysUntilFull, measureDisk, readDiskDays } from '../../disk-days.ts';
import { countUnopened, openSealing } from '../../sealed-secrets.ts';
import type { BackupAges } from '../../watching/backup-ages.ts';
import { type ComparedMigrations, compareMigrations } from '../compare-migrations.ts';
import { greetMailServer } from './greet-mail-server.ts';
import { type BackupFacts, readBackups } from './read-backups.ts';
import { listReadableSecrets } from './readable-secrets.ts';
import { type FileFacts, sampleFiles } from './sample-files.ts';

const LATE_MS = 5 * 60_000;
const BEHIND_MAX = 100;

/** Of the server itself, which may be shared with others. */
export interface ServerFacts {
  version: number;
  fsync: string;
  fullPageWrites: string;
  checksums: string;
  autovacuum: string;
  connectionsMax: number;
  /** As a standby is, and a server whose operator or disk wants it so. */
  isReadOnly: boolean;
  /** That the last archived log failed after the last that did not. */
  isArchiveFailing: boolean;
  replicaLagS: number;
  /** Of which this role sees no more than that they are there. */
  unseenStandbys: number;
  slotBytes: number;
  transactionS: number;
  /**
   * Of the server's history, and where it was when the installation last ran; null = not known. The server of before says
   * nothing of what came after it: that is what this machine remembers.
   */
  timeline: number | null;
  knownTimeline: number | null;
}

export interface Facts {
  server: ServerFacts;
  /** Null = none stands before the store. */
  pooler: PoolerFound | null;
  skewMs: number;
  migrations: ComparedMigrations;
  late: Array<{ kind: string; count: number }>;
  leases: number;
  bloated: string[];
  /** What a build or a crash has left: no statement uses them. */
  invalidIndexes: string[];
  isHeld: boolean;
  processes: Array<{ host: string; version: string; pool: number; filesUrl: string | null }>;
  behindDays: Array<{ kept: string; days: number }>;
  unopened: number;
  /** Files of secrets that others on this machine can read. */
  readableSecrets: string[];
  failingWebhooks: number;
  /** Connections that let us in no more: what is due over them waits, and no charge fails. */
  brokenProcessors: number;
  charges: { unknown: number; held: number };
  /** Live subscriptions that were imported and not activated. */
  waitingSubscriptions: number;
  files: FileFacts;
  freeBytes: number | null;
  /** At the last week's growth; null = it does not grow, or nobody knows. */
  fullInDays: number | null;
  hasPaidLive: boolean;
  backups: BackupFacts;
  /** Null where there is none. */
  smtp: { isGreeted: boolean; said: string } | null;
}

export interface Looking {
  nowMs?: () => number;
  /** Of what lies in BACKUP_DIR; null = nothing does. */
  readAges?: () => Promise<BackupAges | null>;
}

export async function readFacts(
  db: Db,
  config: Config,
  { nowMs = Date.now, readAges = async () => null }: Looking = {},
): Promise<Facts> {
  const { dataDir, retainDays } = config;
  const [server, skewMs, migrations, unopened, hasPaidLive] = [
    await readServer(db, dataDir),
    await measureSkew(db, nowMs),
    await compareMigrations(db),
    await countUnopened(db, openSealing(config)),
    await hasPaidLiveStore(db),
  ];
  const behindDays: Facts['behindDays'] = [];
  for (const kept of KEPT_FOR_A_TIME) {
    const days = retainDays[kept];
    if (days === 0) continue;
    const behind = await listLate(db, { kept, days, limit: BEHIND_MAX });
    behindDays.push({ kept, days: Math.max(0, ...behind.map(({ behindMs }) => behindMs)) / 86_400_000 });
  }
  const disk = await measureDisk(dataDir, nowMs());
  return {
    pooler: await findPooler(db),
    ...{ server, skewMs, migrations, behindDays, hasPaidLive },
    ...(await readStore(db)),
    backups: await readBackups(db, config, { readAges, nowMs: nowMs() }),
    unopened: unopened.reduce((sum, { count }) => sum + count, 0),
    readableSecrets: await listReadableSecrets(dataDir),
    files: await sampleFiles(db, config),
    freeBytes: disk?.freeBytes ?? null,
    fullInDays: disk && daysUntilFull(await readDiskDays(dataDir), disk),
    smtp: config.smtpUrl === null ? null : await greetMailServer(config.smtpUrl),
  };
}

async function readServer(db: Db, dataDir: string): Promise<ServerFacts> {
  const { rows } = await sql<ServerFacts & { systemIdentifier: string }>`
    select current_setting('server_version_num')::int as version, current_setting('fsync') as fsync,
      current_setting('full_page_writes') as full_page_writes, current_setting('data_checksums') as checksums,
      current_setting('autovacuum') as autovacuum, current_setting('max_connections')::int as connections_max,
      current_setting('transaction_read_only') = 'on' as is_read_only,
      coalesce((select last_failed_time > coalesce(last_archived_time, '-infinity') from pg_stat_archiver), false)
        as is_archive_failing,
      coalesce((select extract(epoch from max(replay_lag)) from pg_stat_replication), 0)::float8 as replica_lag_s,
      (select count(*)::int from pg_stat_replication where state is null) as unseen_standbys,
      coalesce((select max(pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_receive_lsn()
        else pg_current_wal_lsn() end, restart_lsn)) from pg_replication_slots), 0)::float8
        as slot_bytes,
      coalesce((select extract(epoch from clock_timestamp() - min(xact_start)) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name !~ 'export'), 0)::float8
        as transaction_s,
      ${TIMELINE} as timeline, (select system_identifier::text from pg_control_system()) as system_identifier,
      (select timeline from installation_state) as known_timeline`.execute(db);
  const [answered] = rows;
  if (!answered) throw new Error('The store answered nothing of its settings.');
  const { systemIdentifier, ...facts } = answered;
  const kept = await readBeat(dataDir);
  const remembered = kept?.systemIdentifier === systemIdentifier ? kept.timeline : null;
  return { ...facts, knownTimeline: Math.max(facts.knownTimeline ?? 0, remembered ?? 0) || null };
}

/** Between the clocks of the store and of this machine, as exactly as the way to the store lets one say. */
async function measureSkew(db: Db, nowMs: () => number): Promise<number> {
  const beganMs = nowMs();
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db);
  const endedMs = nowMs();
  const middleMs = (beganMs + endedMs) / 2;
  return Math.max(0, Math.abs((rows[0]?.ms ?? middleMs) - middleMs) - (endedMs - beganMs) / 2);
}

type StoreFacts = Pick<
  Facts,
  | 'late'
  | 'leases'
  | 'bloated'
  | 'invalidIndexes'
  | 'isHeld'
  | 'processes'
  | 'failingWebhooks'
  | 'brokenProcessors'
  | 'charges'
  | 'waitingSubscriptions'
>;

async function readStore(db: Db): Promise<StoreFacts> {
  const { rows: late } = await sql<Facts['late'][number]>`
    select d.kind, count(*)::int as count from due_work d
    join stores s on s.workspace_id = d.workspace_id and s.test_mode = d.test_mode
    join workspaces o on o.id = d.workspace_id
    left join webhooks h on h.workspace_id = d.workspace_id and h.test_mode = d.test_mode and h.id = d.lane
    where d.due_real_ms < (select real_now_ms()) - ${LATE_MS}::bigint and d.lease_until_ms is null
      and not ${isAtRest('s', 'o')} and coalesce(h.health, 'ok') = 'ok'
    group by 1 order by 1`.execute(db);
  const { rows: counts } = await sql<{
    leases: number;
    failing: number;
    broken: number;
    unknown: number;
    held: number;
    waiting: number;
    any: boolean;
  }>`
    select
      (select count(*)::int from due_work
        where lease_until_ms < (select real_now_ms()) - ${LATE_MS}::bigint) as leases,
      (select count(*)::int from webhooks where health <> 'ok' and deleted_at is null) as failing,
      (select count(*)::int from processors where health = 'broken' and status <> 'retired') as broken,
      (select count(*)::int from charges c
        join stores s on s.workspace_id = c.workspace_id and s.test_mode = c.test_mode
        where c.status = 'pending' and c.action_path is null and c.hold is null and c.expected_by is null
          and c.created_at - s.clock_offset_ms < (select real_now_ms()) - 3600000) as unknown,
      (select count(*)::int from charges where status = 'pending' and hold is not null) as held,
      (select count(*)::int from subscriptions where waiting and not test_mode) as waiting,
      exists (select from stores s where ${isHeld('s')}) as any`.execute(db);
  const { rows: bloated } = await sql<{ table: string }>`
    select relname as "table" from pg_stat_user_tables
    where schemaname = current_schema() and n_dead_tup > 10000 and n_dead_tup > 0.3 * (n_live_tup + n_dead_tup)
    order by n_dead_tup desc`.execute(db);
  const { rows: invalid } = await sql<{ index: string }>`
    select c.relname as "index" from pg_index i join pg_class c on c.oid = i.indexrelid
    where not i.indisvalid and c.relnamespace = current_schema()::regnamespace order by 1`.execute(db);
  const isServed = await isServedEmbedded(db);
  const { rows: processes } = await sql<Facts['processes'][number]>`
    select host, version, pool, files_url from processes
    where ${isAlive(isServed)}`.execute(db);
  const {
    leases = 0,
    failing = 0,
    broken = 0,
    unknown = 0,
    held = 0,
    waiting = 0,
    any = false,
  } = counts[0] ?? {};
  return {
    ...{ late, leases, processes, isHeld: any, failingWebhooks: failing, charges: { unknown, held } },
    brokenProcessors: broken,
    waitingSubscriptions: waiting,
    bloated: bloated.map(({ table }) => table),
    invalidIndexes: invalid.map(({ index }) => index),
  };
}
