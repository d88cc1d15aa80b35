/**
 * The queue before a processor: each connection is asked no more often than its rate allows, buyers who wait come first, and
 * what the processor has turned away for being too much comes again. A process has its share of the rate.
 */
import {
  BACKGROUND_SHARE,
  type CallRates,
  type CallTimes,
  findRate,
  findWaitMs,
  noteCall,
  type Slowed,
  slowDown,
} from '../../domain/processors/call-rate.ts';
import { NotSent } from './call-end.ts';
import type { TimeLimit } from './time-limit.ts';

export interface LimiterOptions {
  ratesOf(testMode: boolean): CallRates;
  /** Processes that live over this store, and share its rates. */
  countProcesses(): Promise<number>;
  /** How long one answer may take, with all that is sent again for it. */
  timeoutMs: number;
  realNowMs: () => number;
}

/** The way of one connection's calls to its processor. */
export interface CallGate {
  /** Waits for its turn, sends, and makes room. Throws NotSent where its time went by meanwhile. */
  send<T>(endpoint: string, sendByRealMs: number, call: () => Promise<T>): Promise<T>;
  /**
   * The processor has turned a call away that was begun then, `turnedAway` times by now: is it to be sent again? Said when it
   * is time to. Behind the time of one answer it is left to the look at what it was for.
   */
  mayAgain(begunMs: number, sendByRealMs: number, turnedAway: number): Promise<boolean>;
}

/** Of one connection, within one time. */
export interface GatedCalls {
  id: string;
  testMode: boolean;
  /** A buyer, or whoever asked us, waits for the answer. */
  isAwaited: boolean;
  /** Stands still while a call waits for its turn; missing = nobody counts their time. */
  limit?: TimeLimit;
}

export interface CallLimiter {
  gateOf(calls: GatedCalls): CallGate;
}

interface Waiting {
  endpoint: string;
  isAwaited: boolean;
  isOver: () => boolean;
  go: (granted: boolean) => void;
}

interface Lane {
  rates: CallRates;
  queue: Waiting[];
  all: CallTimes;
  background: CallTimes;
  endpoints: Map<string, { all: CallTimes; background: CallTimes }>;
  /** Calls that nobody waits for. */
  inFlight: number;
  slowed: Slowed | null;
  timer: NodeJS.Timeout | null;
}

/** Calls of this process that nobody waits for, over one connection at a time. */
const IN_FLIGHT_MAX = 10;
const COUNT_EVERY_MS = 10_000;
/** Of those that wait for a slot, the next is looked for at the latest after this. */
const LOOK_EVERY_MS = 1_000;
/** Without a rate that could be halved, what was turned away waits so long, and each time twice as long. */
const PAUSE_MS = 250;

export function createCallLimiter({
  ratesOf,
  countProcesses,
  timeoutMs,
  realNowMs,
}: LimiterOptions): CallLimiter {
  const lanes = new Map<string, Lane>();
  let processes = 1;
  let countedMs = Number.NEGATIVE_INFINITY;
  let counting: Promise<void> | null = null;

  /** The first call waits for it; later ones go by what was known last. */
  async function countShare(): Promise<void> {
    if (performance.now() - countedMs < COUNT_EVERY_MS) return;
    const isFirst = countedMs === Number.NEGATIVE_INFINITY;
    counting ??= countProcesses()
      .then((count) => {
        processes = Math.max(1, count);
      })
      .catch(() => {})
      .finally(() => {
        countedMs = performance.now();
        counting = null;
      });
    if (isFirst) await counting;
  }

  function laneOf(id: string, testMode: boolean): Lane {
    const lane = lanes.get(id) ?? newLane(ratesOf(testMode));
    lanes.set(id, lane);
    return lane;
  }

  function pump(lane: Lane): void {
    if (lane.timer) clearTimeout(lane.timer);
    lane.timer = null;
    const nowMs = performance.now();
    let soonMs = LOOK_EVERY_MS;
    const left: Waiting[] = [];
    // Whoever waits for an answer comes first, and else who came first.
    for (const one of [...lane.queue.filter(isAwaited), ...lane.queue.filter((other) => !isAwaited(other))]) {
      if (one.isOver()) {
        one.go(false);
        continue;
      }
      const waitMs = findTurnMs(lane, one, processes, nowMs);
      if (waitMs > 0) {
        soonMs = Math.min(soonMs, waitMs);
        left.push(one);
        continue;
      }
      noteTurn(lane, one, processes, nowMs);
      one.go(true);
    }
    lane.queue = left;
    if (left.length > 0) lane.timer = setTimeout(() => pump(lane), Math.ceil(soonMs));
  }

  async function takeTurn(lane: Lane, asked: Omit<Waiting, 'go'>, limit?: TimeLimit): Promise<void> {
    const release = limit?.hold();
    try {
      await countShare();
      const granted = await new Promise<boolean>((go) => {
        lane.queue.push({ ...asked, go });
        pump(lane);
      });
      if (!granted) throw new NotSent('its turn came too late');
    } finally {
      release?.();
    }
  }

  return {
    gateOf({ id, testMode, isAwaited: awaited, limit }) {
      const lane = laneOf(id, testMode);
      return {
        async send(endpoint, sendByRealMs, call) {
          const isOver = () => realNowMs() >= sendByRealMs;
          await takeTurn(lane, { endpoint, isAwaited: awaited, isOver }, limit);
          try {
            return await call();
          } finally {
            if (!awaited) {
              lane.inFlight -= 1;
              pump(lane);
            }
          }
        },
        async mayAgain(begunMs, sendByRealMs, turnedAway) {
          // Of those that were on their way when it was slowed down one says no more than the other.
          const isNews = lane.slowed === null || begunMs > lane.slowed.sinceMs;
          const { all } = lane.rates;
          const nowMs = performance.now();
          if (isNews && all !== null) lane.slowed = slowDown(lane.slowed, all / processes, nowMs);
          const pauseMs = all === null ? PAUSE_MS * 2 ** (turnedAway - 1) : 0;
          const isTooLate = realNowMs() + pauseMs >= sendByRealMs || nowMs + pauseMs - begunMs >= timeoutMs;
          // Within the time of the answer, which a wait for a turn is not.
          if (!isTooLate && pauseMs > 0) await new Promise((done) => setTimeout(done, pauseMs));
          return !isTooLate;
        },
      };
    },
  };
}

const isAwaited = (one: Waiting) => one.isAwaited;

function newLane(rates: CallRates): Lane {
  const times = { all: [], background: [], endpoints: new Map() };
  return { rates, ...times, queue: [], inFlight: 0, slowed: null, timer: null };
}

interface Limit {
  times: CallTimes;
  perSecond: number;
}

/** All that a call counts for; what nobody waits for counts for its own share besides. */
function listLimits(
  lane: Lane,
  { endpoint, isAwaited: awaited }: Waiting,
  processes: number,
  nowMs: number,
): Limit[] {
  const { all, endpoint: perEndpoint } = lane.rates;
  const limits: Limit[] = [];
  const add = (times: { all: CallTimes; background: CallTimes }, perSecond: number) => {
    limits.push({ times: times.all, perSecond });
    if (!awaited) limits.push({ times: times.background, perSecond: perSecond * BACKGROUND_SHARE });
  };
  const own = all === null ? null : all / processes;
  const now = own === null ? null : findRate(lane.slowed, own, nowMs);
  if (now !== null) add(lane, now);
  if (perEndpoint !== null) {
    const times = lane.endpoints.get(endpoint) ?? { all: [], background: [] };
    lane.endpoints.set(endpoint, times);
    const slowness = own === null || now === null ? 1 : now / own;
    add(times, (perEndpoint / processes) * slowness);
  }
  return limits;
}

/** How long until it is its turn; 0 = now. */
function findTurnMs(lane: Lane, one: Waiting, processes: number, nowMs: number): number {
  if (!one.isAwaited && lane.inFlight >= IN_FLIGHT_MAX) return LOOK_EVERY_MS;
  const waits = listLimits(lane, one, processes, nowMs).map(({ times, perSecond }) =>
    findWaitMs(times, perSecond, nowMs),
  );
  return Math.max(0, ...waits);
}

function noteTurn(lane: Lane, one: Waiting, processes: number, nowMs: number): void {
  for (const { times, perSecond } of listLimits(lane, one, processes, nowMs))
    noteCall(times, perSecond, nowMs);
  if (!one.isAwaited) lane.inFlight += 1;
}

const ID_IN_PATH = /^(?=.*[\dA-Z])[\w-]{6,}$/;

/** `POST /v1/payment_intents/*\/confirm`: what stands for one object is the same for all. */
export function toEndpoint(method: string, path: string): string {
  const [bare = ''] = path.split('?');
  const words = bare.split('/').map((word) => (ID_IN_PATH.test(word) ? '*' : word));
  return `${method} ${words.join('/')}`;
}
