/**
 * An empty store gets its first workspace, under a lock, with an owner and a key pair per mode; what is
 * secret of it is written to credentials.json before anything is served.
 */
import { randomInt } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { Service } from '../context.ts';
import { inTransaction } from '../db/transaction.ts';
import { createWorkspace } from '../flows/workspaces/create-workspace.ts';
import { findKeyPair } from '../resources/api-keys/api-keys.queries.ts';
import type { KeyPairPlain } from '../resources/api-keys/key-pairs.ts';
import { countWorkspaces } from '../resources/workspaces/workspaces.queries.ts';
import { seedDemo } from './seed-demo.ts';

export interface Credentials {
  baseUrl: string;
  owner: { email: string; password: string };
  test: KeyPairPlain;
  live: KeyPairPlain;
  /** A test-mode item that a sandbox card pays; null in a bare workspace. */
  checkoutUrl: string | null;
}

/** Any number that no other lock of ours uses. */
const BOOTSTRAP_LOCK = 7_301_946;
const OWNER_EMAIL = 'owner@example.com';

/** Returns what credentials.json holds; null where another machine keeps them. */
export async function bootstrapStore(service: Service): Promise<Credentials | null> {
  const file = path.join(service.config.dataDir, 'credentials.json');
  const isNew = (await countWorkspaces(service.db)) === 0 && (await bootstrap(service, file));
  const kept = await readCredentials(file);
  if (!kept || !(await findKeyPair(service.db, kept.test.publicKey))) return null;
  if (isNew) return kept;
  // The same store may be served at another address now.
  const checkoutUrl = kept.checkoutUrl?.replace(kept.baseUrl, service.config.publicUrl) ?? null;
  const current = { ...kept, baseUrl: service.config.publicUrl, checkoutUrl };
  if (JSON.stringify(current) !== JSON.stringify(kept)) await writeCredentials(file, current);
  return current;
}

async function bootstrap(service: Service, file: string): Promise<boolean> {
  const { config, ids } = service;
  const password = randomPassword();
  // Only an empty store needs it at start.
  const { hash } = await import('@node-rs/argon2');
  const ownerPasswordHash = await hash(password);
  const isDemo = config.seedDemo === 'auto' ? config.databaseUrl === null : config.seedDemo;
  return inTransaction(service.db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${BOOTSTRAP_LOCK})`.execute(tx);
    if ((await countWorkspaces(tx)) > 0) return false;
    const nowMs = service.realNowMs();
    const name = isDemo ? 'Nebula Games' : 'My workspace';
    const created = await createWorkspace(tx, ids, {
      name,
      ownerEmail: OWNER_EMAIL,
      ownerPasswordHash,
      nowMs,
    });
    const scope = { workspaceId: created.workspaceId, testMode: true };
    const offerId = isDemo ? await seedDemo({ ...service, nowMs }, scope, tx) : null;
    // Before the commit: keys that nobody has are worse than a file whose keys never came to be.
    await writeCredentials(file, {
      baseUrl: config.publicUrl,
      owner: { email: OWNER_EMAIL, password },
      test: created.test,
      live: created.live,
      checkoutUrl: offerId === null ? null : `${config.publicUrl}/checkout/${offerId}`,
    });
    return true;
  });
}

async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flush: true });
  await chmod(draft, 0o600);
  await rename(draft, file);
}

async function readCredentials(file: string): Promise<Credentials | null> {
  try {
    // We wrote it ourselves; a file that was edited by hand into something else is not ours to mend.
    return JSON.parse(await readFile(file, 'utf8')) as Credentials;
  } catch {
    return null;
  }
}

const LETTERS = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** With a digit, an upper-case letter and a special sign, as every password of the service. */
function randomPassword(): string {
  const random = Array.from({ length: 20 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `K7-${random}`;
}
