/** Whom a merchant means who opens something for a buyer. */
import type { Db } from '../db/database.ts';
import type { Row } from '../db/schema.ts';
import type { Scope } from '../db/scope.ts';
import { invalidField, notFound, Refusal } from '../domain/errors.ts';
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
  const [named] = given;
  if (named === undefined || given.length > 1)
    throw invalidField('userId', 'or internalId or email is needed, and one of them alone');
  if (internalId !== undefined) return findByInternalId(db, scope, internalId);
  const found =
    userId === undefined ? await findUserByEmail(db, scope, email ?? '') : await findUser(db, scope, userId);
  if (!found || found.erasedAt !== null) throw notFound('user', named);
  return found;
}

async function findByInternalId(db: Db, scope: Scope, internalId: string): Promise<Row<'users'>> {
  const users = await listUsersByInternalId(db, scope, internalId);
  const standing = users.filter(({ archivedAt }) => archivedAt === null);
  if (standing.length > 1) throw new Refusal('internal_id_ambiguous');
  const found = standing[0] ?? users[0];
  if (!found) throw notFound('user', internalId);
  return found;
}
