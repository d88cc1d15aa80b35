/** Whom a merchant means who opens something for a buyer. */
import type { Db } from '../db/database.ts';
import type { Row } from '../db/schema.ts';
import type { Scope } from '../db/scope.ts';
import { invalidField, Refusal } from '../domain/errors.ts';
import { findUser, findUserByEmail, listUsersByInternalId } from '../resources/users/users.queries.ts';

export interface NamedBuyer {
  userId?: string | undefined;
  internalId?: string | undefined;
  email?: string | undefined;
}

/** Throws not_found for nobody, archived for nobody else, and internal_id_ambiguous for several. */
export async function findBuyer(
  db: Db,
  scope: Scope,
  { userId, internalId, email }: NamedBuyer,
): Promise<Row<'users'>> {
  const given = [userId, internalId, email].filter((one) => one !== undefined);
  if (given.length !== 1) throw invalidField('userId', ', internalId or email: exactly one is needed');
  if (internalId !== undefined) return findByInternalId(db, scope, internalId);
  const found =
    userId === undefined ? await findUserByEmail(db, scope, email ?? '') : await findUser(db, scope, userId);
  if (!found || found.erasedAt !== null)
    throw new Refusal('not_found', { message: 'There is no such user.' });
  return found;
}

async function findByInternalId(db: Db, scope: Scope, internalId: string): Promise<Row<'users'>> {
  const users = await listUsersByInternalId(db, scope, internalId);
  const standing = users.filter(({ archivedAt }) => archivedAt === null);
  if (standing.length > 1) throw new Refusal('internal_id_ambiguous');
  const found = standing[0] ?? users[0];
  if (!found) throw new Refusal('not_found', { message: 'There is no such user.' });
  return found;
}
