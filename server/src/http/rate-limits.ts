/**
 * Requests per second, counted in the memory of the process before anything is read or compared. Who is known by a
 * pair that was seen valid a moment ago is counted by the pair, everybody else by address; and an address that tries
 * pairs which are wrong is not told of further wrong ones for a while.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import { toAddressKey } from '../domain/client-address.ts';
import { Refusal } from '../domain/errors.ts';
import type { Actor } from './authenticate.ts';
import type { SentKeys } from './sent-keys.ts';
import { TokenBuckets } from './token-buckets.ts';
import { WrongPairs } from './wrong-pairs.ts';

/** Of requests without a valid pair, by address. */
const STRANGERS = { capacity: 200, perSecond: 40 };
/** Of a session of the dashboard, a second. */
const SESSION_LIMIT = 50;
/** A pair that was valid within this time is counted as itself before it is looked at again. */
const KNOWN_MS = 5_000;
const KNOWN_MAX = 10_000;

/** Probes and metrics are asked by the operator's own machines, processors' notifications by the processors'. */
const APART = /^\/(?:healthz|readyz|startz|metrics)(?:$|\?)|^\/processor-events\//;

/** What the door notes of a request as it comes in. */
export interface Arrival {
  keys: SentKeys;
  /** Of the client: a request that is given up while its body comes has no socket any more that would tell it. */
  ipAddress: string;
  /** The client, as limits count it. */
  address: string;
  isCountedByPair: boolean;
  /** Above 0: its address tried too many wrong pairs, and one more is 429 instead of 401. */
  wrongWaitMs: number;
}

export interface RateLimits {
  /** Counts a request that comes in. Throws rate_limited. */
  admit(request: FastifyRequest, reply: FastifyReply, keys: SentKeys): Arrival;
  /** Its pair was found valid: it counts for the pair and not for the address. Throws rate_limited. */
  noteValid(arrival: Arrival, actor: Counted, reply: FastifyReply): void;
  /** Its pair was found unknown or wrong. Throws rate_limited where its address has tried too many of them. */
  noteWrong(arrival: Arrival): void;
}

/** Whose requests are counted; a session's without a store as those within one. */
export type Counted = Pick<Actor, 'countedBy' | 'withSecret'> & {
  scope: Pick<Actor['scope'], 'testMode'>;
  member: unknown;
};

interface Known {
  actor: Counted;
  seenAtMs: number;
}

export function createRateLimits(
  { config, log }: Pick<Service, 'config' | 'log'>,
  monotonicMs = now,
): RateLimits {
  const isOff = config.rateLimitLive === 0 && config.rateLimitTest === 0;
  const strangers = new TokenBuckets(STRANGERS, monotonicMs);
  const pairs = createPairLimits(config, monotonicMs);
  const known = new Map<string, Known>();
  const wrong = new WrongPairs({
    nowMs: monotonicMs,
    onMany: (address, count) =>
      log.warn({ address, count }, 'an address sends key pairs that are unknown or wrong'),
  });

  function admitStranger(arrival: Arrival): void {
    const taken = strangers.take(arrival.address);
    if (!taken.isTaken) throw toRefusal(taken.nextInMs);
    // It is looked at nonetheless: whoever holds a valid pair may share the address with somebody who guesses.
    const isPair = arrival.keys.digest !== null && !arrival.keys.session;
    if (isPair) arrival.wrongWaitMs = wrong.findWaitMs(arrival.address);
  }

  return {
    admit(request, reply, keys) {
      const { ip: ipAddress } = request;
      const address = toAddressKey(ipAddress);
      const arrival = { keys, ipAddress, address, isCountedByPair: false, wrongWaitMs: 0 };
      if (isOff || APART.test(request.url)) return arrival;
      const standing = keys.digest === null ? undefined : known.get(keys.digest);
      if (standing && monotonicMs() - standing.seenAtMs < KNOWN_MS) {
        arrival.isCountedByPair = true;
        pairs.take(standing.actor, arrival.address, reply);
      } else admitStranger(arrival);
      return arrival;
    },
    noteValid(arrival, actor, reply) {
      const { digest } = arrival.keys;
      if (isOff || digest === null) return;
      // Set anew, so that the first of the map is the one not seen for longest.
      known.delete(digest);
      if (known.size >= KNOWN_MAX) {
        const [oldest] = known.keys();
        if (oldest !== undefined) known.delete(oldest);
      }
      known.set(digest, { actor, seenAtMs: monotonicMs() });
      if (arrival.isCountedByPair) return;
      strangers.giveBack(arrival.address);
      arrival.isCountedByPair = true;
      pairs.take(actor, arrival.address, reply);
    },
    noteWrong({ keys, address, wrongWaitMs }) {
      if (isOff || keys.digest === null) return;
      known.delete(keys.digest);
      // A browser that comes with a session that is over guesses nothing.
      if (keys.session) return;
      // Others may have been wrong since it came in: of many at once no more are told of than of as many in a row.
      const waitMs = Math.max(wrongWaitMs, wrong.findWaitMs(address));
      if (waitMs > 0) {
        wrong.tell(address);
        throw toRefusal(waitMs);
      }
      wrong.note(address);
    },
  };
}

const now = () => performance.now();

/** A bucket for each session, for each pair with its secret, and for each address that has the public key alone. */
function createPairLimits({ rateLimitLive, rateLimitTest }: Service['config'], monotonicMs: () => number) {
  const open = (limit: number) =>
    limit === 0
      ? null
      : { limit, buckets: new TokenBuckets({ capacity: limit, perSecond: limit }, monotonicMs) };
  const sessions = open(rateLimitLive === 0 ? 0 : SESSION_LIMIT);
  const live = open(rateLimitLive);
  const test = open(rateLimitTest);
  return {
    take({ countedBy, scope, member, withSecret }: Counted, address: string, reply: FastifyReply): void {
      const limited = member ? sessions : scope.testMode ? test : live;
      if (!limited) return;
      const taken = limited.buckets.take(withSecret ? countedBy : `${countedBy} ${address}`);
      reply
        .header('ratelimit-limit', limited.limit)
        .header('ratelimit-remaining', taken.remaining)
        .header('ratelimit-reset', Math.ceil(taken.fullInMs / 1000));
      if (!taken.isTaken) throw toRefusal(taken.nextInMs);
    },
  };
}

function toRefusal(waitMs: number): Refusal {
  return new Refusal('rate_limited', { retryAfterS: Math.max(1, Math.ceil(waitMs / 1000)) });
}
