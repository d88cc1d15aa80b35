/**
 * Key pairs as members, and pairs that may, make and change them. Nobody gives a pair more than they may do themselves
 * in its mode, nor takes over one that may do more.
 */
import type { Ids } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { toNetworks } from '../../domain/ip-allow-list.ts';
import { findScopeBeyond, type Maker, toScopes } from '../../domain/key-scopes.ts';
import {
  countKeyPairs,
  lockKeyPairOfStore,
  updateKeyPair,
} from '../../resources/api-keys/api-keys.queries.ts';
import { lockStore } from '../../resources/workspaces/workspaces.queries.ts';
import { issueKeyPair } from './issue-key-pair.ts';
import { rollLocked } from './roll-key-pair.ts';

const PAIRS_MAX = 50;
const GRACE_HOURS = 24;

/** Who asks; times are real. */
export interface Editing {
  tx: Tx;
  maker: Maker;
  /** As audit rows name them. */
  name: string;
  nowMs: number;
}

export interface KeyPairInput {
  name: string;
  scopes?: string[] | null;
  ipAllowList?: string[] | null;
  readRequiresSecret?: boolean;
  amounts?: 'minor' | 'major';
  expiresAt?: number | null;
}

/** Throws insufficient_permission, api_key_limit_reached, invalid_input. */
export async function createKeyPair(
  { ids }: { ids: Ids },
  scope: Scope,
  { input, ...editing }: Editing & { input: KeyPairInput },
) {
  const { tx, nowMs } = editing;
  const scopes = toScopes(input.scopes ?? null);
  refuseBeyond(editing.maker, scopes, scope);
  checkEnd(input.expiresAt, nowMs);
  // Of two at once one waits, so that neither counts past the other.
  await lockStore(tx, scope);
  if ((await countKeyPairs(tx, scope, { withEnded: false, nowMs })) >= PAIRS_MAX)
    throw new Refusal('api_key_limit_reached');
  return issueKeyPair(tx, scope, {
    ids,
    terms: {
      name: input.name,
      scopes,
      ipAllowList: toList(input.ipAllowList) ?? null,
      readRequiresSecret: input.readRequiresSecret ?? !scope.testMode,
      amounts: input.amounts ?? 'minor',
      expiresAt: input.expiresAt ?? null,
      createdBy: editing.name,
      nowMs,
    },
  });
}

/** Missing fields stay as they are. Throws insufficient_permission, archived of a revoked one, invalid_input. */
export async function changeKeyPair(
  scope: Scope,
  { id, input, ...editing }: Editing & { id: string; input: Partial<KeyPairInput> },
): Promise<{ before: Row<'apiKeys'> }> {
  const { tx, maker, nowMs } = editing;
  const before = await getLiving(scope, { ...editing, id });
  refuseBeyond(maker, before.scopes, scope);
  const { scopes: named, ipAllowList, expiresAt, ...plain } = input;
  const scopes = named === undefined ? undefined : toScopes(named);
  if (scopes !== undefined) refuseBeyond(maker, scopes, scope);
  checkEnd(expiresAt, nowMs);
  if (
    expiresAt !== undefined &&
    before.rolledAt !== null &&
    (expiresAt ?? Infinity) > (before.expiresAt ?? 0)
  )
    throw invalidField('expiresAt', 'can only be earlier: another pair has taken over');
  const networks = toList(ipAllowList);
  const changes = {
    ...plain,
    ...(scopes === undefined ? {} : { scopes: scopes === null ? null : toJson(scopes) }),
    ...(networks === undefined ? {} : { ipAllowList: networks === null ? null : toJson(networks) }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  if (Object.keys(changes).length > 0)
    await updateKeyPair(tx, { ...changes, workspaceId: scope.workspaceId, id });
  return { before };
}

/** Throws insufficient_permission, key_expired. */
export async function rollKeyPairOfStore(
  { ids }: { ids: Ids },
  scope: Scope,
  { id, graceHours = GRACE_HOURS, ...editing }: Editing & { id: string; graceHours?: number },
) {
  const { tx, maker, name: createdBy, nowMs } = editing;
  const old = await getLiving(scope, { ...editing, id });
  refuseBeyond(maker, old.scopes, scope);
  return rollLocked(tx, ids, { old, graceHours, nowMs, createdBy });
}

/** Whoever writes key pairs may end any of them; one that is revoked stays as it is. */
export async function revokeKeyPair(
  scope: Scope,
  { tx, id, nowMs }: { tx: Tx; id: string; nowMs: number },
): Promise<{ before: Row<'apiKeys'> }> {
  const before = await lockKeyPairOfStore(tx, scope, id);
  if (!before) throw new Refusal('not_found');
  if (before.revokedAt === null)
    await updateKeyPair(tx, { workspaceId: scope.workspaceId, id, revokedAt: nowMs });
  return { before };
}

/** A pair that works still. Throws not_found, key_expired. */
async function getLiving(
  scope: Scope,
  { tx, id, nowMs }: { tx: Tx; id: string; nowMs: number },
): Promise<Row<'apiKeys'>> {
  const pair = await lockKeyPairOfStore(tx, scope, id);
  if (!pair) throw new Refusal('not_found');
  const isOver = pair.revokedAt !== null || (pair.expiresAt !== null && pair.expiresAt <= nowMs);
  if (isOver) throw new Refusal('key_expired', { message: 'This key pair is over: create a new one.' });
  return pair;
}

function refuseBeyond(maker: Maker, scopes: readonly string[] | null, { testMode }: Scope): void {
  const beyond = findScopeBeyond(maker, { scopes, testMode });
  if (beyond === null) return;
  const message =
    beyond === 'all'
      ? 'Owner and Admin alone give a key pair everything: name its scopes.'
      : `You may not do ${beyond} yourself, and so cannot give it to a key pair.`;
  throw new Refusal('insufficient_permission', { message });
}

function checkEnd(expiresAt: number | null | undefined, nowMs: number): void {
  if (typeof expiresAt === 'number' && expiresAt <= nowMs)
    throw invalidField('expiresAt', 'must be in the future');
}

/** An empty list would let nobody in: it is taken for what nobody means by it. */
function toList(texts: string[] | null | undefined): string[] | null | undefined {
  if (texts === undefined || texts === null) return texts;
  if (texts.length === 0) throw invalidField('ipAllowList', 'must hold a network, or be null');
  return toNetworks(texts);
}
