/**
 * A wrong guess is noted, and the tenth in a row is told to whoever has the mailbox. So is noted an address that has
 * guessed as often as one may, at whomever.
 */
import { ADDRESS_TRIES } from '../../resources/accounts/account-throttles.queries.ts';
import { type CountedTry, TOLD_FAILURES } from './count-tries.ts';
import { queueAccountMail } from './queue-account-mail.ts';
import { type AccountContext, noteAccount, type Visitor } from './visitor.ts';

export interface Failure {
  /** Null where nobody has an account of this e-mail: the work is the same. */
  accountId: string | null;
  emailNormal: string;
  counted: CountedTry;
  visitor: Visitor;
  /** What was guessed at. */
  guessed?: 'password' | 'code';
}

export async function tellOfFailures(ctx: AccountContext, failure: Failure): Promise<void> {
  const { accountId, emailNormal, counted, visitor, guessed = 'password' } = failure;
  const { failures, ofAddress } = counted;
  const isTold = failures === TOLD_FAILURES;
  const operation = isTold ? 'signInThrottled' : 'signInFailed';
  await noteAccount(ctx, ctx.db, { accountId, operation, visitor, details: { guessed, failures } });
  if (ofAddress === ADDRESS_TRIES) {
    const details = { guessed, failures: ofAddress, by: 'address' };
    await noteAccount(ctx, ctx.db, { accountId: null, operation: 'signInThrottled', visitor, details });
  }
  if (isTold) {
    const params = { failures, ipAddress: visitor.ipAddress };
    await queueAccountMail(ctx, ctx.db, { kind: 'failures', to: emailNormal, params });
  }
}
