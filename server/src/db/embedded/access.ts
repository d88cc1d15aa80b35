import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, link, readFile, unlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { hasCode } from './platform.ts';
import type { ServerUser } from './server-user.ts';

/**
 * How the server knows who connects to its socket. Nobody connects over the network.
 * - peer: the kernel tells whose process it is; the one account that runs service and server may connect, and root.
 * - password: the server runs as an account that others may use too (`nobody`), or whose name the system does not
 *   know. A password in DATA_DIR, which only the service's account reads, is asked for.
 */
export type Access =
  | { kind: 'peer'; account: string; password: null }
  | { kind: 'password'; password: string; file: string };

/** The roles of the store: the superuser of our own sessions, and the one that the service works as. */
export const SUPERUSER = 'postgres';
export const SERVICE_ROLE = 'counterfoil';

const PASSWORD_BYTES = 24;
const MAP = 'service';
const OWN_NAME = new RegExp(`^${MAP} "((?:[^"]|"")+)" ${SUPERUSER}$`, 'm');

/** Works out how the store of a DATA_DIR is entered, and makes its password where it needs one and has none. */
export async function prepareAccess(user: ServerUser, dataDir: string, cluster: string): Promise<Access> {
  // A command that root runs beside a plain account's service leaves its rules as they are.
  const account = user.via === 'direct' ? findAccount() : readAccount(cluster);
  if (account !== null) return { kind: 'peer', account, password: null };
  const file = path.join(dataDir, 'postgres.password');
  return { kind: 'password', file, password: await keepPassword(file) };
}

/** Null for a number without a name, as containers give it: PostgreSQL cannot tell it apart then. */
function findAccount(): string | null {
  try {
    return os.userInfo().username;
  } catch {
    return null;
  }
}

/** The account that a cluster's rules name; null where they ask for a password, or are another release's. */
function readAccount(cluster: string): string | null {
  const file = path.join(cluster, 'pg_ident.conf');
  const [, account = null] = existsSync(file) ? (OWN_NAME.exec(readFileSync(file, 'utf8')) ?? []) : [];
  return account?.replaceAll('""', '"') ?? null;
}

/** Two first starts at once end with one password: the file appears whole, and only once. */
async function keepPassword(file: string): Promise<string> {
  if (!existsSync(file)) {
    const staged = `${file}.${randomBytes(6).toString('hex')}`;
    await writeFile(staged, `${randomBytes(PASSWORD_BYTES).toString('base64url')}\n`, {
      mode: 0o600,
      flag: 'wx',
    });
    try {
      await link(staged, file);
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    } finally {
      await unlink(staged);
    }
  }
  return (await readFile(file, 'utf8')).trim();
}

export function isSecured(cluster: string, access: Access): boolean {
  return Object.entries(toFiles(access)).every(([name, text]) => {
    const file = path.join(cluster, name);
    return existsSync(file) && readFileSync(file, 'utf8') === text;
  });
}

/** Writes who may enter the cluster; its files stay with the server's user. */
export async function writeAccess(cluster: string, access: Access, user: ServerUser): Promise<void> {
  for (const [name, text] of Object.entries(toFiles(access))) {
    const file = path.join(cluster, name);
    await writeFile(file, text, { mode: 0o600 });
    await chmod(file, 0o600);
    if (user.via !== 'direct') await chown(file, user.uid, user.gid);
  }
}

/**
 * A cluster of a release that trusted every local process gets its passwords and its rules, at once for a server
 * that runs already.
 */
export async function secureCluster(
  session: pg.Client,
  cluster: string,
  { access, user }: { access: Access; user: ServerUser },
): Promise<void> {
  if (isSecured(cluster, access)) return;
  if (access.password !== null) {
    for (const role of [SUPERUSER, SERVICE_ROLE]) {
      await session.query(`alter role ${role} password ${session.escapeLiteral(access.password)}`);
    }
  }
  await writeAccess(cluster, access, user);
  await session.query('select pg_reload_conf()');
}

function toFiles(access: Access): Record<'pg_hba.conf' | 'pg_ident.conf', string> {
  const local = access.kind === 'peer' ? `peer map=${MAP}` : 'scram-sha-256';
  // Root may become any account; by itself it has no need to.
  const names =
    access.kind === 'peer' ? [toName(access.account), ...(access.account === 'root' ? [] : ['root'])] : [];
  return {
    'pg_hba.conf': [
      '# Written by Counterfoil at each start.',
      `local all ${SUPERUSER},${SERVICE_ROLE} ${local}`,
      'local all all reject',
      'host all all all reject',
      '',
    ].join('\n'),
    'pg_ident.conf': [
      '# Written by Counterfoil at each start.',
      ...names.flatMap((name) => [SUPERUSER, SERVICE_ROLE].map((role) => `${MAP} ${name} ${role}`)),
      '',
    ].join('\n'),
  };
}

/** Quoted, so that no name of an account is read as a pattern or a word. */
function toName(account: string): string {
  return `"${account.replaceAll('"', '""')}"`;
}
