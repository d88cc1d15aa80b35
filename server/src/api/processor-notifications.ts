/**
 * Where processors tell what has happened: whoever signs with the secret of an endpoint is heard, nobody else. It is no
 * operation of the API, and none of its limits count it.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import { assert } from '../domain/assert.ts';
import { Refusal } from '../domain/errors.ts';
import { gatherTold } from '../flows/processors/gather-told.ts';
import { ENDPOINTS_PATH } from '../flows/processors/open-endpoint.ts';
import {
  type FoundEndpoint,
  findEndpoint,
  type Told,
  takeNotification,
} from '../flows/processors/take-notification.ts';
import { openContext } from '../http/context.ts';
import { type Taken, TokenBuckets } from '../http/token-buckets.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
/** Of one connection, a second. */
const TOLD = { capacity: 500, perSecond: 500 };
/** Addresses that are nobody's, by who tries them: each costs a question to the store. */
const WRONG = { capacity: 200, perSecond: 40 };

interface Telling {
  Params: { token: string };
}

export function registerProcessorNotifications(
  app: FastifyInstance,
  service: Service,
  monotonicMs: () => number = () => performance.now(),
): void {
  const { rateLimitLive, rateLimitTest } = service.config;
  const isOff = rateLimitLive === 0 && rateLimitTest === 0;
  const told = new TokenBuckets(TOLD, monotonicMs);
  const wrong = new TokenBuckets(WRONG, monotonicMs);
  const gather = gatherTold<Told>();
  const hold = (taken: Taken) => {
    if (isOff || taken.isTaken) return;
    throw new Refusal('rate_limited', { retryAfterS: Math.max(1, Math.ceil(taken.nextInMs / 1000)) });
  };

  // What was signed is what came, byte for byte.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
  const heard = new WeakMap<object, FoundEndpoint>();
  const finding = new Map<string, Promise<FoundEndpoint>>();
  /** One question to the store for all that come to an address at once: a burst is none of those who try many. */
  const find = (token: string, address: string): Promise<FoundEndpoint> => {
    const asked = finding.get(token);
    if (asked) return asked;
    // Taken before it is known to be wrong: those who try many at once wait, too.
    hold(wrong.take(address));
    const found = findEndpoint(service, token).finally(() => finding.delete(token));
    finding.set(token, found);
    found.then(
      () => wrong.giveBack(address),
      () => {},
    );
    return found;
  };
  // Before anything of the body is read: what nobody knows who it is from is not held in memory.
  const hear = async (request: FastifyRequest<Telling>): Promise<void> => {
    const address = request.arrival?.address ?? '';
    const found = await find(request.params.token, address);
    hold(told.take(found.connectionId));
    heard.set(request, found);
  };
  app.post<Telling>(
    `${ENDPOINTS_PATH}:token`,
    { schema: { hide: true }, bodyLimit: BODY_LIMIT_BYTES, onRequest: hear },
    async (request, reply) => {
      const { body, headers } = request;
      const found = heard.get(request);
      assert(found, 'who is not heard is refused before');
      const openClocked = () => openContext(service, found.scope, { needsClock: true, isWrite: false });
      const ctx = await openContext(service, found.scope, { needsClock: false, isWrite: false });
      const bytes = body instanceof Uint8Array ? body : new Uint8Array();
      await takeNotification(ctx, found, { body: bytes, headers, openClocked, gather });
      return reply.send({});
    },
  );
}
