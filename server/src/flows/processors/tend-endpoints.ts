/**
 * Endpoints are looked after day by day: one that was removed or changed at the processor is mended, one is made where
 * there is none and this address can be told something by now, and those that are over are taken away.
 */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import type { MadeEndpoint, ProcessorAccounts } from '../../providers/payment/account.ts';
import { toCallEnd } from '../../providers/payment/call-end.ts';
import {
  deleteEndpoint,
  endEndpoints,
  listEndedEndpoints,
  listEndpoints,
} from '../../resources/processors/processor-endpoints.queries.ts';
import { findProcessor } from '../../resources/processors/processors.queries.ts';
import { claimToTend } from '../../resources/processors/tending.queries.ts';
import { listOpenStores } from '../../resources/workspaces/open-stores.queries.ts';
import { openCredentials } from '../payments/seal-credentials.ts';
import { isReachable } from './make-endpoint.ts';
import { confirmEndpoint, ENDPOINTS_PATH, openEndpoint, toTokenHash } from './open-endpoint.ts';

type Service = Omit<Context, 'nowMs'>;
type Processor = Row<'processors'>;

/** The one before is heard for so long: what was told meanwhile may be under way. */
const BOTH_HEARD_MS = 24 * 3_600_000;
const ENDED_AT_ONCE = 100;

export interface OpenAccount {
  accounts: ProcessorAccounts;
  credentials: Readonly<Record<string, string>>;
  testMode: boolean;
}

/** Null where the kind has no accounts, or nothing lets us in. */
export function openAccount(
  ctx: Pick<Context, 'payments' | 'sealing'>,
  scope: Scope,
  row: Processor,
): OpenAccount | null {
  const accounts = ctx.payments.kindNamed(row.kind)?.accounts ?? null;
  const credentials = accounts && openCredentials(ctx, scope, row);
  return accounts && credentials && { accounts, credentials, testMode: scope.testMode };
}

/** Those that were not looked after for `everyMs`. Answers how many were given a new endpoint. */
export async function tendEndpoints(service: Service, { everyMs }: { everyMs: number }): Promise<number> {
  let made = 0;
  const stores = await listOpenStores(service.db);
  for (const row of await claimToTend(service.db, { ...stores, everyMs })) {
    const { workspaceId, testMode, id } = row;
    try {
      if (await tendEndpoint(service, { workspaceId, testMode }, row)) made += 1;
    } catch (error) {
      service.log.warn({ err: error, processorId: id }, 'an endpoint could not be looked after');
    }
  }
  return made;
}

/** Answers whether another was made. Throws where there is no answer. */
export async function tendEndpoint(service: Service, scope: Scope, row: Processor): Promise<boolean> {
  const account = openAccount(service, scope, row);
  if (!account || !isReachable(service)) return false;
  const current = (await listEndpoints(service.db, scope, row.id)).find(
    ({ endsAt, processorId }) => endsAt === null && processorId !== null,
  );
  if (current?.processorId) {
    const { processorId, tokenHash } = current;
    const isOurs = (url: string) => isAddressOf(service, url, tokenHash);
    const { accounts, ...asked } = account;
    if ((await accounts.mendEndpoint({ ...asked, processorId, isOurs })) !== 'gone') return false;
  }
  return replaceEndpoint(service, scope, { ...account, connectionId: row.id });
}

/** Of its address only the hash is kept; it begins with ours, whatever that was when it was made. */
function isAddressOf({ config }: Pick<Context, 'config'>, url: string, tokenHash: string): boolean {
  const start = new URL(ENDPOINTS_PATH, config.publicUrl).href;
  return url.startsWith(start) && toTokenHash(url.slice(start.length)) === tokenHash;
}

interface Replacing extends OpenAccount {
  connectionId: string;
  /** Runs in the transaction that writes it. */
  finish?: (tx: Tx) => Promise<void>;
}

/**
 * A second one, with a token and a secret of its own; those of before are heard for a day. Answers false where the
 * processor cannot tell this address anything. Throws where there is no answer.
 */
export async function replaceEndpoint(
  service: Service,
  scope: Scope,
  { accounts, credentials, testMode, connectionId, finish }: Replacing,
): Promise<boolean> {
  const { db, realNowMs } = service;
  if (!isReachable(service)) return false;
  const { id, url } = await openEndpoint({ ...service, nowMs: realNowMs() }, scope, { db, connectionId });
  let made: MadeEndpoint | null = null;
  try {
    made = await accounts.makeEndpoint({ credentials, testMode, url });
    if (made) await inTransaction(db, (tx) => confirm(tx, made as MadeEndpoint));
  } catch (error) {
    if (made) await removeThere(service, { accounts, credentials, testMode, processorId: made.processorId });
    made = null;
    throw error;
  } finally {
    if (!made) await deleteEndpoint(db, scope, id);
  }
  return made !== null;

  async function confirm(tx: Tx, { processorId, secret }: MadeEndpoint): Promise<void> {
    await confirmEndpoint(service, scope, { tx, id, processorId, secret });
    const endsAt = realNowMs() + BOTH_HEARD_MS;
    await endEndpoints(tx, scope, { connectionId, exceptId: id, endsAt });
    await finish?.(tx);
  }
}

/** What cannot be taken away tells an address that knows nothing of it. Answers whether it is gone. */
export async function removeThere(
  { log }: Pick<Context, 'log'>,
  { accounts, credentials, testMode, processorId }: OpenAccount & { processorId: string },
): Promise<boolean> {
  try {
    await accounts.removeEndpoint({ credentials, testMode, processorId });
    return true;
  } catch (error) {
    log.warn({ err: error, processorId }, 'an endpoint was left behind');
    return false;
  }
}

/** Takes away those that are over. Answers how many. */
export async function removeEnded(service: Service): Promise<number> {
  let count = 0;
  const stores = await listOpenStores(service.db);
  for (const endpoint of await listEndedEndpoints(service.db, { ...stores, limit: ENDED_AT_ONCE })) {
    const { workspaceId, testMode, id, connectionId, processorId } = endpoint;
    const scope = { workspaceId, testMode };
    const row = await findProcessor(service.db, scope, connectionId);
    const account = row && openAccount(service, scope, row);
    // Nobody lets us in any more: what is there is told to nobody.
    const isGone =
      !account || processorId === null || (await removeThere(service, { ...account, processorId }));
    if (!isGone) continue;
    await deleteEndpoint(service.db, scope, id);
    count += 1;
  }
  return count;
}

export interface RotatingWebhook {
  id: string;
  finish: (tx: Tx, row: Processor) => Promise<void>;
}

/** Throws not_found, processor_state, processor_unreachable, secrets_key_missing. */
export async function rotateWebhook(
  ctx: Context,
  scope: Scope,
  { id, finish }: RotatingWebhook,
): Promise<Processor> {
  const row = await findProcessor(ctx.db, scope, id);
  if (!row) throw new Refusal('not_found');
  const account = openAccount(ctx, scope, row);
  if (!account) throw new Refusal('processor_state', { message: 'It has no account that tells anything.' });
  let isMade = false;
  try {
    isMade = await replaceEndpoint(ctx, scope, {
      ...account,
      connectionId: id,
      finish: (tx) => finish(tx, row),
    });
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    if (toCallEnd(cause) === 'locked_out') {
      const message = 'The processor refuses the credentials of this account: give it new ones first.';
      throw new Refusal('processor_state', { message, cause });
    }
    throw new Refusal('processor_unreachable', { cause });
  }
  if (!isMade) {
    const message = 'The processor can tell this address nothing; what happens there is asked for.';
    throw new Refusal('processor_state', { message });
  }
  return row;
}
