/** Hashing accounts' passwords. A guess of a wrong e-mail costs as much as one of a wrong password. */
import { toPasswordNormal } from '../../domain/password.ts';

/** Memory of 19 MiB each: so many at once, and the rest wait for their turn. */
const AT_ONCE = 4;
/** Of a password that nobody knows. */
const NOBODYS =
  '$argon2id$v=19$m=19456,t=2,p=1$pKks/1/A9WmjyBL/AIiUGw$AaW2tObXE3cP2zKDF4rK+q2Z9cmL6NmXAjAgiT5vRu4';

/** Somebody who waits behind so many is told to come again instead: a flood of guesses must not pile up. */
const CROWD = 100;
/** Of buyers sooner, so that no flood at a portal keeps those out who run the shop. */
const BUYERS_CROWD = 50;
/** Within which the guesses that wait are looked at. */
export const CROWD_WAIT_S = 2;

let running = 0;
let computed = 0;
const waiting: Array<() => void> = [];

/** argon2id of 19 MiB, t = 2, p = 1. */
export async function hashPassword(password: string): Promise<string> {
  return inTurn(async () => {
    // Loaded once somebody signs in; argon2id is what it does unless told otherwise.
    const { hash } = await import('@node-rs/argon2');
    return hash(toPasswordNormal(password), { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  });
}

/** False, after the same work, where there is no password to compare with. */
export async function verifyPassword(kept: string | null, password: string): Promise<boolean> {
  return inTurn(async () => {
    const { verify } = await import('@node-rs/argon2');
    const isRight = await verify(kept ?? NOBODYS, toPasswordNormal(password)).catch(() => false);
    return isRight && kept !== null;
  });
}

/** Whether more ask than can be answered within seconds. */
export function isCrowded(): boolean {
  return waiting.length >= CROWD;
}

/** The same for the door of a portal. */
export function isCrowdedForBuyers(): boolean {
  return waiting.length >= BUYERS_CROWD;
}

/** How many hashes this process has computed. */
export function countHashes(): number {
  return computed;
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    computed += 1;
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
