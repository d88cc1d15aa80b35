/** Files that only their recipients read, in the format of age (age-encryption.org), which other tools read, too. */
import { ReadableStream } from 'node:stream/web';
import type { Decrypter, Encrypter } from 'age-encryption';

/** A step of a pipeline: bytes in, bytes out. */
export type Sealer = (source: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>;

export interface AgeKeys {
  /** Whose identities open it (`age1…`). */
  recipients: readonly string[];
  /** Instead of recipients. */
  passphrase: string | null;
}

export interface AgeIdentities {
  /** `AGE-SECRET-KEY-…`, each on a line; what else a file of identities holds are comments. */
  identities: readonly string[];
  passphrase: string | null;
}

/** No key that was given opens the file, or it was changed. */
export class AgeError extends Error {
  override name = 'AgeError';
}

const MAGIC = 'age-encryption.org/v1';

export function isAge(head: Uint8Array): boolean {
  return Buffer.from(head).subarray(0, MAGIC.length).toString('latin1') === MAGIC;
}

/** Throws AgeError for a recipient that is none. */
export async function createSealer({ recipients, passphrase }: AgeKeys): Promise<Sealer> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  try {
    if (passphrase !== null) encrypter.setPassphrase(passphrase);
    else for (const recipient of recipients) encrypter.addRecipient(recipient);
  } catch (cause) {
    throw new AgeError('A recipient begins with age1 and is of one line.', { cause });
  }
  return (source) => stream(source, encrypter);
}

/** Throws AgeError, of the opener as well. */
export async function createOpener({ identities, passphrase }: AgeIdentities): Promise<Sealer> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  try {
    if (passphrase !== null) decrypter.addPassphrase(passphrase);
    for (const identity of identities) decrypter.addIdentity(identity);
  } catch (cause) {
    throw new AgeError('An identity begins with AGE-SECRET-KEY- and is of one line.', { cause });
  }
  return async function* open(source) {
    try {
      yield* stream(source, decrypter);
    } catch (cause) {
      throw new AgeError('No key that was given opens the file, or it was changed.', { cause });
    }
  };
}

async function* stream(
  source: AsyncIterable<Uint8Array>,
  by: Encrypter | Decrypter,
): AsyncGenerator<Uint8Array> {
  const inwards = ReadableStream.from(source);
  const outwards = await ('encrypt' in by ? by.encrypt(inwards) : by.decrypt(inwards));
  yield* outwards;
}
