/** The metrics of the store as a whole: one process tells them, the others leave them out. */
import { Counter, Gauge, type Registry } from 'prom-client';
import { JOB_KINDS } from '../../domain/due-work.ts';
import { INVARIANTS } from '../../invariants/find-violations.ts';
import type { BackupAges } from './backup-ages.ts';

export const PREFIX = 'counterfoil_';
/** Of the invariants: those that compare the ledger with itself and with what it is about. */
const OF_LEDGER = new Set([7, 8]);

const ROLES = new Set(['all', 'api', 'worker']);

/** Labels come from closed lists: what strangers send makes no series. */
export const within = (value: string, list: ReadonlySet<string>) => (list.has(value) ? value : 'other');
export const KINDS = new Set<string>(Object.keys(JOB_KINDS));

export interface Defining {
  registers: Registry[];
}

export interface StoreFigures {
  due: Array<{ kind: string; state: 'waiting' | 'leased'; count: number; oldestMs: number }>;
  /** Charges whose outcome has not been known for an hour. */
  chargesUnknown: Array<{ processor: string; count: number }>;
  /** Charges that wait for somebody's decision. */
  chargesHeld: Array<{ processor: string; count: number }>;
  webhooksFailing: number;
  /** Connections to processors that let us in no more: no charge fails, and what is due over them waits. */
  processorsBroken: number;
  mailOldestMs: number;
  /** For how long the oldest of it has been beyond the time that it is kept for. */
  isHeld: boolean;
  /** Those that live, by their role. */
  processes: Array<{ role: string; count: number }>;
  retention: Array<{ kept: string; behindMs: number }>;
  /** Of each table, with its indexes; rows that no transaction sees any more and that are not yet cleared away. */
  tables: Array<{ table: string; bytes: number; deadRows: number }>;
  /** Of the embedded store; null = it is not backed up by us. */
  backups: BackupAges | null;
  /** How often the server could not archive its log since it began to count. */
  archiveFailed: number;
  /** Of the server's history; null = it is a standby itself. */
  timeline: number | null;
  /** Of the standby that is furthest behind; null = there is none. */
  lagMs: number | null;
}

/** Of the store as a whole: one process tells them, the others leave them out. */
export function defineFigures(define: Defining): { tell(figures: StoreFigures | null): void } {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ ...define, name: PREFIX + name, help, labelNames });
  const rows = gauge('due_rows', 'Work whose time has come.', ['kind', 'state']);
  const oldest = gauge('due_oldest_seconds', 'For how long the oldest of it has been due.', ['kind']);
  const unknown = gauge('charges_unknown', 'Charges without a known outcome for an hour.', ['processor']);
  const held = gauge('charges_held', 'Charges that wait for a decision.', ['processor']);
  const failing = gauge('webhooks_failing', 'Webhooks that fail or were disabled for failing.');
  const broken = gauge('processors_broken', 'Connections to processors that let us in no more.');
  const mail = gauge('mail_oldest_seconds', 'For how long the oldest mail that is to be sent has waited.');
  const bytes = gauge('store_bytes', 'What a table takes on the disk, with its indexes.', ['table']);
  const dead = gauge('store_dead_rows', 'Rows that were changed or deleted and are not cleared away.', [
    'table',
  ]);
  const behind = gauge('retention_behind_seconds', 'For how long the oldest row has been beyond its time.', [
    'table',
  ]);
  const copies = gauge('held', 'Whether live stores are held, since they may be copies of others.');
  const processes = gauge('processes', 'Processes that live.', ['role']);
  const age = gauge(
    'backup_age_seconds',
    'How long ago the last base backup ended, and for how long the log has waited to be archived.',
    ['kind'],
  );
  const archive = new Counter({
    ...define,
    name: `${PREFIX}archive_failed_total`,
    help: 'How often the store could not archive its log.',
  });
  archive.remove();
  const timeline = gauge(
    'store_timeline',
    'Of the history of the store’s server: one more with each failover.',
  );
  const lag = gauge('store_lag_seconds', 'How far the standby that is furthest behind the store is.');
  const all = [
    timeline,
    lag,
    age,
    archive,
    rows,
    oldest,
    unknown,
    held,
    failing,
    broken,
    mail,
    bytes,
    dead,
    behind,
    copies,
    processes,
  ];
  return {
    tell(figures) {
      for (const one of all) one.reset();
      if (figures === null) {
        // An unlabelled gauge is 0 after a reset, which would be a claim.
        for (const one of [failing, broken, mail, copies, archive, timeline, lag]) one.remove();
        return;
      }
      tellOrLeave(timeline, figures.timeline);
      tellOrLeave(lag, figures.lagMs === null ? null : figures.lagMs / 1000);
      const oldestByKind = new Map<string, number>();
      for (const { kind, state, count, oldestMs } of figures.due) {
        const known = within(kind, KINDS);
        rows.inc({ kind: known, state }, count);
        oldestByKind.set(known, Math.max(oldestByKind.get(known) ?? 0, oldestMs));
      }
      for (const [kind, ms] of oldestByKind) oldest.set({ kind }, ms / 1000);
      for (const { processor, count } of figures.chargesUnknown) unknown.set({ processor }, count);
      for (const { processor, count } of figures.chargesHeld) held.set({ processor }, count);
      failing.set(figures.webhooksFailing);
      broken.set(figures.processorsBroken);
      mail.set(figures.mailOldestMs / 1000);
      copies.set(figures.isHeld ? 1 : 0);
      for (const { role, count } of figures.processes) processes.set({ role: within(role, ROLES) }, count);
      for (const { kept, behindMs } of figures.retention) behind.set({ table: kept }, behindMs / 1000);
      archive.inc(figures.archiveFailed);
      if (figures.backups !== null) {
        const { baseMs, logMs } = figures.backups;
        if (baseMs !== null) age.set({ kind: 'base' }, baseMs / 1000);
        age.set({ kind: 'log' }, logMs / 1000);
      }
      for (const { table, ...size } of figures.tables) {
        bytes.set({ table }, size.bytes);
        dead.set({ table }, size.deadRows);
      }
    },
  };
}

/** What has no value is left out. */
function tellOrLeave(gauge: Gauge, value: number | null): void {
  if (value === null) gauge.remove();
  else gauge.set(value);
}

/** Of the store as a whole, too, and of the last time that all invariants were asked for. */
export function defineChecks(define: Defining) {
  const broken = new Gauge({
    ...define,
    name: `${PREFIX}invariants_broken`,
    help: 'Whether the invariant of this number did not hold when it was last asked for.',
    labelNames: ['number'],
  });
  const differences = new Gauge({
    ...define,
    name: `${PREFIX}ledger_differences`,
    help: 'Questions to the ledger that found a difference: entries, guards and balances.',
  });
  const checkedAt = new Gauge({
    ...define,
    name: `${PREFIX}invariants_checked_at`,
    help: 'When all invariants were last asked for, in seconds since 1970.',
  });
  let last: { broken: readonly number[]; atMs: number } | null = null;
  return {
    checked(numbers: readonly number[], atMs: number) {
      last = { broken: numbers, atMs };
    },
    /** `elsewhere`: another process tells of the store. */
    tell(where: 'here' | 'elsewhere') {
      broken.reset();
      if (where === 'elsewhere' || last === null) {
        for (const one of [differences, checkedAt]) one.remove();
        return;
      }
      const found = last.broken;
      for (const { number } of INVARIANTS) broken.set({ number }, found.includes(number) ? 1 : 0);
      differences.set(found.filter((number) => OF_LEDGER.has(number)).length);
      checkedAt.set(last.atMs / 1000);
    },
  };
}
