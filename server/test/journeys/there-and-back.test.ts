/** A store in every state, written to a file and restored: each row of each table is what it was. */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LEFT_OUT, NOT_BACKED_UP } from '../../src/domain/exports/left-out.ts';
import { writeBackup } from '../../src/flows/exports/write-backup.ts';
import { findBroken } from '../../src/main/operators/find-broken.ts';
import { createOpener } from '../../src/providers/files/age.ts';
import { linesOf, makeFolder, openPlace, readParts, toArchive } from '../support/restoring.ts';
import { listFixtures, readFixture, type Upgraded, upgrade } from '../support/upgrading.ts';

/** What a restore decides itself. */
const DECIDED: Record<string, readonly string[]> = {
  // From the moment and the clock, which are as they were.
  due_work: ['due_real_ms', 'lease_until_ms'],
  stores: ['held_since', 'held_reason'],
};

let there: Upgraded;
let keys: { publicKey: string; secretKey: string };
let secretsKey: string;

beforeAll(async () => {
  const [name = ''] = await listFixtures();
  const fixture = await readFixture(name);
  keys = fixture.about.keys.test;
  secretsKey = fixture.about.secretsKey;
  there = await upgrade(fixture);
});
afterAll(async () => {
  await there.wired.close();
  await there.database.drop();
});

/** Of every table how many rows it has, and a sum over all of them. */
async function sumTables(pool: pg.Pool, where = 'true'): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string; scoped: boolean }>(
    `select c.relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'workspace_id')
        as scoped
      from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  const sums: Record<string, string> = {};
  for (const { name, scoped } of rows) {
    if (name in LEFT_OUT || name in NOT_BACKED_UP || name === 'schema_migrations') continue;
    const { rows: summed } = await pool.query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(line, E'\\n' order by line)), '') as sum
        from (select (to_jsonb(t) - $1::text[])::text as line from ${name} t where ${scoped ? where : 'true'}) l`,
      [DECIDED[name] ?? []],
    );
    sums[name] = summed[0]?.sum ?? '';
  }
  return sums;
}

describe('X46 a store in every state', () => {
  it('is equal in every row of every table after a backup and a restore', async () => {
    const { service } = there.wired;
    const target = path.join(makeFolder(), 'backup.tar.gz');
    await writeBackup(service, { target, seal: null, nowMs: Date.now() });
    const before = await sumTables(service.pool);
    expect(Object.values(before).filter((sum) => !sum.startsWith('0 ')).length).toBeGreaterThan(30);
    const place = await openPlace({ SECRETS_KEY: secretsKey, EGRESS_ALLOW_CIDRS: '127.0.0.1/32' });
    try {
      await place.restore(target);
      const { pool } = place.wired.service;
      expect(await sumTables(pool)).toEqual(before);
      const shown = await pool.query('select from due_work limit 1');
      const { rows: offsets } = await pool.query<{ ok: boolean }>(
        `select bool_and(d.due_real_ms = d.due_ms - s.clock_offset_ms) as ok from due_work d
          join stores s on s.workspace_id = d.workspace_id and s.test_mode = d.test_mode`,
      );
      expect([shown.rows.length > 0, offsets[0]?.ok]).toEqual([true, true]);
      for (const folder of ['invoices', 'files'])
        expect(await listBytes(place.dataDir, folder)).toEqual(
          await listBytes(service.config.dataDir, folder),
        );
      expect(await findBroken(place.wired.service.db, ['127.0.0.1/32'])).toEqual([]);
    } finally {
      await place.close();
    }
  });

  it('X48 sealed with its secrets by the API, comes back with them, and its pairs go on', async () => {
    const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
    const identity = await generateX25519Identity();
    const { wired } = there;
    const recipients = [await identityToRecipient(identity)];
    // The fixture's retries have come due since it was made, and theirs do while it is read: they would move its webhooks beside
    // the export.
    await wired.worker.runDue();
    await wired.service.pool.query(
      `update due_work set due_ms = due_ms + 86400000, due_real_ms = due_real_ms + 86400000
        where kind in ('deliver_webhook', 'judge_webhook')`,
    );
    const file = await toArchive(wired, keys, { kind: 'store', withSecrets: true, recipients });
    const packed = await readFile(file);
    expect(packed.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    const [first] = (
      await wired.service.pool.query<{ id: string; hash: string }>(
        `select workspace_id as id, secret_hash as hash from api_keys where public_key = $1`,
        [keys.publicKey],
      )
    ).rows;
    const scope = `workspace_id = '${first?.id}' and (to_jsonb(t) ->> 'test_mode') is distinct from 'false'`;
    const place = await openPlace({ SECRETS_KEY: secretsKey, EGRESS_ALLOW_CIDRS: '127.0.0.1/32' }, false);
    try {
      await expect(place.restore(file, { askKeys: strangers })).rejects.toMatchObject({
        name: 'RestoreError',
      });
      const restored = await place.restore(file, {
        askKeys: () => createOpener({ identities: [identity], passphrase: null }),
      });
      expect(restored).toMatchObject({ renewed: [], header: { withSecrets: true } });
      const own = [
        'api_keys',
        'webhooks',
        'stores',
        'processors',
        'orders',
        'subscriptions',
        'ledger_entries',
      ];
      const [was, is] = [
        await sumTables(wired.service.pool, scope),
        await sumTables(place.wired.service.pool, scope),
      ];
      for (const table of own) expect([table, is[table]]).toEqual([table, was[table]]);
      expect((await place.get('/v0/orders/list', keys)).status).toBe(200);
    } finally {
      await place.close();
    }
    const open = await readParts(await toArchive(wired, keys, { kind: 'store' }));
    for (const [name, part] of open) expect([name, part.includes(first?.hash ?? '?')]).toEqual([name, false]);
    expect(linesOf(open.get('rows/api_keys.jsonl'))[0]).not.toHaveProperty('secret_hash');
  });
});

const strangers = async () => {
  const { generateX25519Identity } = await import('age-encryption');
  return createOpener({ identities: [await generateX25519Identity()], passphrase: null });
};

/** What lies on disk, by its name and its length. */
async function listBytes(dataDir: string, folder: string): Promise<string[]> {
  const names = await readdir(path.join(dataDir, folder), { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map(async (name) => {
      const found = await stat(path.join(dataDir, folder, name));
      return found.isFile() ? [`${name} ${found.size}`] : [];
    }),
  );
  return sizes.flat().sort();
}
