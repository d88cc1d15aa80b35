/**
 * Idempotency-Key: written in the operation's first transaction with the id of
 * the row it makes, the answer with its last. Only 2xx answers are kept.
 */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db, Tx } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { askLast } from '../db/sent-together.ts';
import { readStoreFailure } from '../db/store-failure.ts';
import { type NamedObject, Refusal } from '../domain/errors.ts';
import {
  deleteIdempotencyKey,
  findIdempotencyKey,
  insertIdempotencyKey,
  leaseIdempotencyKey,
  releaseIdempotencyKey,
  updateIdempotencyResponse,
} from '../resources/idempotency-keys/idempotency-keys.queries.ts';
import { KEY_LEASE_MS } from '../resources/idempotency-keys/key-times.sql.ts';

const KEY_LENGTH_MAX = 255;
/** Longer than a purchase takes, and short of what a client waits for to learn that another is at it. */
const TURN_MS = 1_000;
/** How often it is looked whether a store that was away is back. */
const RELEASE_EVERY_MS = 250;

/** Rolls the first transaction back: the same key was begun by another request meanwhile. */
export class KeyBegunElsewhere extends Error {
  override name = 'KeyBegunElsewhere';
}

/** What a flow of several transactions does with its key, and with the audit row of its effect. */
export interface Claim {
  /** The row that a dead request with this key has made: go on from it. */
  resumeId: string | null;
  /**
   * Belongs into the transaction of the effect, the first that is written: keeps the key with the row that it stands
   * for, and writes the audit row. `made` is what the effect made of the object, where that says more than its id.
   */
  begin(tx: Tx, resourceId: string, made?: unknown): Promise<void>;
  /** The same for a flow that finishes in that very transaction, with its answer as what was made. */
  hold(tx: Tx, resourceId: string): Promise<void>;
  /** True once this request, and no other, holds the key. */
  isHeld(): boolean;
  /** Until when it does; null where it does not. */
  leaseUntil(): number | null;
}

export interface KeyedRequest {
  scope: Scope;
  /** Whose key it is: another's request with the same text is another request. */
  asker: string;
  key: string;
  fingerprint: string;
  /** False where the answer holds a secret: then only what it made is kept. */
  keepsAnswer: boolean;
}

/** Reads the header; null when it was not sent. */
export function toIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const key = Array.isArray(header) ? header.join(',') : header;
  // The store's text cannot hold it and HTTP forbids it, but a raw socket can send it.
  if (key.length === 0 || key.length > KEY_LENGTH_MAX || key.includes('\u0000')) {
    throw new Refusal('invalid_idempotency_key');
  }
  return key;
}

/** Method, canonical path and parsed body: the same request whatever the order of its fields. */
export function computeFingerprint(method: string, path: string, body: unknown): string {
  return createHash('sha256')
    .update(`${method}\n${path}\n${JSON.stringify(sorted(body))}`)
    .digest('base64');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

export type Replay = { kind: 'answer'; data: unknown } | { kind: 'run'; resumed: ResumedKey | null };

/** The row that a dead request has made, whose key is this request's until then. */
export interface ResumedKey {
  resourceId: string | null;
  leaseUntil: number;
}

/** Decides what a keyed request does: answer from the store, go on from a row, or run anew. */
export async function openKey(db: Db, request: KeyedRequest): Promise<Replay> {
  const { scope, asker, key, fingerprint } = request;
  const found = await findIdempotencyKey(db, scope, request);
  if (!found) return { kind: 'run', resumed: null };
  if (found.fingerprint !== fingerprint) throw new Refusal('idempotency_key_reused');
  if (found.made !== null) throw new Refusal('answer_not_kept', { facts: found.made });
  if (found.response !== null) return { kind: 'answer', data: JSON.parse(found.response) };
  const leaseUntil = found.isLeased ? null : await leaseIdempotencyKey(db, scope, { asker, key });
  if (leaseUntil === null) throw new Refusal('request_in_progress');
  return { kind: 'run', resumed: { resourceId: found.resourceId, leaseUntil } };
}

/** Holds a key for a one-transaction operation before its work, so that two of the same wait for each other. */
export async function holdKey(tx: Tx, request: KeyedRequest): Promise<void> {
  await begin(tx, request, null);
}

const running = new Map<string, Promise<unknown>>();

/**
 * Requests of this process with one key come one after the other, for as long as the ones before are quick: each but
 * the first finds an answer, and none of those that wait holds a connection meanwhile. `name` is the key with whose it
 * is; null = there is none.
 */
export async function inTurn<T>(name: string | null, work: () => Promise<T>): Promise<T> {
  if (name === null) return work();
  const untilMs = performance.now() + TURN_MS;
  for (;;) {
    const before = running.get(name);
    if (!before) break;
    const leftMs = untilMs - performance.now();
    if (leftMs <= 0) throw new Refusal('request_in_progress');
    await Promise.race([before, wait(leftMs, undefined, { ref: false })]);
  }
  const turn = work();
  running.set(
    name,
    turn.catch(() => {}),
  );
  try {
    return await turn;
  } finally {
    running.delete(name);
  }
}

export interface ClaimOptions {
  resumed: ResumedKey | null;
  /** Runs with the effect, and again where its transaction is run again. */
  onBegin: (tx: Tx, resourceId: string, made: unknown) => Promise<void>;
}

export function createClaim(request: KeyedRequest | null, { resumed, onBegin }: ClaimOptions): Claim {
  const resumeId = resumed?.resourceId ?? null;
  let leaseUntil = resumeId === null ? null : (resumed?.leaseUntil ?? null);
  // Not "once held, never again": a transaction that is run again has lost what it wrote before.
  const hold = async (tx: Tx, resourceId: string) => {
    if (!request || resumeId !== null) return;
    leaseUntil = await begin(tx, request, resourceId);
  };
  return {
    resumeId,
    isHeld: () => leaseUntil !== null,
    leaseUntil: () => leaseUntil,
    hold,
    async begin(tx, resourceId, made) {
      await hold(tx, resourceId);
      if (resumeId === null) await onBegin(tx, resourceId, made);
    },
  };
}

async function begin(
  tx: Tx,
  { scope, asker, key, fingerprint }: KeyedRequest,
  resourceId: string | null,
): Promise<number> {
  const row = { asker, key, fingerprint, resourceId };
  const leaseUntil = await insertIdempotencyKey(tx, scope, row).catch((cause: unknown) => {
    // The row that is locked for so long is the other request's own.
    if (readStoreFailure(cause) === 'busy') throw new Refusal('request_in_progress', { cause });
    throw cause;
  });
  if (leaseUntil === null) throw new KeyBegunElsewhere();
  return leaseUntil;
}

export async function answerKey(tx: Tx, request: KeyedRequest, answer: unknown): Promise<void> {
  const { scope, asker, key, keepsAnswer } = request;
  const kept = keepsAnswer
    ? { response: JSON.stringify(answer), made: null }
    : { response: null, made: listMade(answer) };
  await askLast(tx, () => updateIdempotencyResponse(tx, scope, { asker, key, ...kept }));
}

/** The objects that an answer shows. */
function listMade(answer: unknown): NamedObject[] {
  return Object.values((answer ?? {}) as Record<string, unknown>).flatMap((value) => {
    const { object, id } = (value ?? {}) as Partial<NamedObject>;
    return typeof object === 'string' && typeof id === 'string' ? [{ object, id }] : [];
  });
}

/** Whether what refuses is the work of another request with the same key, whose answer is to be given instead. */
export async function isRefusedByItself(db: Db, request: KeyedRequest, error: unknown): Promise<boolean> {
  if (!(error instanceof Refusal)) return false;
  return (await findIdempotencyKey(db, request.scope, request)) !== undefined;
}

/**
 * A refusal frees the key; after a crash of ours the next replay goes on from the row that was made. Where the store is
 * away that is done once it is back: until the lease is over a replay would be told that this request is still running.
 */
export async function closeKey(
  db: Db,
  request: KeyedRequest,
  { error, leaseUntil }: { error: unknown; leaseUntil: number },
): Promise<void> {
  try {
    if (error instanceof Refusal) await deleteIdempotencyKey(db, request.scope, request);
    else await releaseIdempotencyKey(db, request.scope, { ...request, leaseUntil });
  } catch (cause) {
    if (readStoreFailure(cause) === null) throw cause;
    void releaseLater(db, request, leaseUntil);
  }
}

/** Never a deletion: by now the key may be another request's. */
async function releaseLater(db: Db, request: KeyedRequest, leaseUntil: number): Promise<void> {
  for (const untilMs = performance.now() + KEY_LEASE_MS; performance.now() < untilMs; ) {
    await wait(RELEASE_EVERY_MS, undefined, { ref: false });
    try {
      return await releaseIdempotencyKey(db, request.scope, { ...request, leaseUntil });
    } catch (error) {
      if (readStoreFailure(error) === null) return;
    }
  }
}
