/** What accounts did to get in and to themselves: shown in the audit log of every workspace that they are members of. */
import type { Db } from '../../db/database.ts';
import { toJson } from '../../db/scope.ts';

export const ACCOUNT_OPERATIONS = [
  'signIn',
  'signInFailed',
  'signInThrottled',
  'signOut',
  'reauthenticate',
  'lock',
  'revokeSession',
  'setUpAccount',
  'signUp',
  'changeEmail',
  'proveEmail',
  'changePassword',
  'resetPassword',
  'updateAccount',
  'enrolTotp',
  'removeTotp',
  'makeRecoveryCodes',
  'useRecoveryCode',
  'addPasskey',
  'removePasskey',
  'bindIdentity',
  'createAccount',
  'disableAccount',
  'enableAccount',
  'resetSecondFactor',
  'printLink',
  'updateInstallation',
  'holdInstallation',
  'resumeInstallation',
  'allowDevice',
  'denyDevice',
] as const;
export type AccountOperation = (typeof ACCOUNT_OPERATIONS)[number];

export interface AccountAuditEntry {
  id: string;
  /** Null where nobody has an account of that e-mail. */
  accountId: string | null;
  operation: AccountOperation;
  /** No secret, and no e-mail of somebody else's. */
  details?: Record<string, unknown>;
  ipAddress: string | null;
  requestId: string | null;
  createdAt: number;
}

export async function insertAccountAudit(
  db: Db,
  { details = {}, ...entry }: AccountAuditEntry,
): Promise<void> {
  await db
    .insertInto('accountAudit')
    .values({ ...entry, details: toJson(details) })
    .execute();
}
