/** What the operator does to accounts, without any of their proofs. */
import { inTransaction } from '../../db/transaction.ts';
import { parseEmail } from '../../domain/email.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { deleteFactors } from '../../resources/accounts/account-factors.queries.ts';
import { deleteIdentities } from '../../resources/accounts/account-identities.queries.ts';
import { deleteSessions } from '../../resources/accounts/account-sessions.queries.ts';
import { deleteTokens } from '../../resources/accounts/account-tokens.queries.ts';
import {
  type AccountRow,
  findAccountByEmail,
  insertAccount,
  updateAccount,
} from '../../resources/accounts/accounts.queries.ts';
import { revokeInvitationsEverywhere } from '../../resources/team/invitations.queries.ts';
import { LINK_MS, makeLink } from './links.ts';
import { type AccountContext, noteAccount } from './visitor.ts';

export type OperatorContext = Pick<AccountContext, 'db' | 'ids' | 'config' | 'nowMs'>;

/** Without a password: it gets in by a link. Throws email_taken. */
export async function createAccount(
  ctx: OperatorContext,
  { email, installationAdmin }: { email: string; installationAdmin: boolean },
): Promise<void> {
  const address = parseEmail(email);
  if (!address) throw invalidField('email', 'is not an e-mail address');
  const id = ctx.ids.next(ctx.nowMs);
  await inTransaction(ctx.db, async (tx) => {
    if (await findAccountByEmail(tx, address.normal)) throw new Refusal('email_taken');
    const names = { email: address.address, emailNormal: address.normal };
    await insertAccount(tx, { id, ...names, passwordHash: null, installationAdmin, createdAt: ctx.nowMs });
    await noteAccount(ctx, tx, { accountId: id, operation: 'createAccount', visitor: null });
  });
}

/** A link that signs in once, as a mailed one does: answers its address. */
export async function printLink(ctx: OperatorContext, account: AccountRow): Promise<string> {
  return inTransaction(ctx.db, async (tx) => {
    await noteAccount(ctx, tx, { accountId: account.id, operation: 'printLink', visitor: null });
    return makeLink(ctx, tx, { kind: 'link', accountId: account.id, lifeMs: LINK_MS });
  });
}

/** It is out everywhere within 5 seconds, and its links are worth nothing, nor are those that it let others in by. */
export async function setDisabled(
  ctx: OperatorContext,
  { account, isDisabled }: { account: AccountRow; isDisabled: boolean },
): Promise<void> {
  const { id } = account;
  await inTransaction(ctx.db, async (tx) => {
    await updateAccount(tx, { id, disabledAt: isDisabled ? ctx.nowMs : null });
    if (isDisabled) {
      await deleteSessions(tx, { accountId: id, keptId: null });
      await deleteTokens(tx, { accountId: id, kinds: ['link', 'reset', 'pending', 'email', 'passkey'] });
      await revokeInvitationsEverywhere(tx, { invitedBy: `account:${id}`, nowMs: ctx.nowMs });
    }
    const operation = isDisabled ? 'disableAccount' : 'enableAccount';
    await noteAccount(ctx, tx, { accountId: id, operation, visitor: null });
  });
}

/**
 * Of somebody who has lost it: codes, recovery codes and passkeys go, who they are at an identity provider, where they
 * may be somebody new by now, and so do all sessions.
 */
export async function resetSecondFactor(ctx: OperatorContext, { id }: AccountRow): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    await deleteFactors(tx, id);
    await deleteIdentities(tx, id);
    await deleteSessions(tx, { accountId: id, keptId: null });
    await noteAccount(ctx, tx, { accountId: id, operation: 'resetSecondFactor', visitor: null });
  });
}
