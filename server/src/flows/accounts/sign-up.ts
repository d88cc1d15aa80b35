/** A stranger makes an account and a workspace, where the installation lets strangers in. */
import { inTransaction, violatedKey } from '../../db/transaction.ts';
import { isEmail, toEmailNormal } from '../../domain/email.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { requireWords } from '../../domain/require-words.ts';
import { findToken } from '../../resources/accounts/account-tokens.queries.ts';
import { insertAccount } from '../../resources/accounts/accounts.queries.ts';
import { hashToken } from '../../resources/accounts/tokens.ts';
import { openWorkspace } from '../workspaces/open-workspace.ts';
import { checkNewPassword } from './check-new-password.ts';
import { makeDeviceWord } from './count-tries.ts';
import { requestLink, take } from './links.ts';
import { type Entering, openSession } from './open-session.ts';
import { hashPassword } from './passwords.ts';
import type { WantedWorkspace } from './set-up.ts';
import type { SignedIn } from './sign-in.ts';
import { type AccountContext, noteAccount, type Visitor } from './visitor.ts';

function refuseClosed({ config }: AccountContext): void {
  if (config.signUp === 'closed') throw new Refusal('sign_up_closed');
}

/** Throws sign_up_closed, rate_limited, and invalid_input: a letter goes to whatever was typed. */
export async function askToSignUp(
  ctx: AccountContext,
  { email, visitor }: { email: string; visitor: Visitor },
): Promise<void> {
  refuseClosed(ctx);
  if (!isEmail(email)) throw invalidField('email', 'is not an e-mail address');
  await requestLink(ctx, { kind: 'sign_up', email, visitor });
}

export interface SigningUp {
  token: string;
  name: string;
  password: string;
  workspace: WantedWorkspace;
  visitor: Visitor;
  before: Entering['before'];
}

/** The link has proved the mailbox. Throws link_invalid, password_too_weak and email_taken. */
export async function signUp(ctx: AccountContext, input: SigningUp): Promise<SignedIn> {
  refuseClosed(ctx);
  const { token, name, password, workspace, visitor, before } = input;
  const { ids, nowMs } = ctx;
  requireWords({ name, 'workspace.name': workspace.name });
  const shown = await findToken(ctx.db, { kind: 'sign_up', tokenHash: hashToken(token), nowMs });
  if (!shown) throw new Refusal('link_invalid');
  const email = String(shown.params.email);
  await checkNewPassword(password, [email, name]);
  const passwordHash = await hashPassword(password);
  const id = ids.next(nowMs);
  const opened = await inTransaction(ctx.db, async (tx) => {
    await take(ctx, tx, { kind: 'sign_up', token });
    const names = { email, emailNormal: toEmailNormal(email), name };
    await insertAccount(tx, { id, ...names, passwordHash, emailProvedAt: nowMs, createdAt: nowMs });
    await openWorkspace(tx, ids, { ...workspace, ownerId: id, nowMs });
    await noteAccount(ctx, tx, { accountId: id, operation: 'signUp', visitor });
    const entering = { accountId: id, method: 'sign_up' as const, isTwoFactor: false, isProof: true };
    return openSession(ctx, tx, { ...entering, visitor, before });
  }).catch((error: unknown) => {
    if (violatedKey(error) === 'accounts_email') throw new Refusal('email_taken', { cause: error });
    throw error;
  });
  return { kind: 'session', opened, accountId: id, deviceWord: await makeDeviceWord(ctx, id) };
}
