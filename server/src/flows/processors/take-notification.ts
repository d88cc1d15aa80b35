/**
 * A processor tells of something. It is stored first, once, with the work that reads it; whoever told it waits for no
 * more than that.
 */
import type { Context, Service } from '../../context.ts';
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
import { insertProcessorEvent } from '../../resources/processors/processor-events.queries.ts';
import { findProcessor } from '../../resources/processors/processors.queries.ts';
import { openProvider } from '../payments/provider-of.ts';
import { openNotificationSecret } from '../payments/seal-credentials.ts';
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
      const { notification } = reading;
      if (await keepNotification(ctx, scope, { connectionId, notification })) ctx.nudgeWorker();
    }
  }
}

/** Answers whether it was new. */
export async function keepNotification(
  ctx: Context,
  scope: Scope,
  { connectionId, notification }: { connectionId: string; notification: Notification },
): Promise<boolean> {
  const { id: eventId, type, happenedAtMs: happenedAt, object } = notification;
  return inTransaction(ctx.db, async (tx) => {
    const id = ctx.ids.next(ctx.realNowMs());
    const isNew = await insertProcessorEvent(tx, scope, {
      id,
      connectionId,
      eventId,
      type,
      objectKind: object.kind,
      objectId: object.processorId,
      objectCharge: object.ofCharge,
      objectOwn: object.ownId,
      happenedAt,
      receivedAt: ctx.realNowMs(),
    });
    if (isNew)
      await insertDueWork(tx, scope, [{ kind: 'read_processor_event', refId: id, dueMs: ctx.nowMs }]);
    return isNew;
  });
}

function hasEnded(
  { realNowMs }: Pick<Service, 'realNowMs'>,
  { endsAt }: Pick<Row<'processorEndpoints'>, 'endsAt'>,
): boolean {
  return endsAt !== null && endsAt <= realNowMs();
}
