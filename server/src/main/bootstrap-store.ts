/**
 * An empty store gets its first workspace, under a lock, with an owner and a key pair per mode; what is
 * secret of it is written to credentials.json before anything is served.
 */
import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Service } from '../context.ts';
import { inTransaction } from '../db/transaction.ts';
import { toEmailNormal } from '../domain/email.ts';
import { verifyPassword } from '../flows/accounts/passwords.ts';
import { findSetup, toDashboardUrl } from '../flows/accounts/setup-link.ts';
import { createWorkspace } from '../flows/workspaces/create-workspace.ts';
import { findAccountByEmail, findFirstAdmin } from '../resources/accounts/accounts.queries.ts';
import { findKeyPair } from '../resources/api-keys/api-keys.queries.ts';
import { countWorkspaces } from '../resources/workspaces/workspaces.queries.ts';
import {
  type Credentials,
  readCredentials,
  toCredentialsFile,
  writeCredentials,
} from './credentials-file.ts';
import { DEMO_COUNTRY, seedDemo } from './seed-demo.ts';

/** Any number that no other lock of ours uses. */
const BOOTSTRAP_LOCK = 7_301_946;
const OWNER_EMAIL = 'owner@example.com';

/** Returns what credentials.json holds; null where another machine keeps them. */
export async function bootstrapStore(service: Service): Promise<Credentials | null> {
  const file = toCredentialsFile(service.config);
  const isNew = (await countWorkspaces(service.db)) === 0 && (await bootstrap(service, file));
  const kept = await readCredentials(file);
  if (!kept || !(await findKeyPair(service.db, kept.test.publicKey))) return null;
  // The same store may be served at another address now, and its owner may have set it up meanwhile.
  const { publicUrl } = service.config;
  const setup = await findSetup(service);
  const current: Credentials = {
    ...kept,
    baseUrl: publicUrl,
    dashboardUrl: toDashboardUrl(service.config),
    setupUrl: setup?.url ?? null,
    owner: isNew || setup ? kept.owner : await findOwner(service, kept.owner),
    checkoutUrl: kept.checkoutUrl?.replace(kept.baseUrl, publicUrl) ?? null,
  };
  if (JSON.stringify(current) !== JSON.stringify(kept)) await writeCredentials(file, current);
  return current;
}

/** A password that was changed elsewhere is worth nothing any more. */
async function findOwner({ db }: Service, kept: Credentials['owner']): Promise<Credentials['owner']> {
  if (kept.password === null) return kept;
  const account = await findAccountByEmail(db, toEmailNormal(kept.email));
  if (account && (await verifyPassword(account.passwordHash, kept.password))) return kept;
  return { email: (await findFirstAdmin(db))?.email ?? kept.email, password: null };
}

async function bootstrap(service: Service, file: string): Promise<boolean> {
  const { config, ids } = service;
  const password = randomPassword();
  // Only an empty store needs it at start.
  const { hash } = await import('@node-rs/argon2');
  const ownerPasswordHash = await hash(password);
  const isOnDisk = config.files?.kind !== 'bucket';
  const isDemo = config.seedDemo === 'auto' ? config.databaseUrl === null && isOnDisk : config.seedDemo;
  return inTransaction(service.db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${BOOTSTRAP_LOCK})`.execute(tx);
    if ((await countWorkspaces(tx)) > 0) return false;
    const nowMs = service.realNowMs();
    const name = isDemo ? 'Nebula Games' : 'My workspace';
    const created = await createWorkspace(tx, ids, {
      name,
      ownerEmail: OWNER_EMAIL,
      ownerPasswordHash,
      installationAdmin: true,
      setupOpen: true,
      country: isDemo ? DEMO_COUNTRY : null,
      nowMs,
    });
    const scope = { workspaceId: created.workspaceId, testMode: true };
    const offerId = isDemo ? await seedDemo({ ...service, nowMs }, scope, tx) : null;
    // Before the commit: keys that nobody has are worse than a file whose keys never came to be.
    await writeCredentials(file, {
      baseUrl: config.publicUrl,
      dashboardUrl: toDashboardUrl(config),
      setupUrl: null,
      owner: { email: OWNER_EMAIL, password },
      test: created.test,
      live: created.live,
      checkoutUrl: offerId === null ? null : `${config.publicUrl}/checkout/${offerId}`,
    });
    return true;
  });
}

const LETTERS = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** With a digit, an upper-case letter and a special sign, as every password of the service. */
function randomPassword(): string {
  const random = Array.from({ length: 20 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `K7-${random}`;
}
