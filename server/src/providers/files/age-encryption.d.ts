/**
 * What is used of the package. It is loaded with the first sealed archive alone, so that a checkout whose packages are
 * older than its lock builds, starts and does all else.
 */
declare module 'age-encryption' {
  import type { ReadableStream } from 'node:stream/web';

  export class Encrypter {
    setPassphrase(passphrase: string): void;
    addRecipient(recipient: string): void;
    encrypt(file: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>>;
  }
  export class Decrypter {
    addPassphrase(passphrase: string): void;
    addIdentity(identity: string): void;
    decrypt(file: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>>;
  }
  export function generateX25519Identity(): Promise<string>;
  export function identityToRecipient(identity: string): Promise<string>;
}
