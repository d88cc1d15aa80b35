/** The way in by a password. An address without one, or without a user, costs the same work. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toEmailNormal } from '../../domain/email.ts';
import { Refusal } from '../../domain/errors.ts';
import { findUserByEmail } from '../../resources/users/users.queries.ts';
import { CROWD_WAIT_S, isCrowdedForBuyers, verifyPassword } from '../accounts/passwords.ts';
import { giveBack, type Limited, takeAlways } from '../limits/count-limited.ts';
import { noteFailure } from './guard-door.ts';
import { type OpenedPortal, openSession, type Visitor } from './open-session.ts';

export interface GivenPassword {
  email: string;
  password: string;
  visitor: Visitor;
}

/** Throws sign_in_failed, and rate_limited after many. */
export async function signInWithPassword(
  ctx: Context,
  scope: Scope,
  { email, password, visitor }: GivenPassword,
): Promise<OpenedPortal> {
  // What is not looked at is no guess.
  if (isCrowdedForBuyers()) throw new Refusal('rate_limited', { retryAfterS: CROWD_WAIT_S });
  const limited: Limited[] = [
    { limit: 'portal_password_by_email', of: `${toEmailNormal(email)} ${visitor.addressKey}` },
    { limit: 'portal_password_by_address', of: visitor.addressKey },
  ];
  await takeAlways(scope, { db: ctx.db, limited });
  const user = await findUserByEmail(ctx.db, scope, email);
  const isThere = user !== undefined && user.archivedAt === null && user.erasedAt === null;
  const isRight = await verifyPassword(isThere ? user.passwordHash : null, password);
  if (!isRight || !user) {
    await noteFailure(ctx, scope, visitor.requestId);
    throw new Refusal('sign_in_failed');
  }
  await giveBack(scope, { db: ctx.db, limited });
  return inTransaction(ctx.db, (tx) =>
    openSession(ctx, scope, { tx, userId: user.id, method: 'password', visitor }),
  );
}
