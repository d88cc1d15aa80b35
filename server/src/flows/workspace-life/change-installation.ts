/** What the admins of the installation change of it and of its accounts. */
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import {
  changeInstallation,
  type InstallationChanges,
  type InstallationSettings,
} from '../../domain/workspaces/installation-settings.ts';
import { deleteSessions } from '../../resources/accounts/account-sessions.queries.ts';
import { lockAccount, updateAccount } from '../../resources/accounts/accounts.queries.ts';
import {
  getInstallationSettings,
  lockActiveAdmins,
  putInstallationSettings,
} from '../../resources/installation/overview.queries.ts';
import { type AccountContext, noteAccount, type Visitor } from '../accounts/visitor.ts';

export interface ByAdmin {
  adminId: string;
  visitor: Visitor;
}

/** Missing fields stay as they are. Throws invalid_input. */
export async function changeSettings(
  ctx: AccountContext,
  { adminId, visitor, input }: ByAdmin & { input: InstallationChanges },
): Promise<InstallationSettings> {
  return inTransaction(ctx.db, async (tx) => {
    // Of two at once neither gets lost.
    await lockActiveAdmins(tx);
    const after = changeInstallation(await getInstallationSettings(tx), input);
    await putInstallationSettings(tx, after);
    const details = { ...after };
    await noteAccount(ctx, tx, { accountId: adminId, operation: 'updateInstallation', visitor, details });
    return after;
  });
}

export interface AccountChange extends ByAdmin {
  accountId: string;
  name?: string | undefined;
  installationAdmin?: boolean | undefined;
  /** Whether it is closed or opened; missing = it stays. */
  isDisabled?: boolean;
}

/** A closed account's sessions are over. Throws not_found; last_admin where nobody would run the installation. */
export async function changeAccount(ctx: AccountContext, change: AccountChange): Promise<void> {
  const { adminId, visitor, accountId, name, installationAdmin, isDisabled } = change;
  const { nowMs } = ctx;
  await inTransaction(ctx.db, async (tx) => {
    const admins = await lockActiveAdmins(tx);
    const account = await lockAccount(tx, accountId);
    if (!account) throw new Refusal('not_found');
    const isTakenAway = isDisabled === true || installationAdmin === false;
    if (isTakenAway && admins.length === 1 && admins[0] === accountId) throw new Refusal('last_admin');
    const changed = {
      ...(name === undefined ? {} : { name }),
      ...(installationAdmin === undefined ? {} : { installationAdmin }),
      ...(isDisabled === undefined ? {} : { disabledAt: isDisabled ? (account.disabledAt ?? nowMs) : null }),
    };
    if (Object.keys(changed).length === 0) return;
    await updateAccount(tx, { id: accountId, ...changed });
    if (isDisabled) await deleteSessions(tx, { accountId, keptId: null });
    const operation =
      isDisabled === undefined ? 'updateAccount' : isDisabled ? 'disableAccount' : 'enableAccount';
    const details = { by: adminId, name, installationAdmin };
    await noteAccount(ctx, tx, { accountId, operation, visitor, details });
  });
}
