/** Builds what a process needs: store, ids, providers, the HTTP application and the worker. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { components, exportedLists, routes } from '../api/routes.ts';
import { type Config, ConfigError } from '../config.ts';
import type { Clock, Ids, Service, Unset } from '../context.ts';
import { type Database, type DatabaseOptions, type Db, openDatabase } from '../db/database.ts';
import { findHosts, type HostsNews } from '../db/hosts/hosts.ts';
import { openReports } from '../db/reports-store.ts';
import type { Scope } from '../db/scope.ts';
import { createStoreClock, type StoreClock } from '../db/store-clock.ts';
import { isSpread } from '../db/store-form.ts';
import { createWitness, type Witness } from '../db/witness.ts';
import { createChargesUnderWay } from '../flows/payments/charges-under-way.ts';
import { createBooks, type ReadingBooks } from '../flows/processors/read-books.ts';
import { type CallWatch, createCallWatch } from '../flows/processors/watch-calls.ts';
import { createListening } from '../flows/webhooks/await-deliveries.ts';
import { createApp } from '../http/app.ts';
import { type Authenticator, createAuthenticator } from '../http/authenticate.ts';
import { createHealth, type Health, type HealthOptions, type Readiness } from '../http/health.ts';
import { createRequestLog, type RequestLog } from '../http/request-log.ts';
import { createEgress, type Egress } from '../net/safe-fetch.ts';
import { portalComponents, portalRoutes } from '../portal/routes.ts';
import type { MailProvider } from '../providers/mail/mail-provider.ts';
import { isRefusal } from '../providers/payment/call-end.ts';
import { createCallLimiter } from '../providers/payment/call-limiter.ts';
import { manual } from '../providers/payment/manual/manual.ts';
import { createMarkStore } from '../providers/payment/paypal/marks.ts';
import { createPayPalKind } from '../providers/payment/paypal/paypal.ts';
import { createPaymentProviders } from '../providers/payment/registry.ts';
import { createSandbox } from '../providers/payment/sandbox/sandbox.ts';
import { createSandboxStore } from '../providers/payment/sandbox/sandbox-store.ts';
import { createCustomerStore } from '../providers/payment/stripe/customers.ts';
import { createStripeKind } from '../providers/payment/stripe/stripe.ts';
import { rememberAnswers } from '../providers/tax/remember-answers.ts';
import { taxTable } from '../providers/tax/tax-provider.ts';
import { createVies } from '../providers/tax/vies.ts';
import { countProcesses } from '../resources/installation/processes.queries.ts';
import { rememberHolds } from '../resources/installation/remember-holds.ts';
import { rememberOwners } from '../resources/links/link-owners.ts';
import { createClock } from '../worker/clock.ts';
import { createWorker, type Worker } from '../worker/worker.ts';
import { forgetFirstPassword } from './credentials-file.ts';
import { createIds } from './ids.ts';
import { createJobs } from './jobs.ts';
import { openShelf } from './open-files.ts';
import { openPages } from './open-pages.ts';
import { openSealing } from './sealed-secrets.ts';
import type { BackupAges } from './watching/backup-ages.ts';
import { createLog } from './watching/log.ts';
import { countDocuments, type OpenMetrics, openMetrics } from './watching/open-metrics.ts';

const ACQUIRE_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** A row that is locked for longer is answered with store_busy; a job waits longer, since nobody waits for it. */
const LOCK_TIMEOUT_MS = 3_000;
const WORK_LOCK_TIMEOUT_MS = 10_000;
/** Who watches learns of a store that is silent at once. */
const WATCHING = {
  maxConnections: 1,
  acquireTimeoutMs: 2_000,
  statementTimeoutMs: 2_000,
  silenceLimitMs: 2_000,
};

export interface WireOptions {
  config: Config;
  store: Pick<
    DatabaseOptions,
    'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database' | 'hasRoom'
  >;
  /** How old the store's backups are, where they are ours to look at. */
  readBackups?: () => Promise<BackupAges>;
  log?: Logger;
  guardEscapes?: boolean;
  realNowMs?: () => number;
  /** By which durations are measured; a test lets what is remembered grow old by it. */
  monotonicMs?: () => number;
  /** Other limits of the connections, for tests of what happens at them. */
  limits?: Partial<StoreLimits>;
}

export interface StoreLimits
  extends Pick<
    DatabaseOptions,
    'acquireTimeoutMs' | 'statementTimeoutMs' | 'lockTimeoutMs' | 'silenceLimitMs'
  > {
  workLockTimeoutMs: number;
}

export interface Wired {
  service: Service;
  readiness: Readiness;
  health: Health;
  /** What is known to be in the store. */
  witness: Witness;
  authenticator: Authenticator;
  requestLog: RequestLog;
  app: FastifyInstance;
  worker: Worker;
  /** Null = nobody asks for them. */
  metrics: OpenMetrics | null;
  books: ReadingBooks;
  /** Real time, once it was asked for. */
  storeClock: StoreClock;
  /** Ends the application and the pool; running requests finish first. */
  close(): Promise<void>;
}

/** Below what processors let through: Stripe 100 calls a second and 25 to an endpoint, in its sandboxes 25 in all. */
const LIVE_RATES = { all: 80, endpoint: 20 };
const TEST_RATES = { all: 20, endpoint: 20 };

interface OpeningPayments {
  config: Config;
  database: Database;
  ids: Ids;
  log: Logger;
  metrics: OpenMetrics | null;
  /** By which it is too late to send. */
  latestMs: () => number;
  onEnd: CallWatch['ended'];
}

function openPayments(opening: OpeningPayments) {
  const { config, database, ids, log, metrics, latestMs: realNowMs, onEnd } = opening;
  return createPaymentProviders({
    sandbox: createSandbox({
      store: createSandboxStore(database.pool, () => isSpread(database.db)),
      randomBytes: ids.randomBytes,
    }),
    measure: metrics?.measure,
    kinds: [manual, ...openNetworkKinds(opening)],
    timeoutMs: config.processorTimeoutMs,
    limiter: createCallLimiter({
      ratesOf: (testMode) => config.processorRates ?? (testMode ? TEST_RATES : LIVE_RATES),
      countProcesses: async () => (await countProcesses(database.db)).count,
      timeoutMs: config.processorTimeoutMs,
      realNowMs,
    }),
    realNowMs,
    onFailure: (error) =>
      isRefusal(error)
        ? log.error({ err: error }, 'the processor says that a call of ours is not right')
        : log.warn({ err: error }, 'the processor gave no answer that can be trusted'),
    onEnd,
  });
}

/** Those that are asked over a network. */
function openNetworkKinds({ config, database, latestMs: realNowMs }: OpeningPayments) {
  const asking = { timeoutMs: config.processorTimeoutMs, realNowMs };
  return [
    createStripeKind({
      ...asking,
      apiUrl: config.stripeApiUrl,
      scriptUrl: config.stripeJsUrl,
      customers: createCustomerStore(database.pool),
    }),
    createPayPalKind({
      ...asking,
      apiUrl: config.paypalApiUrl,
      sandboxApiUrl: config.paypalSandboxApiUrl,
      marks: createMarkStore(database.pool),
    }),
  ];
}

interface OpeningForRequests extends Pick<DatabaseOptions, 'watch' | 'onError' | 'onNameLost' | 'inspect'> {
  limits: Partial<StoreLimits>;
}

function openForRequests(
  { config, store, guardEscapes = false }: WireOptions,
  { limits, ...told }: OpeningForRequests,
): Database {
  return openDatabase({
    ...store,
    form: config.storeForm,
    maxConnections: config.databaseConnectionsMax,
    acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: LOCK_TIMEOUT_MS,
    ...limits,
    guardEscapes,
    ...told,
  });
}

export async function wire(options: WireOptions): Promise<Wired> {
  const { config } = options;
  const log = options.log ?? createLog(config.logLevel, { asText: config.logFormat === 'text' });
  const { monotonicMs = () => performance.now(), readBackups = async () => null } = options;
  const metrics = await openMetrics(config, {
    ...{ store: options.store, clockOffMs: () => storeClock.offMs(), readBackups },
    ...{ database: () => database, processId: () => service.processId },
  });
  const { workLockTimeoutMs = WORK_LOCK_TIMEOUT_MS, ...limits } = options.limits ?? {};
  const database = openForRequests(options, {
    limits,
    watch: metrics?.store ?? null,
    onError: (error) => log.warn({ err: error }, 'a connection to the store broke while idle'),
    onNameLost: () =>
      log.warn(
        { event: 'store_pooler_detected' },
        'a pooler stands before the store that does not keep what is prepared: from here on nothing is, which costs the store more (docs/guides/connections-and-poolers.md)',
      ),
    inspect: (client) => witness.inspect(client),
  });
  const endNews = tellHosts(options.store, log);
  const holds = rememberHolds(database.db, monotonicMs);
  const witness = openWitness(log, () => holds.forget());
  const storeClock = createStoreClock(database.pool);
  const realNowMs = options.realNowMs ?? storeClock.nowMs;
  const latestMs = options.realNowMs ?? storeClock.latestMs;
  const egress = openEgress(config);
  const ids = createIds();
  const { files, shelf } = await openShelf(config, () => database.db);
  const calls = createCallWatch(() => service);
  const books = createBooks(() => work);
  const service: Service & Unset = {
    db: database.db,
    pool: database.pool,
    reports: openReports(config.reportsDatabaseUrl),
    ...{ books, underWay: createChargesUnderWay() },
    processId: ids.next(realNowMs()),
    config,
    ids,
    log,
    payments: openPayments({ config, database, ids, log, metrics, latestMs, onEnd: calls.ended }),
    tax: taxTable,
    taxNumbers: rememberAnswers(openRegister(config, egress, realNowMs), realNowMs),
    files,
    documents: metrics ? countDocuments(shelf, metrics) : shelf,
    mail: await openMail(config),
    sealing: openSealing(config),
    forgetFirstPassword: (ownerEmail: string) => forgetFirstPassword(config, ownerEmail),
    egress,
    holds,
    owners: rememberOwners(database.db, monotonicMs),
    realNowMs,
    notice: metrics?.notice ?? (() => {}),
    nudgeWorker: (scope?: Scope) => worker.nudge(scope),
    clock: clockToCome(() => clock),
    listening: createListening({ db: database.db, log, realNowMs }),
    ...{ nowMs: undefined, nowRealMs: undefined, clockFence: undefined, isAdvancing: undefined },
  };
  const isAlone = config.role === 'worker';
  const work = withDb(service, database.forWork({ lockTimeoutMs: workLockTimeoutMs, isAlone }));
  const jobs = createJobs(work, exportedLists);
  const clock: Clock = createClock({ service: work, jobs });
  const readiness: Readiness = { isReady: false, isStopping: false };
  const probing = { readiness, realNowMs, monotonicMs, highest: witness.highest };
  const { watching, health } = openHealth(options, probing);
  const authenticator = createAuthenticator(service.db, { realNowMs, monotonicMs });
  const requestLog = createRequestLog(service);
  const app = await createApp({
    ...{ service, authenticator, requestLog },
    ...{ readiness, health },
    routes: [...routes, ...portalRoutes],
    components: [...components, ...portalComponents],
    watch: metrics?.requests ?? null,
    ...openPages({ service, authenticator, metrics }),
  });
  const worker: Worker = createWorker({ service: work, jobs });
  return {
    worker,
    ...{ books, underWay: createChargesUnderWay() },
    storeClock,
    metrics,
    service,
    readiness,
    health,
    witness,
    authenticator,
    requestLog,
    app,
    close: async () => {
      await app.close();
      await calls.settle();
      const unnoted = (error: unknown) => log.warn({ err: error }, 'last uses were not noted');
      await authenticator.flush().catch(unnoted);
      await metrics?.end();
      for (const one of [service.egress, service.documents, service.mail]) await one?.close();
      await Promise.all([database.close(), watching.close(), service.reports.close()]);
      endNews();
    },
  };
}

function openHealth(
  { config, store }: WireOptions,
  asked: Pick<HealthOptions, 'readiness' | 'realNowMs' | 'monotonicMs' | 'highest'>,
): { watching: Database; health: Health } {
  const watching = openDatabase({ ...store, ...WATCHING });
  return { watching, health: createHealth({ role: config.role, db: watching.db, ...asked }) };
}

/** A primary of before is told each time, since every request that meets it is refused. */
function openWitness(log: Logger, onLost: () => void): Witness {
  return createWitness(onLost, ({ message, timeline, highest }) =>
    log.error({ event: 'store_stale_primary', timeline, highest }, message),
  );
}

/** What the hosts of the store are found to be; answers how to be told no more. */
function tellHosts({ connectionString }: WireOptions['store'], log: Logger): () => void {
  const told = ({ message, ...news }: HostsNews) =>
    log[news.event === 'store_primary' ? 'info' : 'warn'](news, message);
  return findHosts(connectionString)?.listen(told) ?? (() => {});
}

/** The same for work: but for how it uses the store. */
function withDb(service: Service, db: Db): Service {
  const other = { ...service };
  other.db = db;
  return other;
}

/** The clock of a service that its jobs are made with, and it with its jobs. */
function clockToCome(find: () => Clock): Clock {
  return {
    advance: (scope, toMs) => find().advance(scope, toMs),
    reset: (scope) => find().reset(scope),
    releaseAbandoned: () => find().releaseAbandoned(),
    stop: () => find().stop(),
  };
}

/** Loaded only where there is a mail server: whoever has none need not keep its code in memory. */
async function openMail({ smtpUrl }: Config): Promise<MailProvider | null> {
  if (smtpUrl === null) return null;
  const { createSmtp } = await import('../providers/mail/smtp.ts');
  return createSmtp({ url: smtpUrl });
}

/** A network that cannot be read is the operator's to mend: told in one line. */
function openEgress(config: Config): Egress {
  try {
    return createEgress({ allowCidrs: config.egressAllowCidrs, own: config });
  } catch (cause) {
    throw new ConfigError(cause instanceof Error ? cause.message : String(cause));
  }
}

function openRegister({ viesUrl: url }: Config, egress: Egress, nowMs: () => number) {
  return createVies({ url, send: (outgoing) => egress.send(outgoing), nowMs });
}
