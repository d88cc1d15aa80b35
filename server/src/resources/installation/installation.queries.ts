/** The installation: its secrets, the same in every process over one store, and the server that it runs on. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

const SECRET_BYTES = 32;

/** The secret of this name, hex; made when it is first asked for. */
export async function getInstallationSecret(
  db: Db,
  name: 'signed-links' | 'accounts' | 'card-fingerprints',
): Promise<string> {
  const known = await db
    .selectFrom('installationSecrets')
    .select('secret')
    .where('name', '=', name)
    .executeTakeFirst();
  if (known) return known.secret;
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  await db
    .insertInto('installationSecrets')
    .values({ name, secret })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  // Two processes may make it at once: the one that came first holds.
  return getInstallationSecret(db, name);
}

/** The version of the PostgreSQL that the store lies in, such as `18.4`. */
export async function getServerVersion(db: Db): Promise<string> {
  const { rows } = await sql<{
    version: string;
  }>`select current_setting('server_version') as version`.execute(db);
  return (rows[0]?.version ?? 'unknown').split(' ')[0] ?? 'unknown';
}
