/**
 * A processor tells of something. It is stored first, once, with the work that reads it; whoever told it waits for no
 * more than that.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Context, Service, Step } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import { fromShortId } from '../../domain/link-token.ts';
import type {
  Notification,
  NotificationReading,
  RawNotification,
} from '../../providers/payment/notification.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import {
  findEndpointByToken,
  listEndpoints,
} from '../../resources/processors/processor-endpoints.queries.ts';
import {
  findToldCharge,
  insertProcessorEvents,
  type ToldCharge,
} from '../../resources/processors/processor-events.queries.ts';
import { openProvider } from '../payments/provider-of.ts';
import { openNotificationSecret } from '../payments/seal-credentials.ts';
import { noteHealth } from './change-health.ts';
import type { GatherTold } from './gather-told.ts';
import { toTokenHash } from './open-endpoint.ts';

/** Of one store's endpoint. */
export interface FoundEndpoint {
  scope: Scope;
  connectionId: string;
  connection: Row<'processors'>;
  /** Null = it is not known yet. */
  secret: string | null;
}

/** Below what processors wait for an answer. */
const SECRET_AWAITED_MS = 5_000;
const SECRET_POLL_MS = 50;
/** So long the decision of a charge is awaited that is under way in this process. */
const UNDER_WAY_MS = 500;
/** So long ago a charge was sent whose answer may be on its way; and the pauses in which its decision is awaited. */
const JUST_SENT_MS = 2_000;
const OVERTAKEN_PAUSES_MS = [100, 400];
const TOKEN = /^([0-9A-Za-z]{22})\.[\w-]{43}$/;
/** What a processor names anything by: longer ones, or with what no text of the store can hold, are none of its names. */
const NAME = /^\P{Cc}{1,255}$/u;

/** Throws not_found for what is no endpoint, or none any more. */
export async function findEndpoint(service: Service, token: string): Promise<FoundEndpoint> {
  const workspaceId = fromShortId(TOKEN.exec(token)?.[1] ?? '');
  const row =
    workspaceId === null
      ? undefined
      : await findEndpointByToken(service.db, { workspaceId, tokenHash: toTokenHash(token) });
  if (!row || hasEnded(service, { endsAt: row.endpointEndsAt })) throw new Refusal('not_found');
  const { endpointId, endpointSecret, endpointEndsAt: _, ...connection } = row;
  const scope = { workspaceId: connection.workspaceId, testMode: connection.testMode };
  const secret = openNotificationSecret(service, scope, { id: endpointId, secret: endpointSecret });
  return { scope, connectionId: connection.id, connection, secret };
}

/** What is to be kept; over = it is nobody's work. */
export interface Told {
  notification: Notification;
  isOver: boolean;
}

interface TakenNotification extends Pick<RawNotification, 'body' | 'headers'> {
  /** With the store's clock: most of what is told is nobody's work, and needs none. */
  openClocked: () => Promise<Context>;
  gather: GatherTold<Told>;
}

/** Throws invalid_input for what nobody has signed who may, unavailable where it cannot be told. */
export async function takeNotification(
  ctx: Service,
  { scope, connectionId, connection, secret }: FoundEndpoint,
  { body, headers, openClocked, gather }: TakenNotification,
): Promise<void> {
  const provider = openProvider(ctx, scope, connection);
  const read = provider?.readNotification?.bind(provider);
  if (!read) throw new Refusal('not_found');
  const reading = await readSigned(ctx, scope, {
    connectionId,
    own: secret,
    read: (secrets) => read({ body, headers, secrets, realNowMs: ctx.realNowMs() }),
  });
  switch (reading.kind) {
    case 'unsigned':
      throw new Refusal('invalid_input', { message: 'The signature is not right, or not of now.' });
    case 'no_answer':
      throw new Refusal('unavailable');
    case 'ignored':
      return;
    case 'noted': {
      // It is heard again.
      if (connection.health === 'silent') {
        const heard = { id: connectionId, to: 'ok', reason: null, from: ['silent'] } as const;
        await noteHealth(await openClocked(), scope, heard);
      }
      const { notification } = reading;
      if (!isNamed(notification)) return;
      const isOver = await isSettled(ctx, scope, { connectionId, notification });
      await gather(connectionId, { notification, isOver }, (told) =>
        keepTold(ctx, scope, { connectionId, told, openClocked }),
      );
    }
  }
}

interface KeepingTold extends Pick<TakenNotification, 'openClocked'> {
  connectionId: string;
  told: readonly Told[];
}

async function keepTold(
  ctx: Service,
  scope: Scope,
  { connectionId, told, openClocked }: KeepingTold,
): Promise<void> {
  const over = told.filter(({ isOver }) => isOver).map(({ notification }) => notification);
  const open = told.filter(({ isOver }) => !isOver).map(({ notification }) => notification);
  await keepOver(ctx, scope, { connectionId, notifications: over, wasRead: false });
  if (open.length === 0) return;
  const clocked = await openClocked();
  const kept = { connectionId, notifications: open, wasRead: false };
  if ((await inTransaction(ctx.db, (tx) => keepNotifications(clocked, scope, { tx, ...kept }))) > 0)
    ctx.nudgeWorker(scope);
}

/** By names that can be kept, and looked for. */
function isNamed({ id, object: { processorId, ofCharge } }: Notification): boolean {
  return [id, processorId, ofCharge ?? processorId].every((name) => NAME.test(name));
}

/**
 * What is told of a charge that is decided here already, as of most that are paid while their buyer waits. One that was sent just
 * now is about to be decided by its own answer, which the notification has overtaken: it is looked at again, and reading it
 * apart is spared.
 */
async function isSettled(
  ctx: Pick<Context, 'db' | 'realNowMs' | 'underWay'>,
  scope: Scope,
  { connectionId, notification: { object } }: { connectionId: string; notification: Notification },
): Promise<boolean> {
  if (object.kind !== 'charge') return false;
  if (await ctx.underWay.wait(scope, object.processorId, UNDER_WAY_MS)) return true;
  const told = { connectionId, processorId: object.processorId };
  let charge = await findToldCharge(ctx.db, scope, told);
  if (charge && wasJustSent(ctx, charge)) {
    for (const pauseMs of OVERTAKEN_PAUSES_MS) {
      if (charge?.status !== 'pending') break;
      await wait(pauseMs);
      charge = await findToldCharge(ctx.db, scope, told);
    }
  }
  return charge !== undefined && charge.status !== 'pending';
}

function wasJustSent({ realNowMs }: Pick<Context, 'realNowMs'>, { hold, sentAt }: ToldCharge): boolean {
  return hold === null && sentAt !== null && Math.abs(realNowMs() - sentAt) < JUST_SENT_MS;
}

interface ReadingSigned {
  connectionId: string;
  /** Of the endpoint that is told; null = it is not known yet. */
  own: string | null;
  read: (secrets: string[]) => Promise<NotificationReading>;
}

/**
 * By the secret of any endpoint that is heard, that of the one which is told first: hardly ever is it another. What one
 * tells whose secret is not known yet, as the call that makes it is not over, waits for it; where that takes too long it
 * is told again.
 */
async function readSigned(
  ctx: Service,
  scope: Scope,
  { connectionId, own, read }: ReadingSigned,
): Promise<NotificationReading> {
  const reading = own === null ? null : await read([own]);
  if (reading && reading.kind !== 'unsigned') return reading;
  const untilMs = performance.now() + SECRET_AWAITED_MS;
  let known = 0;
  for (;;) {
    const endpoints = (await listEndpoints(ctx.db, scope, connectionId)).filter((row) => !hasEnded(ctx, row));
    const secrets = endpoints
      .map((endpoint) => openNotificationSecret(ctx, scope, endpoint))
      .filter((secret) => secret !== null && secret !== own)
      .map(String);
    if (secrets.length !== known) {
      const reading = await read(secrets);
      if (reading.kind !== 'unsigned') return reading;
    }
    known = secrets.length;
    if (endpoints.every(({ processorId }) => processorId !== null)) return { kind: 'unsigned' };
    if (performance.now() >= untilMs) return { kind: 'no_answer' };
    await wait(SECRET_POLL_MS);
  }
}

export interface KeptNotifications {
  connectionId: string;
  notifications: readonly Notification[];
  /** Found by reading, and not told. */
  wasRead: boolean;
}

type Keeping = Pick<Step, 'ids' | 'realNowMs'>;

function toRows(ctx: Keeping, { connectionId, notifications, wasRead }: KeptNotifications) {
  const receivedAt = ctx.realNowMs();
  return notifications.filter(isNamed).map(({ id: eventId, type, happenedAtMs: happenedAt, object }) => ({
    id: ctx.ids.next(receivedAt),
    ...{ connectionId, eventId, type, happenedAt, receivedAt, wasRead },
    objectKind: object.kind,
    objectId: object.processorId,
    objectCharge: object.ofCharge,
    objectOwn: object.ownId,
  }));
}

/** Nothing waits for them: they are kept, and are nobody's work. */
async function keepOver(ctx: Keeping & { db: Db }, scope: Scope, kept: KeptNotifications): Promise<void> {
  const rows = toRows(ctx, kept).map((row) => ({ ...row, status: 'ignored' as const }));
  await insertProcessorEvents(ctx.db, scope, rows);
}

/** Answers how many were new and are to be read. */
export async function keepNotifications(
  ctx: Keeping & Pick<Step, 'nowMs'>,
  scope: Scope,
  { tx, ...kept }: KeptNotifications & { tx: Tx },
): Promise<number> {
  const added = await insertProcessorEvents(tx, scope, toRows(ctx, kept));
  const kind = 'read_processor_event' as const;
  await insertDueWork(
    tx,
    scope,
    added.map((refId) => ({ kind, refId, dueMs: ctx.nowMs })),
  );
  return added.length;
}

function hasEnded(
  { realNowMs }: Pick<Service, 'realNowMs'>,
  { endsAt }: Pick<Row<'processorEndpoints'>, 'endsAt'>,
): boolean {
  return endsAt !== null && endsAt <= realNowMs();
}
