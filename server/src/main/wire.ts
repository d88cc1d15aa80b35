/** Builds what a process needs: store, ids, providers, the HTTP application and the worker. */
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { components, routes } from '../api/routes.ts';
import { type Config, ConfigError } from '../config.ts';
import type { Clock, Service } from '../context.ts';
import { type DatabaseOptions, type Db, openDatabase } from '../db/database.ts';
import { createStoreClock, type StoreClock } from '../db/store-clock.ts';
import { createDocumentShelf } from '../documents/document-shelf.ts';
import { createApp, type Readiness } from '../http/app.ts';
import { type Authenticator, createAuthenticator } from '../http/authenticate.ts';
import { createEgress, type Egress } from '../net/safe-fetch.ts';
import { registerAssets } from '../pages/assets.pages.ts';
import { registerCheckoutPages } from '../pages/checkout.pages.ts';
import { registerCheckoutRoutes } from '../pages/checkout-sessions.routes.ts';
import { registerFilePages } from '../pages/files.pages.ts';
import { registerInvoicePages } from '../pages/invoices.pages.ts';
import { registerDebtRoutes } from '../pages/owed-payments.routes.ts';
import { registerPayPages } from '../pages/pay.pages.ts';
import { createPageRenderer } from '../pages/render-page.ts';
import { registerSandboxAuthentication } from '../pages/sandbox-authentication.pages.ts';
import { preparePages } from '../pages/send-page.ts';
import type { MailProvider } from '../providers/mail/mail-provider.ts';
import { createPaymentProviders } from '../providers/payment/registry.ts';
import { createSandbox } from '../providers/payment/sandbox/sandbox.ts';
import { createSandboxStore } from '../providers/payment/sandbox/sandbox-store.ts';
import { rememberAnswers } from '../providers/tax/remember-answers.ts';
import { taxTable } from '../providers/tax/tax-provider.ts';
import { createVies } from '../providers/tax/vies.ts';
import { createClock } from '../worker/clock.ts';
import { createWorker, type Worker } from '../worker/worker.ts';
import { createIds } from './ids.ts';
import { createLaneJobs, groupJobs, jobs } from './jobs.ts';
import { createLog } from './log.ts';
import type { Metrics } from './metrics.ts';
import { registerMetrics } from './metrics-pages.ts';
import { measureCharges, openMetrics } from './open-metrics.ts';

/** The web build, beside the server's folder both as source and as build. */
const ASSETS = fileURLToPath(new URL('../../../web/dist/', import.meta.url));
const ACQUIRE_TIMEOUT_MS = 2_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** A row that is locked for longer is answered with store_busy; a job waits longer, since nobody waits for it. */
const LOCK_TIMEOUT_MS = 3_000;
const WORK_LOCK_TIMEOUT_MS = 10_000;

export interface WireOptions {
  config: Config;
  store: Pick<DatabaseOptions, 'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'>;
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
  authenticator: Authenticator;
  app: FastifyInstance;
  worker: Worker;
  /** Null = nobody asks for them. */
  metrics: Metrics | null;
  /** Real time, once it was asked for. */
  storeClock: StoreClock;
  /** Ends the application and the pool; running requests finish first. */
  close(): Promise<void>;
}

export async function wire(options: WireOptions): Promise<Wired> {
  const { config } = options;
  const log = options.log ?? createLog(config.logLevel);
  const clockOffMs = () => storeClock.offMs();
  const metrics = await openMetrics(config, { database: () => database, clockOffMs });
  const { workLockTimeoutMs = WORK_LOCK_TIMEOUT_MS, ...limits } = options.limits ?? {};
  const database = openDatabase({
    ...options.store,
    maxConnections: config.databaseConnectionsMax,
    acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: LOCK_TIMEOUT_MS,
    ...limits,
    guardEscapes: options.guardEscapes ?? false,
    watch: metrics?.store ?? null,
    onError: (error) => log.warn({ err: error }, 'a connection to the store broke while idle'),
  });
  const storeClock = createStoreClock(database.pool);
  const realNowMs = options.realNowMs ?? storeClock.nowMs;
  const egress = openEgress(config);
  const vies = createVies({
    url: config.viesUrl,
    send: (outgoing) => egress.send(outgoing),
    nowMs: realNowMs,
  });
  const ids = createIds();
  const { randomBytes } = ids;
  const sandbox = createSandbox({ store: createSandboxStore(database.pool), randomBytes });
  const common = {
    pool: database.pool,
    config,
    ids,
    log,
    payments: createPaymentProviders({
      sandbox: metrics ? measureCharges(sandbox, metrics) : sandbox,
      timeoutMs: config.processorTimeoutMs,
      onFailure: (error) => log.warn({ err: error }, 'the processor gave no answer that can be trusted'),
    }),
    tax: taxTable,
    taxNumbers: rememberAnswers(vies, realNowMs),
    documents: createDocumentShelf({ dataDir: config.dataDir }),
    mail: await openMail(config),
    egress,
    realNowMs,
    notice: metrics?.notice ?? (() => {}),
    nudgeWorker: () => worker.nudge(),
    get clock() {
      return clock;
    },
  };
  const service: Service = withDb(common, database.db);
  const isAlone = config.role === 'worker';
  const work = withDb(common, database.forWork({ lockTimeoutMs: workLockTimeoutMs, isAlone }));
  const clock: Clock = createClock({ service: work, jobs, groupJobs });
  const readiness: Readiness = { isReady: false, isStopping: false };
  const authenticator = createAuthenticator(service.db, {
    realNowMs,
    monotonicMs: options.monotonicMs ?? (() => performance.now()),
  });
  const renderPage = createPageRenderer({ assetsDir: ASSETS });
  const app = await createApp({
    service,
    authenticator,
    readiness,
    routes,
    components,
    watch: metrics?.requests ?? null,
    extend: async (web) => {
      const { metricsToken: token } = config;
      if (metrics && token !== null) registerMetrics(web, { metrics, token });
      await web.register(registerAssets, { root: ASSETS });
      await web.register(async (api) => registerCheckoutRoutes(api, service));
      await web.register(async (api) => registerDebtRoutes(api, service));
      await web.register(async (pages) => {
        preparePages(pages, { service, renderPage });
        registerCheckoutPages(pages, { service, renderPage });
        registerPayPages(pages, { service, renderPage });
        registerSandboxAuthentication(pages, { service, renderPage });
      });
      await web.register(async (files) => registerFilePages(files, service));
      await web.register(async (files) => registerInvoicePages(files, service));
    },
  });
  const worker: Worker = createWorker({ service: work, jobs, groupJobs, laneJobs: createLaneJobs(work) });
  return {
    worker,
    storeClock,
    metrics,
    service,
    readiness,
    authenticator,
    app,
    close: async () => {
      await app.close();
      await authenticator
        .flush()
        .catch((error: unknown) => log.warn({ err: error }, 'last uses were not noted'));
      await service.egress.close();
      await service.documents.close();
      await service.mail?.close();
      await database.close();
    },
  };
}

/** One service for requests and one for work: the same but for how they use the store. */
function withDb(common: Omit<Service, 'db'>, db: Db): Service {
  // Not spread, which would read the clock before it is there.
  return Object.defineProperties({ db }, Object.getOwnPropertyDescriptors(common)) as Service;
}

/** Loaded only where there is a mail server: whoever has none need not keep its code in memory. */
async function openMail({ smtpUrl }: Config): Promise<MailProvider | null> {
  if (smtpUrl === null) return null;
  const { createSmtp } = await import('../providers/mail/smtp.ts');
  return createSmtp({ url: smtpUrl });
}

/** A network that can not be read is the operator's to mend: told in one line. */
function openEgress(config: Config): Egress {
  try {
    return createEgress({ allowCidrs: config.egressAllowCidrs, own: config });
  } catch (cause) {
    throw new ConfigError(cause instanceof Error ? cause.message : String(cause));
  }
}
