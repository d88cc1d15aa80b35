/** What a listener is to hear: handed out for a minute, once there is something, signed as a webhook gets it. */
import type { Static } from 'typebox';
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import {
  findListener,
  type HeardDelivery,
  leaseDeliveries,
  touchListener,
} from '../../resources/listeners/listeners.queries.ts';
import { TAKE_MAX, type HeardDelivery as Told } from '../../resources/listeners/listeners.schema.ts';
import { toDeliveryHeaders } from './sign-delivery.ts';

/** Whoever took something and is not heard of within this time has lost it: it is handed out anew. */
const LEASE_MS = 60_000;

export interface Asked {
  listenerId: string;
  waitMs?: number | undefined;
  take?: number | undefined;
  /** Ends with the connection of who asks: nothing is handed to nobody. */
  gone: AbortSignal;
  /** Throws where who asks may hear nothing any more. */
  admitAgain: () => Promise<void>;
}

/** Refuses with not_found, and with listener_ended where nobody asked for a day. */
export async function handToListener(
  ctx: Context,
  scope: Scope,
  { listenerId, waitMs = 0, take = TAKE_MAX, gone, admitAgain }: Asked,
): Promise<Array<Static<typeof Told>>> {
  const { db } = ctx;
  const beganMs = ctx.realNowMs();
  const listener = await touchListener(db, scope, { id: listenerId, realMs: beganMs });
  if (!listener) {
    throw new Refusal((await findListener(db, scope, listenerId)) ? 'listener_ended' : 'not_found');
  }
  const lease = { listenerId, take, leaseMs: LEASE_MS };
  const untilMs = beganMs + waitMs;
  for (;;) {
    if (gone.aborted) return [];
    const heard = await leaseDeliveries(db, scope, { ...lease, realMs: ctx.realNowMs() });
    const leftMs = untilMs - ctx.realNowMs();
    // Another that asks for the same listener may have been quicker: then it is waited on.
    if (heard.length > 0 || leftMs <= 0) return heard.map((one) => toTold(ctx, listener, one));
    if (!(await ctx.listening.wait({ scope, listenerId }, { ms: leftMs, gone }))) return [];
    // Their pair may have been revoked while they waited: what they took would be lost for whoever listens still.
    await admitAgain();
  }
}

function toTold(
  ctx: Context,
  { secret }: Row<'listeners'>,
  { id, eventId, eventType, body, attemptCount: sequence }: HeardDelivery,
): Static<typeof Told> {
  const headers = toDeliveryHeaders(ctx, { eventId, eventType, body, sequence, secrets: [secret] });
  return { object: 'heard_delivery', id, eventId, eventType, headers, body };
}
