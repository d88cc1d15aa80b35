/** The owner of a new store makes the account that its start has made their own. */
import type { Service } from '../../context.ts';
import { inTransaction, violatedKey } from '../../db/transaction.ts';
import { parseEmail } from '../../domain/email.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { requireWords } from '../../domain/require-words.ts';
import { deleteSessions } from '../../resources/accounts/account-sessions.queries.ts';
import { lockAccount, updateAccount } from '../../resources/accounts/accounts.queries.ts';
import { toPage } from '../../resources/paging.ts';
import { listProducts } from '../../resources/products/products.queries.ts';
import { openWorkspace } from '../workspaces/open-workspace.ts';
import { checkNewPassword } from './check-new-password.ts';
import { makeDeviceWord } from './count-tries.ts';
import { type Entering, openSession } from './open-session.ts';
import { hashPassword } from './passwords.ts';
import { findSetup, isSetupToken, type SetupLink } from './setup-link.ts';
import type { SignedIn } from './sign-in.ts';
import { type AccountContext, noteAccount, type Visitor } from './visitor.ts';

export interface WantedWorkspace {
  name: string;
  country: string;
  currency: string;
}

export interface SetUp {
  token: string;
  email: string;
  name: string;
  password: string;
  /** Beside the demo shop; null = without. */
  workspace: WantedWorkspace | null;
  visitor: Visitor;
  before: Entering['before'];
}

/** The account that a link is for; throws link_invalid. */
export async function checkSetup(ctx: Pick<Service, 'db' | 'config'>, token: string): Promise<SetupLink> {
  const setup = await findSetup(ctx);
  if (!setup || !isSetupToken(setup, token)) throw new Refusal('link_invalid');
  return setup;
}

/** Whether the demo shop was made with the account, or nothing but an empty workspace. Throws link_invalid. */
export async function hasDemo(ctx: Pick<Service, 'db' | 'config'>, token: string): Promise<boolean> {
  const { workspaceIds } = (await checkSetup(ctx, token)).account;
  const filter = { archived: 'without', direction: 'desc', lowStockDefault: 0 } as const;
  for (const workspaceId of workspaceIds) {
    const { count } = await listProducts(
      ctx.db,
      { workspaceId, testMode: true },
      filter,
      toPage({ take: 1 }),
    );
    if (count > 0) return true;
  }
  return false;
}

/** Throws link_invalid, password_too_weak and email_taken. */
export async function setUp(
  ctx: AccountContext & Pick<Service, 'forgetFirstPassword'>,
  { token, email, name, password, workspace, visitor, before }: SetUp,
): Promise<SignedIn> {
  const setup = await checkSetup(ctx, token);
  const address = parseEmail(email);
  if (!address) throw invalidField('email', 'is not an e-mail address');
  requireWords({ name, 'workspace.name': workspace?.name });
  await checkNewPassword(password, [email, name]);
  const passwordHash = await hashPassword(password);
  const { id, passwordHash: oldHash } = setup.account;
  const opened = await inTransaction(ctx.db, async (tx) => {
    const account = await lockAccount(tx, id);
    // Somebody else was first.
    if (!account?.setupOpen || account.passwordHash !== oldHash) throw new Refusal('link_invalid');
    const names = { email: address.address, emailNormal: address.normal, name };
    const proved = address.normal === account.emailNormal ? account.emailProvedAt : null;
    await updateAccount(tx, { id, ...names, passwordHash, setupOpen: false, emailProvedAt: proved });
    await deleteSessions(tx, { accountId: id, keptId: null });
    if (workspace) await openWorkspace(tx, ctx.ids, { ...workspace, ownerId: id, nowMs: ctx.nowMs });
    await noteAccount(ctx, tx, { accountId: id, operation: 'setUpAccount', visitor });
    const entering = { accountId: id, method: 'setup' as const, isTwoFactor: false, isProof: true };
    return openSession(ctx, tx, { ...entering, visitor, before });
  }).catch((error: unknown) => {
    if (violatedKey(error) === 'accounts_email') throw new Refusal('email_taken', { cause: error });
    throw error;
  });
  await ctx.forgetFirstPassword(address.address);
  return { kind: 'session', opened, accountId: id, deviceWord: await makeDeviceWord(ctx, id) };
}
