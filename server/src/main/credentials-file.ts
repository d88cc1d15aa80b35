/** credentials.json: what is secret of a store's first workspace, for whoever started it. */
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../config.ts';
import { makeFolder } from '../db/embedded/make-folder.ts';
import type { KeyPairPlain } from '../resources/api-keys/key-pairs.ts';

export interface Credentials {
  baseUrl: string;
  dashboardUrl: string;
  /** Where the owner makes the account theirs; null once it is, or a session has made something. */
  setupUrl: string | null;
  /** The password is null once the owner has set one. */
  owner: { email: string; password: string | null };
  test: KeyPairPlain;
  live: KeyPairPlain;
  /** A test-mode item that a sandbox card pays; null in a bare workspace. */
  checkoutUrl: string | null;
}

export const toCredentialsFile = ({ dataDir }: Pick<Config, 'dataDir'>) =>
  path.join(dataDir, 'credentials.json');

export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  await makeFolder(path.dirname(file));
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flush: true });
  await chmod(draft, 0o600);
  await rename(draft, file);
}

export async function readCredentials(file: string): Promise<Credentials | null> {
  try {
    // We wrote it ourselves; a file that was edited by hand into something else is not ours to mend.
    return JSON.parse(await readFile(file, 'utf8')) as Credentials;
  } catch {
    return null;
  }
}

/** The key pairs go on. A file that another machine keeps is put right by its next start. */
export async function forgetFirstPassword(config: Config, ownerEmail: string): Promise<void> {
  const file = toCredentialsFile(config);
  const kept = await readCredentials(file);
  if (!kept) return;
  await writeCredentials(file, { ...kept, setupUrl: null, owner: { email: ownerEmail, password: null } });
}
