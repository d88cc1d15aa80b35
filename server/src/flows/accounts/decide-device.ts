/** A person looks at the machine that asks for a key pair, and allows or denies it. */
import type { Service } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toUserCode } from '../../domain/accounts/user-code.ts';
import { Refusal } from '../../domain/errors.ts';
import { findScopeBeyond, type Maker, toScopes, toScopesOf } from '../../domain/key-scopes.ts';
import type { StandingSession } from '../../resources/accounts/account-sessions.queries.ts';
import {
  type DeviceRequestRow,
  decideDevice,
  findAllowingMember,
  findPendingDevice,
} from '../../resources/device-requests/device-requests.queries.ts';
import { countOnce, findWaitMs } from '../../resources/limits/limits.queries.ts';
import { toCounters, toTooMany } from '../limits/count-limited.ts';
import { type AccountContext, noteAccount, type Visitor } from './visitor.ts';

/** What is counted of the installation as a whole is of no store. */
export const INSTALLATION = { workspaceId: 'installation', testMode: false };

type DeviceContext = AccountContext & Pick<Service, 'realNowMs'>;

export interface Deciding {
  session: StandingSession;
  userCode: string;
}

/** Throws not_found for a code that nobody shows now, and rate_limited after ten such in an hour. */
export async function getDevice(
  { db, realNowMs }: Pick<DeviceContext, 'db' | 'realNowMs'>,
  { session, userCode }: Deciding,
): Promise<DeviceRequestRow> {
  const wrong = toCounters(INSTALLATION, [{ limit: 'device_code_by_account', of: session.accountId }]);
  const waitMs = await findWaitMs(db, wrong);
  if (waitMs > 0) throw toTooMany(waitMs);
  const row = await findPendingDevice(db, { userCode: toUserCode(userCode), realMs: realNowMs() });
  if (row) return row;
  await countOnce(db, wrong);
  throw new Refusal('not_found', { message: 'No machine shows this code now.' });
}

export interface Allowing extends Deciding {
  workspaceId: string;
  testMode: boolean;
  /** Missing = what the machine asks for; of that null = all of the person's that needs no naming. */
  scopes?: string[] | null | undefined;
  visitor: Visitor;
}

/**
 * The pair itself is made when the machine fetches it, so that nobody keeps a secret meanwhile. Throws not_found,
 * workspace_not_found, workspace_suspended and insufficient_permission.
 */
export async function allowDevice(ctx: DeviceContext, allowing: Allowing): Promise<void> {
  const { session, workspaceId, testMode, visitor } = allowing;
  const { accountId } = session;
  const asked = await getDevice(ctx, allowing);
  const member = await findAllowingMember(ctx.db, { workspaceId, accountId });
  if (!member) throw new Refusal('workspace_suspended');
  const scopes = chooseScopes(member, { scopes: allowing.scopes ?? asked.scopes, testMode });
  const decision = { status: 'allowed', accountId, workspaceId, testMode, scopes } as const;
  await inTransaction(ctx.db, async (tx) => {
    if (!(await decideDevice(tx, { userCode: asked.userCode, realMs: ctx.realNowMs(), decision })))
      throw new Refusal('not_found');
    const details = { workspaceId, mode: testMode ? 'test' : 'live', client: asked.client, scopes };
    await noteAccount(ctx, tx, { accountId, operation: 'allowDevice', visitor, details });
  });
}

/** Never beyond the person's own permissions. */
function chooseScopes(
  { role, permissions }: Pick<Extract<Maker, { permissions: unknown }>, 'role' | 'permissions'>,
  { scopes: asked, testMode }: { scopes: string[] | null; testMode: boolean },
): string[] | null {
  const maker = { role, permissions };
  const scopes = toScopes(asked);
  if (scopes === null) return toScopesOf(maker, testMode);
  const beyond = findScopeBeyond(maker, { scopes, testMode });
  if (beyond === null) return scopes;
  throw new Refusal('insufficient_permission', {
    message: `You may not do ${beyond} yourself, and so cannot give it to a machine.`,
  });
}

/** The machine is told that nobody wants it. */
export async function denyDevice(
  ctx: DeviceContext,
  { visitor, ...deciding }: Deciding & { visitor: Visitor },
): Promise<void> {
  const { accountId } = deciding.session;
  const { userCode, client } = await getDevice(ctx, deciding);
  await inTransaction(ctx.db, async (tx) => {
    const decision = { status: 'denied', accountId } as const;
    if (!(await decideDevice(tx, { userCode, realMs: ctx.realNowMs(), decision })))
      throw new Refusal('not_found');
    await noteAccount(ctx, tx, { accountId, operation: 'denyDevice', visitor, details: { client } });
  });
}
