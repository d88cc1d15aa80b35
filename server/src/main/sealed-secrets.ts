/** Secrets at rest and the keys of the installation: whether all can be opened, and what an operator does about them. */
import path from 'node:path';
import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { createSealing, type Sealing } from '../net/sealing.ts';
import { LOST } from '../resources/sealed-values/lost.sql.ts';
import {
  countByKey,
  listSealedByOthers,
  replaceSealed,
  SEALED_COLUMNS,
  type SealedValue,
} from '../resources/sealed-values/sealed-values.queries.ts';

const GROUP_SIZE = 500;

type SealedColumn = (typeof SEALED_COLUMNS)[number];

/** An embedded store keeps a key of its own beside it; whoever has a PostgreSQL of their own says which. */
export function openSealing({ secretsKeys, databaseUrl, dataDir }: Config): Sealing {
  const file = databaseUrl === null ? path.join(dataDir, 'secrets.key') : null;
  return createSealing({ keys: secretsKeys, file });
}

/** Of each kind how many values no key of ours opens; empty = all can be opened. */
export async function countUnopened(
  db: Db,
  sealing: Sealing,
): Promise<Array<{ noun: string; count: number }>> {
  const known = new Set(sealing.keyIds());
  const counts: Array<{ noun: string; count: number }> = [];
  for (const column of SEALED_COLUMNS) {
    let count = 0;
    for (const [keyId, sealed] of await countByKey(db, column)) if (!known.has(keyId)) count += sealed;
    if (count > 0) counts.push({ noun: column.noun, count });
  }
  return counts;
}

/** Why a start is refused, in one line; null where every secret can be opened. */
export async function findMissingKey(db: Db, sealing: Sealing): Promise<string | null> {
  const unopened = await countUnopened(db, sealing);
  if (unopened.length === 0) return null;
  const what = unopened.map(({ noun, count }) => `${count} of ${noun}`).join(', ');
  const way = 'give the key back, or give them up with "npm run keys -- forget-sealed"';
  return `no key in SECRETS_KEY, or in secrets.key of DATA_DIR, opens the secrets of ${what}: ${way}`;
}

/** Seals everything with the first key. Answers how many were, and how many no key opens. */
export async function resealAll(db: Db, sealing: Sealing): Promise<{ resealed: number; unopened: number }> {
  const done = { resealed: 0, unopened: 0 };
  const first = sealing.keyIds().slice(0, 1);
  for (const column of SEALED_COLUMNS) {
    for await (const sealed of listAll(db, column, first)) {
      const place = column.toPlace(sealed.parts);
      const text = sealing.open(sealed.value, place);
      const by = text === null ? null : sealing.seal(text, place);
      if (by === null) done.unopened += 1;
      else if (await replaceSealed(db, column, { ...sealed, by })) done.resealed += 1;
    }
  }
  return done;
}

/** Gives up what no key opens. Answers how many that were. */
export async function forgetUnopened(db: Db, sealing: Sealing): Promise<number> {
  let forgotten = 0;
  for (const column of SEALED_COLUMNS) {
    for await (const sealed of listAll(db, column, sealing.keyIds()))
      if (await replaceSealed(db, column, { ...sealed, by: LOST })) forgotten += 1;
  }
  return forgotten;
}

async function* listAll(
  db: Db,
  column: SealedColumn,
  keyIds: readonly string[],
): AsyncGenerator<SealedValue> {
  let afterKey: string | null = null;
  for (;;) {
    const found: SealedValue[] = await listSealedByOthers(db, column, {
      keyIds,
      afterKey,
      limit: GROUP_SIZE,
    });
    yield* found;
    const last = found.at(-1);
    if (!last || found.length < GROUP_SIZE) return;
    afterKey = last.key;
  }
}
