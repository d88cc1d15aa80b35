/**
 * What probes are told: `/healthz` that the process turns, which asks nothing; `/readyz` whether to send it requests;
 * `/startz` whether it has ever been ready, so that a store which is away for a while has nobody restarted. One that is
 * held is ready: starting it again would not help.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../db/database.ts';
import { PRODUCT_VERSION } from '../domain/version.ts';
import { readStoreState, type StoreState } from '../resources/installation/store-state.queries.ts';
import { answerWithin } from './answer-within.ts';

/** Whether the service takes requests; while it stops it serves what comes on open connections. */
export interface Readiness {
  isReady: boolean;
  isStopping: boolean;
}

export interface HealthAnswer {
  status: 200 | 503;
  body: Record<string, unknown>;
}

export interface Health {
  /** What is said at this path; null = it is no probe's. */
  answer(path: string): Promise<HealthAnswer | null>;
  stop(): void;
}

export interface HealthOptions {
  role: 'all' | 'api' | 'worker';
  readiness: Readiness;
  /** A connection that nobody else uses: a pool that is busy says nothing of the store. */
  db: Db;
  realNowMs: () => number;
  monotonicMs: () => number;
  /** The highest timeline that this process has written to; null = none is known. */
  highest?: () => number | null;
  /** What the event loop's turns are measured by: the process's own, also where tests move all others. */
  loopMs?: () => number;
}

type Word = 'starting' | 'ready' | 'stopping' | 'unavailable';

const PROBES = ['/healthz', '/readyz', '/startz'] as const;
const PATHS: ReadonlySet<string> = new Set(PROBES);

/** However many ask: the store is asked once in this time. */
const SHARED_MS = 1_000;
const ANSWER_WITHIN_MS = 2_000;
const TURN_MS = 1_000;
/** A loop that was that late is no use to anybody. */
const LATE_MAX_MS = 5_000;

export const isProbe = (request: Pick<FastifyRequest, 'url'>) => PATHS.has(request.url);

export function addHealth(app: FastifyInstance, health: Health): void {
  for (const path of PROBES) {
    app.get(path, { schema: { hide: true } }, async (_request, reply) => {
      const answer = await health.answer(path);
      if (answer?.status === 503) reply.header('retry-after', '1');
      return reply.code(answer?.status ?? 404).send(answer?.body);
    });
  }
  app.addHook('onClose', async () => health.stop());
}

export function createHealth(options: HealthOptions): Health {
  const loop = watchLoop(options.loopMs ?? (() => Number(process.hrtime.bigint() / 1_000_000n)));
  const ask = shareProbe(options.db, options.monotonicMs);
  let told: { word: Word; since: string } | null = null;
  let hasStarted = false;
  /** Of a store that does not answer the last is told that it said. */
  let known: StoreState | null = null;

  async function readReady(): Promise<HealthAnswer> {
    const state = await ask();
    known = state ?? known;
    const isStale = (state?.timeline ?? Number.POSITIVE_INFINITY) < (options.highest?.() ?? 0);
    const word = isStale ? 'unavailable' : toWord(options.readiness, state);
    if (told?.word !== word) told = { word, since: new Date(options.realNowMs()).toISOString() };
    hasStarted ||= word === 'ready';
    const refused = isStale ? { refused: 'store_stale_primary' } : {};
    const store = { reachable: state !== null, timeline: known?.timeline ?? null, ...refused };
    const { role } = options;
    const { schema = null, isHeld: held = null } = known ?? {};
    return {
      status: word === 'ready' ? 200 : 503,
      body: { status: word, version: PRODUCT_VERSION, schema, role, held, store, since: told.since },
    };
  }

  return {
    stop: loop.stop,
    async answer(path) {
      if (path === '/readyz') return readReady();
      if (path === '/startz') return hasStarted ? { status: 200, body: { status: 'started' } } : readReady();
      if (path !== '/healthz') return null;
      const isLate = loop.lateMs() >= LATE_MAX_MS;
      return isLate ? { status: 503, body: { status: 'late' } } : { status: 200, body: { status: 'ok' } };
    },
  };
}

function toWord({ isReady, isStopping }: Readiness, state: StoreState | null): Word {
  if (isStopping) return 'stopping';
  if (!isReady) return 'starting';
  return state === null || state.timeline === null ? 'unavailable' : 'ready';
}

/** Null = it did not answer in time. */
function shareProbe(db: Db, monotonicMs: () => number): () => Promise<StoreState | null> {
  let last: { askedAtMs: number; state: Promise<StoreState | null> } | null = null;
  return () => {
    const nowMs = monotonicMs();
    if (last === null || nowMs - last.askedAtMs >= SHARED_MS) {
      last = { askedAtMs: nowMs, state: answerWithin(ANSWER_WITHIN_MS, readStoreState(db), null) };
    }
    return last.state;
  };
}

/** By how much the event loop came too late to its last turn of a second. */
function watchLoop(loopMs: () => number): { lateMs: () => number; stop: () => void } {
  let turnedAtMs = loopMs();
  let lateMs = 0;
  const timer = setInterval(() => {
    const nowMs = loopMs();
    lateMs = nowMs - turnedAtMs - TURN_MS;
    turnedAtMs = nowMs;
  }, TURN_MS);
  timer.unref();
  return { lateMs: () => lateMs, stop: () => clearInterval(timer) };
}
