import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBreaches } from '../../../scripts/check-migrations.ts';
import { createEmptyDatabase } from '../../test/support/database.ts';

const ROWS = 5_000;

/** What a release may bring: nothing is written anew, and nothing is read while others wait. */
const QUICK = [
  'alter table sold add column tried_text text',
  "alter table sold add column tried_default text not null default 'as before'",
  'alter table sold add constraint sold_tried check (amount >= 0) not valid',
  'create table tried (sold_id int not null references sold (id))',
];

/** What it may not, since sales stand behind it for as long as the table is large. */
const SLOW = [
  'alter table sold add column tried_moment timestamptz default clock_timestamp()',
  'alter table sold add column tried_twice bigint generated always as (amount * 2) stored',
  'alter table sold alter column amount type numeric',
  'alter table sold alter column note set not null',
  'alter table sold add constraint sold_tried check (amount >= 0)',
  'alter table sold add constraint sold_tried check (amount >= 0) not valid; alter table sold validate constraint sold_tried',
  'alter table sold add foreign key (other_id) references other (id)',
  'alter table sold add unique (note)',
  'create index tried on sold (note)',
];

let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
let client: pg.Client;
beforeAll(async () => {
  database = await createEmptyDatabase();
  client = new pg.Client(database.poolConfig);
  await client.connect();
  await client.query(`create table other (id int primary key);
    insert into other values (1);
    create table sold (id int primary key, amount bigint not null, note text, other_id int);
    insert into sold select n, n, 'note ' || n, 1 from generate_series(1, ${ROWS}) n`);
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** What it does to the table while it holds a lock that writers wait for, as PostgreSQL counts it; nothing stays of it. */
async function measure(text: string): Promise<{ isRewritten: boolean; rowsRead: number }> {
  const fileOf = async () =>
    (await client.query<{ file: string }>("select pg_relation_filenode('sold') as file")).rows[0]?.file;
  const before = await fileOf();
  await client.query("begin; set local lock_timeout = '2s'");
  try {
    await client.query(text);
    const { rows } = await client.query<{ isLocked: boolean; rowsRead: number }>(`
      select exists (select from pg_locks where pid = pg_backend_pid() and relation = 'sold'::regclass and granted
          and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')) as "isLocked",
        pg_stat_get_xact_tuples_returned('sold'::regclass)::int as "rowsRead"`);
    const [row] = rows;
    return { isRewritten: (await fileOf()) !== before, rowsRead: row?.isLocked ? row.rowsRead : 0 };
  } finally {
    await client.query('rollback');
  }
}

const judge = (text: string) => findBreaches({ name: '9000_tried', text: `-- Expand.\n${text};\n` });

describe('O38 a migration that is let through holds up no sale, however many orders there are', () => {
  it.each(QUICK)('%s', async (text) => {
    expect(await measure(text)).toEqual({ isRewritten: false, rowsRead: 0 });
    expect(judge(text)).toEqual([]);
  });
});

describe('O38 a migration that goes through a whole table while others wait is refused', () => {
  it.each(SLOW)('%s', async (text) => {
    const { isRewritten, rowsRead } = await measure(text);
    expect(isRewritten || rowsRead >= ROWS).toBe(true);
    expect(judge(text)).not.toEqual([]);
  });

  it('although it may be in steps of its own, outside of a transaction', () => {
    const text = '-- Expand, outside of a transaction.\nalter table sold validate constraint sold_tried;\n';
    expect(findBreaches({ name: '9000_tried', text })).toEqual([]);
  });

  it.each(['lock table sold', "set local lock_timeout = '1h'", 'vacuum full sold', 'reindex table sold'])(
    'and so is %s',
    (text) => {
      expect(judge(text)).not.toEqual([]);
    },
  );
});
