import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SCHEMA_FILE } from '../../../scripts/check-schema.ts';
import { compareBreaches, listBreaches, listUnseen } from '../../../scripts/check-statements.ts';
import { listFiles, ROOT } from '../../../scripts/source-files.ts';
import { EXCEPTIONS, KNOWN_BREACHES } from '../../../scripts/statements/known-breaches.ts';
import { findBreaches } from '../../../scripts/statements/law.ts';
import { findSchemaBreaches, readLayout } from '../../../scripts/statements/layout.ts';
import { PLACED } from '../../src/domain/spread/layout.ts';

const SCHEMA = `
  create table workspaces (id uuid not null, constraint workspaces_pkey PRIMARY KEY (id));
  ${Object.keys(PLACED)
    .map((name) => `create table ${name} (workspace_id uuid);`)
    .join('\n')}
  create table users (workspace_id uuid not null, id uuid not null, constraint users_pkey PRIMARY KEY (workspace_id, id));
  create table orders (workspace_id uuid not null, id uuid not null, user_id uuid);
  create table events (workspace_id uuid not null, id uuid not null);
  create function real_now_ms() returns bigint language sql as $$ select 1 $$;
  create function local_now() returns bigint language sql stable as $$ select 1 $$;`;
const layout = readLayout(SCHEMA);

/** Without the marks, which are of no matter here. */
function breachesOf(text: string): string[] {
  return findBreaches(text, layout).map(({ rule, what }) => `${rule} ${what.replace(/ [0-9a-f]{6}$/, '')}`);
}

describe('A statement names the workspace of each table', () => {
  it.each([
    'select * from orders where workspace_id = $1 and id = $2',
    'select * from "orders" where ("workspace_id" = $1 and "test_mode" = $2) and ("id" = $3 or "id" = $4)',
    'select * from orders o join users u on u.workspace_id = $1 and u.id = o.user_id where o.workspace_id = $1',
    'select * from orders o left join (select id from users where workspace_id = $1) u on u.id = o.user_id where o.workspace_id = $1',
    'select * from orders where workspace_id = any($1::uuid[])',
    'select * from orders where workspace_id in ($1, $2)',
    'select * from orders where $1 = workspace_id',
    'select * from orders where (workspace_id, id) = ($1, $2)',
    'with found as (select id from orders where workspace_id = $1) select * from found',
    'select * from workspaces join stores on stores.workspace_id = workspaces.id',
    'update orders set user_id = $3 where workspace_id = $1 and id = $2',
    'delete from orders o using users u where o.workspace_id = $1 and u.workspace_id = $1 and u.id = o.user_id',
    'insert into orders (workspace_id, id) values ($1, $2)',
    'insert into orders (workspace_id, id) select $1, u.id from users u where u.workspace_id = $1',
  ])('and keeps the law: %s', (text) => {
    expect(breachesOf(text)).toEqual([]);
  });

  it.each([
    ['select * from orders where id = $1', ['1 select orders']],
    ['select * from orders where workspace_id = $1 or id = $2', ['1 select orders']],
    ['select * from orders where workspace_id <> $1', ['1 select orders']],
    ['select * from orders where workspace_id in (select id from workspaces)', ['1 select orders']],
    [
      'select * from orders o join users u on u.workspace_id = o.workspace_id and u.id = o.user_id where o.workspace_id = $1',
      ['1 select users'],
    ],
    [
      'select * from orders o where o.workspace_id = $1 and exists (select from events e where e.workspace_id = o.workspace_id)',
      ['1 select events'],
    ],
    [
      'select * from orders where workspace_id = $1 union all select * from orders where id = $2',
      ['1 select orders'],
    ],
    ['update orders set user_id = $1 where id = $2', ['1 update orders']],
    ['update orders set user_id = u.id from users u where orders.workspace_id = $1', ['1 update users']],
    ['delete from orders where id = $1', ['1 delete orders']],
    ['insert into orders (workspace_id, id) select workspace_id, id from users', ['1 select users']],
    ['with orders as (select 1) select * from public.orders', ['1 select orders']],
  ])('or breaks rule 1: %s', (text, breaches) => {
    expect(breachesOf(text)).toEqual(breaches);
  });
});

it.each([
  [
    'update orders set id = gen_random_uuid() where workspace_id = $1',
    ['2 update orders by gen_random_uuid()'],
  ],
  ['update orders set at = real_now_ms() where workspace_id = $1', ['2 update orders by real_now_ms()']],
  ['update orders set at = local_now(), name = lower($2) where workspace_id = $1', []],
  [
    'insert into orders (workspace_id) values ($1) on conflict (workspace_id) do update set at = local_now()',
    ['2 insert orders by local_now()'],
  ],
  [
    'insert into orders (workspace_id) values ($1) on conflict (workspace_id) do update set at = excluded.at',
    [],
  ],
  ['insert into orders (workspace_id, at) values ($1, real_now_ms())', []],
  ['delete from orders where workspace_id = $1 returning local_now()', ['2 delete orders by local_now()']],
])('functions that answer otherwise each time change nothing, by rule 2: %s', (text, breaches) => {
  expect(breachesOf(text)).toEqual(breaches);
});

it.each([
  ['select * from orders where workspace_id = $1 for update skip locked', []],
  ['select * from orders where workspace_id = any($1) for update', ['3 lock orders']],
  [
    'select * from orders o, users u where o.workspace_id = $1 and u.workspace_id = any($2) for share of o',
    [],
  ],
  [
    'select * from orders o, users u where o.workspace_id = $1 and u.workspace_id = any($2) for share of u',
    ['3 lock users'],
  ],
  ['select * from workspaces where id = $1 for update', []],
])('rows are locked in one workspace, by rule 3: %s', (text, breaches) => {
  expect(breachesOf(text)).toEqual(breaches);
});

it.each([
  [
    'with gone as (delete from orders where workspace_id = $1 returning id) insert into events (workspace_id, id) select $1, id from gone',
    ['4 with events, orders'],
  ],
  [
    'with made as (insert into orders (workspace_id) values ($1) returning id) select id from users where workspace_id = $1',
    ['4 with orders, users'],
  ],
  ['with gone as (delete from orders where workspace_id = $1 returning id) select count(*) from gone', []],
  [
    'with found as (select id from users where workspace_id = $1) update orders set user_id = found.id from found where workspace_id = $1',
    [],
  ],
  [
    'insert into orders (workspace_id, id) values ($1, (select id from users where workspace_id = $1))',
    ['4 question in the values of orders'],
  ],
  [
    'with recursive next as (select id from orders where workspace_id = $1 union all select id from next) select * from next',
    ['4 recursion over orders'],
  ],
  ['with recursive n as (select 1 as i union all select i + 1 from n where i < $1) select * from n', []],
])('a statement changes one table, by rule 4: %s', (text, breaches) => {
  expect(breachesOf(text)).toEqual(breaches);
});

it('the schema keeps keys that a spread store takes, by rule 5', () => {
  const schema = `${SCHEMA}
    create table refunds (workspace_id uuid, user_id uuid, token text, account_id uuid,
      constraint refunds_pkey PRIMARY KEY (token),
      constraint refunds_user_fkey FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE SET NULL (user_id),
      constraint refunds_account_fkey FOREIGN KEY (account_id) REFERENCES workspaces (id) ON DELETE SET NULL);
    create table settings (user_id uuid, constraint settings_user_fkey FOREIGN KEY (user_id) REFERENCES users (id));
    create unique index refunds_by_token on refunds (token);
    create unique index refunds_by_user on refunds (workspace_id, user_id);
    create unique index settings_by_user on settings (user_id);
    create index refunds_by_account on refunds (account_id);`;
  expect(findSchemaBreaches(schema, readLayout(schema))).toEqual([
    'refunds: refunds_user_fkey sets null on delete and holds workspace_id',
    'refunds: refunds_pkey is unique without workspace_id',
    'settings: settings_user_fkey points from a whole table to a spread one',
    'refunds: refunds_by_token is unique without workspace_id',
  ]);
});

it('every table that names a workspace is spread by it, but those that are named', () => {
  const real = readLayout(readFileSync(`${ROOT}/${SCHEMA_FILE}`, 'utf8'));
  expect([...real.distributed]).toEqual(
    expect.arrayContaining(['orders', 'due_work', 'events', 'ledger_entries']),
  );
  expect([...real.whole]).toEqual(expect.arrayContaining(['workspaces', 'stores', 'processes', 'accounts']));
});

describe('What a run has noted is compared with what is known', () => {
  const unscoped = {
    text: 'select * from orders where id = $1',
    files: ['src/db/database.ts', 'src/resources/orders/orders.queries.ts', 'src/api/orders.routes.ts'],
  };

  it('O13 a statement without its constant fails by file and rule', () => {
    const found = listBreaches([unscoped], layout);
    expect(compareBreaches(found, {})).toEqual([
      expect.stringMatching(
        /^server\/src\/resources\/orders\/orders\.queries\.ts breaks rule 1 select orders \w{6} /,
      ),
    ]);
    expect(compareBreaches(found, found)).toEqual([]);
  });

  it('O13 another one beside a known one of the same table and file fails, too', () => {
    const another = { ...unscoped, text: 'select 1 where exists (select from orders where user_id = $1)' };
    const known = listBreaches([unscoped], layout);
    expect(compareBreaches(listBreaches([unscoped, another], layout), known)).toHaveLength(1);
  });

  it('a known one that a run has not met is told of, and fails nothing', () => {
    const known = { 'src/a.ts': ['1 select orders 123456'] };
    expect(compareBreaches({}, known)).toEqual([]);
    expect(listUnseen({}, known)).toEqual([
      'server/src/a.ts was not seen to break rule 1 select orders 123456: mended, it leaves known-breaches.json',
    ]);
  });

  it('texts that differ by values, by how many there are and by filters are one', () => {
    const texts = [
      'select * from orders where id in ($1, $2)',
      'select * from orders where id in ($1, $2, $3)',
      'select * from orders where user_id = $1',
    ];
    const noted = texts.map((text) => ({ ...unscoped, text }));
    expect(Object.values(listBreaches(noted, layout)).flat()).toHaveLength(1);
  });

  it('a list of words leaves the mark as it is, wherever it stands', () => {
    const texts = ['', '(select 1) as one, '].map(
      (before) => `select ${before}exists (select from orders where status in ('PAID', 'FAILED'))`,
    );
    const noted = texts.map((text) => ({ ...unscoped, text }));
    expect(Object.values(listBreaches(noted, layout)).flat()).toHaveLength(1);
  });

  it('what tests ask themselves, and what is excepted, is left alone', () => {
    const [exception] = Object.keys(EXCEPTIONS);
    const files = ['test/journeys/a.test.ts', 'src/flows/b.test.ts', `${exception}c.ts`];
    expect(
      listBreaches(
        files.map((file) => ({ ...unscoped, files: [file] })),
        layout,
      ),
    ).toEqual({});
  });

  it('O14 exceptions are 12 at most, and none has known breaches besides', () => {
    const paths = Object.keys(EXCEPTIONS);
    expect(paths.length).toBeLessThanOrEqual(12);
    const known = Object.keys(KNOWN_BREACHES).filter((file) => paths.some((path) => file.startsWith(path)));
    expect(known).toEqual([]);
  });

  it('a question without a table is none of a change, wherever it stands but in another question', () => {
    const now = '(select real_now_ms())';
    const told = (text: string) => breachesOf(text).filter((breach) => breach.includes('without a table'));
    expect(told(`delete from orders where workspace_id = $1 and created_at < ${now}`)).toHaveLength(1);
    expect(told(`update orders set created_at = coalesce(${now}, 1) where workspace_id = $1`)).toHaveLength(
      1,
    );
    expect(
      told(`delete from orders where workspace_id = $1 and id in (
        select o.id from orders o where o.workspace_id = $1 and o.created_at < ${now})`),
    ).toEqual([]);
    expect(told(`select id from orders where workspace_id = $1 and created_at < ${now}`)).toEqual([]);
  });
});

it('two forms of a statement lie in ten files at most', () => {
  const files = ['server/src/resources', 'server/src/worker'].flatMap((folder) => listFiles(folder, /\.ts$/));
  // What looks after stores and what remembers whose links are ask, too, and have no statement of their own.
  const asking = files.filter(
    (file) =>
      !/\.test\.ts$|\/(?:retain|link-owners)\.ts$/.test(file) &&
      readFileSync(`${ROOT}/${file}`, 'utf8').includes('isSpread('),
  );
  expect(asking.length).toBeLessThanOrEqual(10);
});
