/** New keys of a connected account, and whether those that it has are good. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import type { ProcessorAccounts } from '../../providers/payment/account.ts';
import { findProcessor, updateProcessor } from '../../resources/processors/processors.queries.ts';
import { bringForwardWaiting } from '../../resources/processors/waiting-work.queries.ts';
import { isHalted } from '../payments/provider-of.ts';
import { openCredentials, sealCredentials } from '../payments/seal-credentials.ts';
import { changeHealth } from './change-health.ts';
import { inspectAccount, inspectKeys } from './connect-account.ts';
import { tellOfProcessor } from './edit-processor.ts';

type Processor = Row<'processors'>;

const HEALED = { to: 'ok' as const, reason: null, from: ['broken' as const, 'degraded' as const] };
type Finish = (tx: Tx, row: Processor) => Promise<void>;

/** Throws not_found, processor_state, processor_other_account, and what `inspectAccount` refuses with. */
export async function changeCredentials(
  ctx: Context,
  scope: Scope,
  { id, credentials, finish }: { id: string; credentials: Readonly<Record<string, string>>; finish: Finish },
): Promise<Processor> {
  const { row, accounts } = await openAccounts(ctx, scope, id);
  const account = await inspectAccount(ctx, scope, { accounts, credentials });
  if (account.accountId !== row.accountId) throw new Refusal('processor_other_account');
  const changes = {
    credentials: sealCredentials(ctx, scope, { id, credentials }),
    keyLast4: account.keyLast4,
    details: toJson(account.details),
  };
  return inTransaction(ctx.db, async (tx) => {
    await updateProcessor(tx, scope, { id, ...changes });
    await changeHealth(ctx, scope, { tx, id, ...HEALED });
    const changed = await tellOfProcessor(ctx, scope, { tx, id });
    await finish(tx, changed);
    return changed;
  });
}

/**
 * Where it is well, whatever has had no answer over it is due now: whoever asks wants to see that it goes on. Throws
 * not_found, processor_state, processor_unreachable.
 */
export async function checkProcessor(
  ctx: Context,
  scope: Scope,
  { id, finish }: { id: string; finish: Finish },
): Promise<Processor> {
  const { row, accounts } = await openAccounts(ctx, scope, id);
  const credentials = openCredentials(ctx, scope, row);
  const answer = credentials && (await inspectKeys(ctx, scope, { accounts, credentials })).answer;
  if (answer?.kind === 'no_answer') throw new Refusal('processor_unreachable');
  const isGood = answer?.kind === 'fit' && answer.accountId === row.accountId;
  const reason = answer === null ? 'credentials_lost' : `credentials_${answer.kind}`;
  return inTransaction(ctx.db, async (tx) => {
    const change = isGood ? HEALED : { to: 'broken' as const, reason };
    await changeHealth(ctx, scope, { tx, id, ...change });
    const changed = (await findProcessor(tx, scope, id)) ?? row;
    if (isGood && !isHalted(changed))
      await bringForwardWaiting(tx, scope, { connectionId: id, nowMs: ctx.nowMs });
    await finish(tx, changed);
    return changed;
  });
}

async function openAccounts(
  ctx: Context,
  scope: Scope,
  id: string,
): Promise<{ row: Processor; accounts: ProcessorAccounts }> {
  const row = await findProcessor(ctx.db, scope, id);
  if (!row) throw new Refusal('not_found');
  const accounts = ctx.payments.kindNamed(row.kind)?.accounts ?? null;
  if (accounts && row.status !== 'retired') return { row, accounts };
  throw new Refusal('processor_state', {
    message: accounts ? 'The processor is retired.' : 'It has no account that could be asked.',
  });
}
