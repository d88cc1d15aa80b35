/** What is shown once: links, the step between two factors, challenges of passkeys, states of OIDC. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { toJson } from '../../db/scope.ts';

export const TOKEN_KINDS = ['pending', 'link', 'reset', 'email', 'sign_up', 'passkey', 'oidc'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

export interface NewToken {
  id: string;
  kind: TokenKind;
  accountId: string | null;
  tokenHash: string;
  params?: Record<string, unknown>;
  endsAt: number;
  createdAt: number;
}

export async function insertToken(db: Db, { params = {}, ...token }: NewToken): Promise<void> {
  await db
    .insertInto('accountTokens')
    .values({ ...token, params: toJson(params) })
    .execute();
}

export interface ShownToken {
  kind: TokenKind;
  tokenHash: string;
  nowMs: number;
}

export async function findToken(
  db: Db,
  { kind, tokenHash, nowMs }: ShownToken,
): Promise<Row<'accountTokens'> | undefined> {
  return db
    .selectFrom('accountTokens')
    .selectAll()
    .where('kind', '=', kind)
    .where('tokenHash', '=', tokenHash)
    .where('endsAt', '>', nowMs)
    .executeTakeFirst();
}

/** Uses it up: of two who show it at once one gets it. */
export async function takeToken(
  tx: Tx,
  { kind, tokenHash, nowMs }: ShownToken,
): Promise<Row<'accountTokens'> | undefined> {
  return tx
    .deleteFrom('accountTokens')
    .where('kind', '=', kind)
    .where('tokenHash', '=', tokenHash)
    .where('endsAt', '>', nowMs)
    .returningAll()
    .executeTakeFirst();
}

/** Counts a try of one that may be shown a few times; undefined when it is over or has been shown too often. */
export async function countTokenTry(
  db: Db,
  { kind, tokenHash, nowMs }: ShownToken,
  triesMax: number,
): Promise<Row<'accountTokens'> | undefined> {
  return db
    .updateTable('accountTokens')
    .set({ tries: sql<number>`tries + 1` })
    .where('kind', '=', kind)
    .where('tokenHash', '=', tokenHash)
    .where('endsAt', '>', nowMs)
    .where('tries', '<', triesMax)
    .returningAll()
    .executeTakeFirst();
}

/** Those of an account, of some kinds, are worth nothing any more. */
export async function deleteTokens(
  db: Db,
  { accountId, kinds }: { accountId: string; kinds: readonly TokenKind[] },
): Promise<void> {
  await db
    .deleteFrom('accountTokens')
    .where('accountId', '=', accountId)
    .where('kind', 'in', [...kinds])
    .execute();
}
