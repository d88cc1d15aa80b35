/** The address at which a processor tells of one connection, and who may be believed there. */
import { createHash } from 'node:crypto';
import type { Context, Step } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { toShortId } from '../../domain/link-token.ts';
import { insertEndpoint, updateEndpoint } from '../../resources/processors/processor-endpoints.queries.ts';
import { sealNotificationSecret } from '../payments/seal-credentials.ts';

/** 43 characters. */
const TOKEN_BYTES = 32;
/** Longer than any call that makes one: the row of a process that died meanwhile ends by itself. */
const MADE_WITHIN_MS = 10 * 60_000;
export const ENDPOINTS_PATH = '/processor-events/';

export interface OpenedEndpoint {
  id: string;
  /** Told to the processor alone: only its hash is kept. */
  url: string;
}

export interface DraftedEndpoint extends OpenedEndpoint {
  tokenHash: string;
}

/** An address that nothing is written of yet: what is told there before is not heard. */
export function draftEndpoint(
  { ids, nowMs, config }: Pick<Step, 'ids' | 'nowMs' | 'config'>,
  { workspaceId }: Scope,
): DraftedEndpoint {
  const random = Buffer.from(ids.randomBytes(TOKEN_BYTES)).toString('base64url');
  const token = `${toShortId(workspaceId)}.${random}`;
  const url = new URL(`${ENDPOINTS_PATH}${token}`, config.publicUrl).href;
  return { id: ids.next(nowMs), url, tokenHash: toTokenHash(token) };
}

/**
 * A new address, written before the processor makes it: what it tells before it has answered is waited with
 * (take-notification.ts). Those of before go on until they are ended.
 */
export async function openEndpoint(
  ctx: Pick<Step, 'ids' | 'nowMs' | 'config' | 'realNowMs'>,
  scope: Scope,
  { db, connectionId }: { db: Db; connectionId: string },
): Promise<OpenedEndpoint> {
  const { id, url, tokenHash } = draftEndpoint(ctx, scope);
  const createdAt = ctx.realNowMs();
  await insertEndpoint(db, scope, {
    ...{ id, connectionId, tokenHash, createdAt },
    endsAt: createdAt + MADE_WITHIN_MS,
  });
  return { id, url };
}

interface WritingEndpoint {
  tx: Tx;
  connectionId: string;
  endpoint: DraftedEndpoint;
  made: { processorId: string; secret: string };
}

/** One that the processor has made already. Throws secrets_key_missing. */
export async function writeEndpoint(
  ctx: Pick<Context, 'sealing' | 'realNowMs'>,
  scope: Scope,
  { tx, connectionId, endpoint: { id, tokenHash }, made: { processorId, secret } }: WritingEndpoint,
): Promise<void> {
  await insertEndpoint(tx, scope, { id, connectionId, tokenHash, createdAt: ctx.realNowMs() });
  await confirmEndpoint(ctx, scope, { tx, id, processorId, secret });
}

/** What the processor said when it made the endpoint, which it says once. Throws secrets_key_missing. */
export async function confirmEndpoint(
  ctx: Pick<Context, 'sealing'>,
  scope: Scope,
  { tx, id, processorId, secret }: { tx: Tx; id: string; processorId: string; secret: string },
): Promise<void> {
  const sealed = sealNotificationSecret(ctx, scope, { id, secret });
  await updateEndpoint(tx, scope, { id, processorId, secret: sealed, endsAt: null });
}

export function toTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
