/**
 * Words that open something: what stands in a link of a store. The first part names the workspace, so that its store
 * is found without asking all of them; what opens is the rest, which nobody can guess.
 */
import { assert } from './assert.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(DIGITS.length);
/** As many digits as the largest id takes. */
const ID_LENGTH = 22;
const ID_MAX = (1n << 128n) - 1n;
/** 192 bits; 128 would do. */
export const TOKEN_BYTES = 24;

/** An id in 22 digits of base 62. */
export function toShortId(uuid: string): string {
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let digits = '';
  for (let place = 0; place < ID_LENGTH; place += 1) {
    digits = DIGITS.charAt(Number(rest % BASE)) + digits;
    rest /= BASE;
  }
  return digits;
}

/** The id again; null for what is none. */
export function fromShortId(text: string): string | null {
  if (!/^[0-9A-Za-z]{22}$/.test(text)) return null;
  let value = 0n;
  for (const digit of text) value = value * BASE + BigInt(DIGITS.indexOf(digit));
  if (value > ID_MAX) return null;
  const hex = value.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** A token of a store from `TOKEN_BYTES` random bytes. */
export function toLinkToken(workspaceId: string, random: Uint8Array): string {
  assert(random.length >= TOKEN_BYTES, 'a token needs its random bytes');
  return `${toShortId(workspaceId)}.${Buffer.from(random).toString('base64url')}`;
}

/** The workspace that a token names; null for one of before, which names none. */
export function readWorkspace(token: string): string | null {
  const [, workspace = ''] = /^([0-9A-Za-z]{22})\./.exec(token) ?? [];
  return fromShortId(workspace);
}

/** What a link that is public opens: an offer or a checkout element. */
export interface Opening {
  kind: 'offer' | 'element';
  id: string;
}

const OPENING_SIGNS = { offer: 'o', element: 'e' } as const;
const OPENING = /^([0-9A-Za-z]{22})\.[\w-]{32}([oe])([0-9A-Za-z]{22})$/;

/** A token of a session that is not written yet: what it opens goes with it, behind the random bits. */
export function toOpeningToken(workspaceId: string, random: Uint8Array, { kind, id }: Opening): string {
  return toLinkToken(workspaceId, random) + OPENING_SIGNS[kind] + toShortId(id);
}

/** What such a token opens, in which workspace; null for another token. */
export function readOpeningToken(token: string): (Opening & { workspaceId: string }) | null {
  const [, workspace = '', sign, opened = ''] = OPENING.exec(token) ?? [];
  const [workspaceId, id] = [fromShortId(workspace), fromShortId(opened)];
  if (workspaceId === null || id === null) return null;
  return { workspaceId, id, kind: sign === OPENING_SIGNS.offer ? 'offer' : 'element' };
}
