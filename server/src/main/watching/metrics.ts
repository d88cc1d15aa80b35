/** Keeps the metrics of a process, under the names by which alerts and dashboards know them. */

import type pg from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Happening } from '../../context.ts';
import type { Fact } from '../../db/committed-facts.ts';
import type { StoreWatch } from '../../db/store-watch.ts';
import { KEPT_FOR_A_TIME } from '../../domain/retention.ts';
import type { RequestWatch } from '../../http/watch.ts';
import { PAYMENT_TYPES } from '../../resources/payments/payments.schema.ts';
import { LeanHistogram } from './lean-histogram.ts';
import {
  type Defining,
  defineChecks,
  defineFigures,
  KINDS,
  PREFIX,
  type StoreFigures,
  within,
} from './store-metrics.ts';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const VERBS = new Set([
  'select',
  'insert',
  'update',
  'delete',
  'with',
  'begin',
  'commit',
  'rollback',
  'analyze',
]);
const OUTCOMES = new Set(['succeeded', 'declined', 'needs_action', 'pending', 'unknown', 'invalid']);
const FACT_OUTCOMES = new Set(['paid', 'failed', 'full', 'partial']);
const PAYMENT_KINDS = new Set<string>(PAYMENT_TYPES);
const MAIL_OUTCOMES = new Set(['sent', 'kept', 'refused', 'failed']);
const TABLES = new Set<string>([...KEPT_FOR_A_TIME, 'account_audit', 'workspace_audit']);
const DOCUMENT_OUTCOMES = new Set(['drawn', 'failed', 'lost']);
/** Webhooks that are late are so by minutes. */
const LAG_SECONDS = [0.1, 0.5, 1, 5, 15, 30, 60, 120, 300, 900];

export interface Metrics {
  store: StoreWatch;
  requests: RequestWatch;
  notice(happening: Happening): void;
  /** Numbers of the invariants that did not hold when all were asked for (real ms). */
  checked(broken: readonly number[], atMs: number): void;
  contentType: string;
  /** Everything, in the form that Prometheus reads. */
  read(): Promise<string>;
}

export interface Collecting {
  /** Asked for when it is there. */
  pool: () => pg.Pool;
  role: string;
  version: string;
  /** By how much the machine's clock is ahead of the store's (ms); null = not known yet. */
  clockOffMs: () => number | null;
  /** What is asked of the store for all processes together; null where another process tells it. */
  readStore: () => Promise<StoreFigures | null>;
  /** The last migration that the store has; null = not known yet. */
  schema: () => string | null;
  /** How much of the disk of an embedded store is free; null = there is none. */
  readFreeRatio: () => Promise<number | null>;
}

/**
 * How often the event loop is looked at, and so what its lag says where nothing waits. The library's own 10 ms wake a
 * process that does nothing a hundred times a second: a third of what it takes, and 5 % of each request's CPU at 600/s.
 */
const EVENT_LOOP_LOOK_MS = 50;

export function collectMetrics(options: Collecting): Metrics {
  const registry = new Registry();
  const define = { registers: [registry] };
  collectDefaultMetrics({
    register: registry,
    prefix: PREFIX,
    eventLoopMonitoringPrecision: EVENT_LOOP_LOOK_MS,
  });
  const requests = defineHttp(define);
  const store = defineStore(define, options, defineFacts(define));
  const notice = defineWork(define);
  defineProcess(define, options);
  const figures = defineFigures(define);
  const checks = defineChecks(define);
  return {
    requests,
    store: store.watch,
    notice,
    checked: checks.checked,
    contentType: registry.contentType,
    async read() {
      const read = await options.readStore().catch(() => undefined);
      store.up.set(read === undefined ? 0 : 1);
      figures.tell(read ?? null);
      checks.tell(read ? 'here' : 'elsewhere');
      return registry.metrics();
    },
  };
}

function defineHttp(define: Defining): RequestWatch {
  const total = new Counter({
    ...define,
    name: `${PREFIX}http_requests_total`,
    help: 'Requests that were answered.',
    labelNames: ['route', 'method', 'code'],
  });
  const seconds = new LeanHistogram({
    ...define,
    name: `${PREFIX}http_request_seconds`,
    help: 'How long requests took.',
    labelNames: ['tag', 'method'],
    buckets: SECONDS,
  });
  const inFlight = new Gauge({
    ...define,
    name: `${PREFIX}http_in_flight`,
    help: 'Requests that are at work.',
  });
  const limited = new Counter({
    ...define,
    name: `${PREFIX}rate_limited_total`,
    help: 'Requests beyond a limit, by the code that they were answered.',
    labelNames: ['kind'],
  });
  const refused = new Counter({
    ...define,
    name: `${PREFIX}auth_failures_total`,
    help: 'Requests whose keys were missing or wrong (key), or not enough (scope).',
    labelNames: ['kind'],
  });
  return {
    began: () => inFlight.inc(),
    over: (requests) => inFlight.dec(requests),
    answered({ route, tag, method, status, code, ms }) {
      const known = within(method, METHODS);
      // A path with a method that it does not know is no operation, and there are as many as paths and methods.
      const operation = status === 405 ? 'none' : (route ?? 'none');
      total.inc({ route: operation, method: known, code: `${Math.floor(status / 100)}xx` });
      seconds.observe(ms / 1000, tag ?? 'none', known);
      if (status === 429) limited.inc({ kind: code ?? 'page' });
      if (status === 401) refused.inc({ kind: 'key' });
      if (status === 403) refused.inc({ kind: 'scope' });
    },
  };
}

/** Of sales as they were committed. */
function defineFacts(define: Defining): StoreWatch['committed'] {
  const counter = (name: string, help: string) =>
    new Counter({ ...define, name: PREFIX + name, help, labelNames: ['mode', 'type', 'outcome'] });
  const counters = new Map([
    ['sales', counter('sales_total', 'First payments of orders that were paid, or failed.')],
    ['payments', counter('payments_total', 'Payments that were paid, or failed.')],
    ['refunds', counter('refunds_total', 'Refunds, of the whole payment or of a part.')],
    [
      'renewals',
      counter('renewals_total', 'Payments of periods of subscriptions that were paid, or failed.'),
    ],
  ]);
  // Of what an alert divides: where none was paid since the start that is told, too.
  for (const outcome of ['paid', 'failed'])
    counters.get('renewals')?.inc({ mode: 'live', type: 'subscription_interval', outcome }, 0);
  const lost = new Counter({
    ...define,
    name: `${PREFIX}lease_lost_total`,
    help: 'Due work that another had taken over before it ended.',
    labelNames: ['kind'],
  });
  return (facts: readonly Fact[]) => {
    for (const { name, labels } of facts) {
      if (name === 'lease_lost') {
        lost.inc({ kind: within(labels.kind ?? '', KINDS) });
        continue;
      }
      const { mode = '', type = '', outcome = '' } = labels;
      counters.get(name)?.inc({
        mode: mode === 'live' ? 'live' : 'test',
        type: within(type, PAYMENT_KINDS),
        outcome: within(outcome, FACT_OUTCOMES),
      });
    }
  };
}

function defineStore(define: Defining, { pool }: Collecting, committed: StoreWatch['committed']) {
  const up = new Gauge({
    ...define,
    name: `${PREFIX}store_up`,
    help: 'Whether the store has answered just now.',
  });
  new Gauge({
    ...define,
    name: `${PREFIX}store_connections`,
    help: 'Connections of this process to the store, and who waits for one.',
    labelNames: ['state'],
    collect() {
      const { idleCount, totalCount, waitingCount } = pool();
      this.set({ state: 'idle' }, idleCount);
      this.set({ state: 'busy' }, totalCount - idleCount);
      this.set({ state: 'waiting' }, waitingCount);
    },
  });
  new Gauge({
    ...define,
    name: `${PREFIX}store_connections_max`,
    help: 'Connections that this process may hold.',
    collect() {
      this.set(pool().options.max);
    },
  });
  const wait = new LeanHistogram({
    ...define,
    name: `${PREFIX}store_wait_seconds`,
    help: 'How long a connection was waited for.',
    buckets: SECONDS,
  });
  const statement = new LeanHistogram({
    ...define,
    name: `${PREFIX}store_statement_seconds`,
    help: 'How long statements took.',
    labelNames: ['verb'],
    buckets: SECONDS,
  });
  const retries = new Counter({
    ...define,
    name: `${PREFIX}store_retries_total`,
    help: 'Transactions that lost a race and were run again.',
    labelNames: ['sqlstate'],
  });
  const watch: StoreWatch = {
    waited: (ms) => wait.observe(ms / 1000),
    ran: (verb, ms) => statement.observe(ms / 1000, within(verb, VERBS)),
    retried: (sqlstate) => retries.inc({ sqlstate }),
    committed,
  };
  return { up, watch };
}

function defineWork(define: Defining): Metrics['notice'] {
  const seconds = new Histogram({
    ...define,
    name: `${PREFIX}job_seconds`,
    help: 'How long due work took.',
    labelNames: ['kind'],
    buckets: SECONDS,
  });
  const failures = new Counter({
    ...define,
    name: `${PREFIX}job_failures_total`,
    help: 'Due work that failed and is tried again.',
    labelNames: ['kind'],
  });
  // What an alert asks the increase of begins at 0: of a series that begins at 1 nobody sees the first.
  for (const kind of KINDS) failures.inc({ kind }, 0);
  const charges = new Histogram({
    ...define,
    name: `${PREFIX}charge_seconds`,
    help: 'How long processors took to answer a charge.',
    labelNames: ['processor'],
    buckets: SECONDS,
  });
  const outcomes = new Counter({
    ...define,
    name: `${PREFIX}charge_outcomes_total`,
    help: 'What processors answered to charges.',
    labelNames: ['processor', 'outcome'],
  });
  const attempts = new Counter({
    ...define,
    name: `${PREFIX}webhook_attempts_total`,
    help: 'Attempts to deliver a webhook.',
    labelNames: ['outcome'],
  });
  const lag = new Histogram({
    ...define,
    name: `${PREFIX}webhook_lag_seconds`,
    help: 'How late the first attempts of deliveries to healthy webhooks were.',
    buckets: LAG_SECONDS,
  });
  const mails = new Counter({
    ...define,
    name: `${PREFIX}mails_total`,
    help: 'Mails that were written, and what became of them.',
    labelNames: ['outcome'],
  });
  const documents = new Counter({
    ...define,
    name: `${PREFIX}documents_total`,
    help: 'Invoices, credit notes and letters that were drawn, or could not be; lost: their bytes or an upload’s are missing.',
    labelNames: ['outcome'],
  });
  for (const outcome of DOCUMENT_OUTCOMES) documents.inc({ outcome }, 0);
  const gone = new Counter({
    ...define,
    name: `${PREFIX}retention_deleted_total`,
    help: 'Rows that were kept for their time and let go, or whose texts were.',
    labelNames: ['table'],
  });
  return (happening) => {
    switch (happening.what) {
      case 'job': {
        const kind = within(happening.kind, KINDS);
        seconds.observe({ kind }, happening.ms / 1000);
        if (happening.outcome === 'failed') failures.inc({ kind });
        return;
      }
      case 'charge': {
        const { processor, outcome, ms } = happening;
        charges.observe({ processor }, ms / 1000);
        outcomes.inc({ processor, outcome: within(outcome, OUTCOMES) });
        return;
      }
      case 'webhook attempt':
        if (happening.lagMs !== null) lag.observe(happening.lagMs / 1000);
        // The words of a failed connection, and two more.
        return attempts.inc({ outcome: happening.outcome });
      case 'mail':
        return mails.inc({ outcome: within(happening.outcome, MAIL_OUTCOMES) });
      case 'let go':
        return gone.inc({ table: within(happening.kept, TABLES) }, happening.count);
      case 'document':
        return documents.inc({ outcome: within(happening.outcome, DOCUMENT_OUTCOMES) });
    }
  };
}

function defineProcess(
  define: Defining,
  { role, version, clockOffMs, schema, readFreeRatio }: Collecting,
): void {
  new Gauge({
    ...define,
    name: `${PREFIX}build_info`,
    help: 'What runs here.',
    labelNames: ['version', 'schema', 'role'],
    collect() {
      this.reset();
      this.set({ version, schema: schema() ?? '', role }, 1);
    },
  });
  new Gauge({
    ...define,
    name: `${PREFIX}disk_free_ratio`,
    help: 'How much of the disk of the embedded store is free, from 0 to 1.',
    async collect() {
      const ratio = await readFreeRatio();
      if (ratio === null) this.remove();
      else this.set(ratio);
    },
  });
  new Gauge({
    ...define,
    name: `${PREFIX}clock_skew_seconds`,
    help: 'By how much the machine’s clock is ahead of the store’s.',
    collect() {
      const offMs = clockOffMs();
      if (offMs !== null) this.set(offMs / 1000);
    },
  });
}
