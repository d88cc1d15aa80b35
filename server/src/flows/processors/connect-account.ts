/**
 * Connects an account of a processor that is asked over a network. All that is to be found out is found out before
 * anything is written; where it comes to nothing, nothing is left behind there or here.
 */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import { isLoopbackAddress } from '../../domain/loopback.ts';
import type {
  AccountAnswer,
  AskedAccount,
  MadeEndpoint,
  ProcessorAccounts,
} from '../../providers/payment/account.ts';
import { toCallEnd } from '../../providers/payment/call-end.ts';
import { isInstallationCopy } from '../../resources/installation/held.queries.ts';
import { endEndpoints } from '../../resources/processors/processor-endpoints.queries.ts';
import {
  findProcessorOfAccount,
  insertProcessor,
  updateProcessor,
} from '../../resources/processors/processors.queries.ts';
import { bringForwardWaiting } from '../../resources/processors/waiting-work.queries.ts';
import { requireSealing, sealCredentials } from '../payments/seal-credentials.ts';
import { type Routing, tellOfProcessor, toRouting } from './edit-processor.ts';
import { isReachable, makeEndpoint } from './make-endpoint.ts';
import { draftEndpoint, writeEndpoint } from './open-endpoint.ts';
import { registerDomainsOf } from './register-domains.ts';

type Processor = Row<'processors'>;
type Fit = Extract<AccountAnswer, { kind: 'fit' }>;

export interface NewAccount extends Routing {
  kind: string;
  name: string;
  credentials: Readonly<Record<string, string>>;
}

export interface ConnectingAccount {
  accounts: ProcessorAccounts;
  asked: NewAccount;
  /** Runs in the transaction that writes it, with its id. */
  begin: (tx: Tx, id: string) => Promise<void>;
  finish: (tx: Tx, row: Processor) => Promise<void>;
}

/** Throws what the keys, the account and the address of this service give reason for. */
export async function connectAccount(
  ctx: Context,
  scope: Scope,
  { accounts, asked, begin, finish }: ConnectingAccount,
): Promise<Processor> {
  refuseUnsafe(ctx, scope);
  requireSealing(ctx);
  const { kind, credentials } = asked;
  const { testMode } = scope;
  const account = await inspectAccount(ctx, scope, { accounts, credentials });
  const earlier = await findProcessorOfAccount(ctx.db, scope, { kind, accountId: account.accountId });
  if (earlier && earlier.status !== 'retired') throw new Refusal('processor_already_connected');
  const id = earlier?.id ?? ctx.ids.next(ctx.nowMs);
  const sealed = sealCredentials(ctx, scope, { id, credentials });
  const endpoint = isReachable(ctx) ? draftEndpoint(ctx, scope) : null;
  const made =
    endpoint &&
    (await makeEndpoint(ctx, { accounts, credentials, testMode, url: endpoint.url }).catch(refuseSilence));
  let connected: Processor;
  try {
    connected = await inTransaction(ctx.db, async (tx) => {
      await write(ctx, scope, { tx, id, isNew: !earlier, asked, account, sealed });
      if (endpoint && made) {
        await writeEndpoint(ctx, scope, { tx, connectionId: id, endpoint, made });
        // Of one that comes back.
        await endEndpoints(tx, scope, { connectionId: id, exceptId: endpoint.id, endsAt: ctx.realNowMs() });
      }
      const row = await tellOfProcessor(ctx, scope, { tx, id });
      await begin(tx, id);
      await finish(tx, row);
      return row;
    });
  } catch (error) {
    if (made) await forget(ctx, { accounts, credentials, testMode, made });
    throw error;
  }
  // It is connected, whatever comes of this: what was not said is asked for day by day.
  await registerDomainsOf(ctx, scope, connected).catch((error: unknown) =>
    ctx.log.warn({ err: error, processorId: id }, 'hosts could not be named for wallets'),
  );
  return connected;
}

/** Throws processor_key_of_a_copy, processor_key_wrong_mode, processor_key_refused, processor_permission_missing, processor_unreachable. */
export async function inspectAccount(
  { db }: Pick<Context, 'db'>,
  { testMode }: Pick<Scope, 'testMode'>,
  { accounts, credentials }: Pick<ConnectingAccount, 'accounts'> & Pick<NewAccount, 'credentials'>,
): Promise<Fit> {
  const { answer, isOfCopy } = await inspectKeys({ db }, { testMode }, { accounts, credentials });
  if (isOfCopy && answer.kind === 'wrong_mode') throw new Refusal('processor_key_of_a_copy');
  switch (answer.kind) {
    case 'fit':
      return answer;
    case 'wrong_mode': {
      const mode = testMode ? 'test' : 'live';
      throw new Refusal('processor_key_wrong_mode', {
        details: answer.fields.map((field) => ({
          path: `credentials.${field}`,
          message: `is no such key of ${mode} mode`,
        })),
      });
    }
    case 'refused':
      throw new Refusal('processor_key_refused');
    case 'lacking':
      throw new Refusal('processor_permission_missing', {
        details: answer.lacking.map(({ field, message }) => ({ path: `credentials.${field}`, message })),
      });
    case 'no_answer':
      throw new Refusal('processor_unreachable');
  }
}

/** What the processor says to the keys. A live store of a copy for tries has test keys. */
export async function inspectKeys(
  { db }: Pick<Context, 'db'>,
  { testMode }: Pick<Scope, 'testMode'>,
  { accounts, credentials }: Pick<ConnectingAccount, 'accounts'> & Pick<NewAccount, 'credentials'>,
): Promise<{ answer: AccountAnswer; isOfCopy: boolean }> {
  const isOfCopy = !testMode && (await isInstallationCopy(db));
  return { answer: await accounts.inspect({ credentials, testMode: testMode || isOfCopy }), isOfCopy };
}

/** Money comes in on pages that nobody between can change. */
function refuseUnsafe({ config }: Context, { testMode }: Scope): void {
  const { protocol, hostname } = new URL(config.publicUrl);
  if (testMode || protocol === 'https:' || isLoopbackAddress(hostname)) return;
  throw new Refusal('public_url_not_secure');
}

interface Writing {
  tx: Tx;
  id: string;
  isNew: boolean;
  asked: NewAccount;
  account: Fit;
  sealed: string;
}

async function write(
  ctx: Step,
  scope: Scope,
  { tx, id, isNew, asked, account, sealed }: Writing,
): Promise<void> {
  const { kind, name, credentials: _, ...routing } = asked;
  const row = {
    ...toRouting(routing),
    id,
    name,
    accountId: account.accountId,
    accountCountry: account.country,
    accountCurrency: account.currency,
    credentials: sealed,
    keyLast4: account.keyLast4,
    details: toJson(account.details),
    health: 'ok' as const,
    healthSince: ctx.realNowMs(),
    healthReason: null,
  };
  // What happened there before is none of ours.
  const readFrom = ctx.realNowMs();
  if (isNew) await insertProcessor(tx, scope, { ...row, kind, readFrom, createdAt: ctx.nowMs });
  else {
    // Its charges, methods and customers are there as they were, and what has waited for it goes on.
    await updateProcessor(tx, scope, { ...row, status: 'active', retiredAt: null });
    await bringForwardWaiting(tx, scope, { connectionId: id, nowMs: ctx.nowMs });
  }
}

function refuseSilence(cause: unknown): never {
  if (toCallEnd(cause) === 'locked_out') {
    const details = [{ path: 'credentials', message: 'may not write Webhook Endpoints' }];
    throw new Refusal('processor_permission_missing', { details, cause });
  }
  throw new Refusal('processor_unreachable', { cause });
}

/** What cannot be taken away tells an address that knows nothing of it. */
async function forget(
  ctx: Context,
  {
    accounts,
    credentials,
    testMode,
    made,
  }: Pick<ConnectingAccount, 'accounts'> & AskedAccount & { made: MadeEndpoint },
): Promise<void> {
  const { processorId } = made;
  await accounts
    .removeEndpoint({ credentials, testMode, processorId })
    .catch((error: unknown) => ctx.log.warn({ err: error, processorId }, 'an endpoint was left behind'));
}
