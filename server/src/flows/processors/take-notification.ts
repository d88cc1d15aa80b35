/**
 * A processor tells of something. It is stored first, once, with the work that reads it; whoever told it waits for no
 * more than that.
 */
import type { Context, Service, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import { fromShortId } from '../../domain/link-token.ts';
import type { Notification, RawNotification } from '../../providers/payment/notification.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import {
  findEndpointByToken,
  listEndpoints,
} from '../../resources/processors/processor-endpoints.queries.ts';
import { insertProcessorEvents } from '../../resources/processors/processor-events.queries.ts';
import { findProcessor } from '../../resources/processors/processors.queries.ts';
import { openProvider } from '../payments/provider-of.ts';
import { openNotificationSecret } from '../payments/seal-credentials.ts';
import { noteHealth } from './change-health.ts';
import { toTokenHash } from './open-endpoint.ts';

/** Of one store's endpoint. */
export interface FoundEndpoint {
  scope: Scope;
  connectionId: string;
}

const TOKEN = /^([0-9A-Za-z]{22})\.[\w-]{43}$/;

/** Throws not_found for what is no endpoint, or none any more. */
export async function findEndpoint(service: Service, token: string): Promise<FoundEndpoint> {
  const workspaceId = fromShortId(TOKEN.exec(token)?.[1] ?? '');
  const row =
    workspaceId === null
      ? undefined
      : await findEndpointByToken(service.db, { workspaceId, tokenHash: toTokenHash(token) });
  if (!row || hasEnded(service, row)) throw new Refusal('not_found');
  const { workspaceId: ofWorkspace, testMode, connectionId } = row;
  return { scope: { workspaceId: ofWorkspace, testMode }, connectionId };
}

/** Throws invalid_input for what nobody has signed who may, unavailable where it cannot be told. */
export async function takeNotification(
  ctx: Context,
  { scope, connectionId }: FoundEndpoint,
  { body, headers }: Pick<RawNotification, 'body' | 'headers'>,
): Promise<void> {
  const [row, endpoints] = await Promise.all([
    findProcessor(ctx.db, scope, connectionId),
    listEndpoints(ctx.db, scope, connectionId),
  ]);
  const provider = row && openProvider(ctx, scope, row);
  if (!provider?.readNotification) throw new Refusal('not_found');
  const secrets = endpoints
    .filter((endpoint) => !hasEnded(ctx, endpoint))
    .map((endpoint) => openNotificationSecret(ctx, scope, endpoint))
    .filter((secret) => secret !== null);
  const reading = await provider.readNotification({ body, headers, secrets, realNowMs: ctx.realNowMs() });
  switch (reading.kind) {
    case 'unsigned':
      throw new Refusal('invalid_input', { message: 'The signature is not right, or not of now.' });
    case 'no_answer':
      throw new Refusal('unavailable');
    case 'ignored':
      return;
    case 'noted': {
      // It is heard again.
      if (row?.health === 'silent')
        await noteHealth(ctx, scope, { id: connectionId, to: 'ok', reason: null, from: ['silent'] });
      const { notification } = reading;
      const kept = { connectionId, notifications: [notification], wasRead: false };
      if ((await inTransaction(ctx.db, (tx) => keepNotifications(ctx, scope, { tx, ...kept }))) > 0)
        ctx.nudgeWorker();
    }
  }
}

export interface KeepingNotifications {
  tx: Tx;
  connectionId: string;
  notifications: readonly Notification[];
  /** Found by reading, and not told. */
  wasRead: boolean;
}

/** Answers how many were new. */
export async function keepNotifications(
  ctx: Pick<Step, 'ids' | 'nowMs' | 'realNowMs'>,
  scope: Scope,
  { tx, connectionId, notifications, wasRead }: KeepingNotifications,
): Promise<number> {
  const receivedAt = ctx.realNowMs();
  const rows = notifications.map(({ id: eventId, type, happenedAtMs: happenedAt, object }) => ({
    id: ctx.ids.next(receivedAt),
    ...{ connectionId, eventId, type, happenedAt, receivedAt, wasRead },
    objectKind: object.kind,
    objectId: object.processorId,
    objectCharge: object.ofCharge,
    objectOwn: object.ownId,
  }));
  const added = await insertProcessorEvents(tx, scope, rows);
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
