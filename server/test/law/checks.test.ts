import { describe, expect, it } from 'vitest';
import { findUntested, readTitles } from '../../../scripts/check-cases.ts';
import { findUnreasoned } from '../../../scripts/check-commits.ts';
import { findWithoutCode, findWithoutExample } from '../../../scripts/check-description.ts';
import { findCitations, findMissing, findUnread } from '../../../scripts/check-docs.ts';
import { findUndecided } from '../../../scripts/check-export.ts';
import { findUnused } from '../../../scripts/check-exports.ts';
import { findUnbounded } from '../../../scripts/check-growth.ts';
import { findCycles, findWrongDirections, readImports } from '../../../scripts/check-imports.ts';
import { findBreaches, findEdited } from '../../../scripts/check-migrations.ts';
import { findFractions, findSharedKeys } from '../../../scripts/check-schema.ts';
import { findLong } from '../../../scripts/check-sizes.ts';
import { FLOORS } from '../../../scripts/import-rules.ts';
import { checkMonitoring, findUnknownMetrics, listMetrics } from '../../../scripts/monitoring.ts';
import { hash } from '../../src/db/migrate.ts';

function importing(from: string, ...names: string[]) {
  return readImports(from, names.map((name) => `import { x } from '${name}';`).join('\n'));
}

describe('direction of imports', () => {
  const wrong: Array<[string, string]> = [
    ['server/src/domain/money/money.ts', '../../db/scope.ts'],
    ['server/src/domain/money/money.ts', 'node:fs'],
    ['server/src/domain/money/money.ts', 'kysely'],
    ['server/src/config.ts', './domain/settings.ts'],
    ['server/src/db/list.ts', '../flows/pricing/quote-cart.ts'],
    ['server/src/net/safe-fetch.ts', '../db/database.ts'],
    ['server/src/providers/payment/registry.ts', '../../db/database.ts'],
    ['server/src/documents/document-shelf.ts', '../providers/mail/smtp.ts'],
    ['server/src/resources/orders/orders.queries.ts', '../users/users.queries.ts'],
    ['server/src/resources/orders/orders.schema.ts', '../../http/route.ts'],
    ['server/src/resources/sales/sale.view.ts', '../../flows/pricing/quote-cart.ts'],
    ['server/src/flows/pricing/quote-cart.ts', '../../http/app.ts'],
    ['server/src/flows/orders/cancel-order.ts', '../../api/orders.routes.ts'],
    ['server/src/worker/worker.ts', '../flows/renewals/advance-subscription.ts'],
    ['server/src/invariants/money.ts', '../flows/payments/settle-payment.ts'],
    ['server/src/http/register.ts', '../flows/payments/settle-payment.ts'],
    ['server/src/http/app.ts', '../main/wire.ts'],
    ['server/src/api/orders.routes.ts', './payments.routes.ts'],
    ['server/src/api/orders.routes.ts', '../pages/render-page.ts'],
    ['server/src/pages/checkout.pages.ts', '../api/find-subscription.ts'],
    ['server/src/pages/checkout.pages.ts', './owed-payments.routes.ts'],
    ['web/checkout/checkout.tsx', '../../server/src/domain/errors.ts'],
  ];

  it.each(wrong)('%s must not import %s', (from, name) => {
    expect(findWrongDirections(importing(from, name))).toHaveLength(1);
  });

  it.each(FLOORS.flatMap((rooms, floor) => rooms.map((room) => ({ room, floor }))))(
    'the room $room uses the floors beneath it alone',
    ({ room, floor }) => {
      const using = (other: string) =>
        findWrongDirections(importing(`server/src/flows/${room}/a.ts`, `../${other}/b.ts`));
      for (const other of FLOORS.slice(0, floor).flat()) expect(using(other)).toEqual([]);
      for (const other of FLOORS.slice(floor).flat())
        expect(using(other)).toHaveLength(other === room ? 0 : 1);
    },
  );

  it('names the floors where it refuses one room another', () => {
    expect(findWrongDirections(importing('server/src/flows/payments/a.ts', '../orders/b.ts'))).toEqual([
      'server/src/flows/payments/a.ts must not import server/src/flows/orders/b.ts: payments is on floor 4, orders on floor 6',
    ]);
  });

  it('lets a layer import those beneath it, and a package where none are named', () => {
    const right = [
      ...importing('server/src/domain/subscriptions/period.ts', '../money/money.ts', 'temporal-polyfill'),
      ...importing('server/src/resources/orders/orders.queries.ts', '../../db/database.ts', 'kysely'),
      ...importing('server/src/flows/payments/charge-payment.ts', './settle-payment.ts'),
      ...importing('server/src/http/register.ts', '../resources/audit-log/audit-log.queries.ts'),
      ...importing('server/src/api/orders.routes.ts', '../flows/orders/cancel-order.ts', './sales-list.ts'),
    ];
    expect(findWrongDirections(right)).toEqual([]);
  });

  it('tells an import of types from one of values', () => {
    const text =
      "import type { A } from './a.ts';\nimport { type B } from './b.ts';\nimport { type C, d } from './c.ts';";
    expect(readImports('server/src/x.ts', text).map((one) => one.isTypeOnly)).toEqual([true, true, false]);
  });

  it('sees re-exports and imports at run time', () => {
    const text = "export { a } from './a.ts';\nconst b = await import('./b.ts');";
    expect(readImports('server/src/x.ts', text).map((one) => one.to)).toEqual([
      'server/src/a.ts',
      'server/src/b.ts',
    ]);
  });
});

it('finds a cycle over three files, and none in a diamond', () => {
  const cycle = [
    ...importing('a.ts', './b.ts'),
    ...importing('b.ts', './c.ts'),
    ...importing('c.ts', './a.ts'),
  ];
  expect(findCycles(cycle)).toEqual(['cycle: a.ts → b.ts → c.ts → a.ts']);
  const diamond = [...importing('a.ts', './b.ts', './c.ts'), ...importing('b.ts', './d.ts')];
  expect(findCycles([...diamond, ...importing('c.ts', './d.ts')])).toEqual([]);
});

describe('exports', () => {
  const declaring = (text: string) => ({ file: 'a/b.ts', text });
  const using = (text: string) => ({ file: 'a/c.ts', text });

  it.each([
    ['nobody imports', 'export const x = 1;', ''],
    [
      'only another name is imported of',
      'export const x = 1; export const y = 2;',
      "import { y } from './b.ts';",
    ],
    ['a namesake of another file is imported', 'export type x = 1;', "import { x } from './d.ts';"],
  ])('names what %s', (_, text, other) => {
    const told = findUnused([declaring(text), using(other)], {});
    expect(told).toEqual(['a/b.ts#x: exported, and used nowhere']);
  });

  it.each([
    ['imported', 'export function x() {}', "import { x } from './b.ts';"],
    ['imported under another name', 'export function x() {}', "import { x as y } from './b.ts';"],
    ['exported again', 'export function x() {}', "export { x } from './b.ts';"],
    ['in a namespace', 'export function x() {}', "import * as b from './b.ts';"],
    ['imported late', 'export function x() {}', "const { x } = await import('./b.ts');"],
    ['the type of an import', 'export interface x {}', "type Y = import('./b.ts').x;"],
    ['used beside itself', 'export const x = 1; const y = x;', ''],
  ])('lets be what is %s', (_, text, other) => {
    expect(findUnused([declaring(text), using(other)], {})).toEqual([]);
  });

  it('takes an exception, and no needless one', () => {
    const file = declaring('export const x = 1;');
    expect(findUnused([file], { 'a/b.ts#x': 'a page' })).toEqual([]);
    expect(findUnused([file, using("import { x } from './b.ts';")], { 'a/b.ts#x': 'a page' })).toEqual([
      'scripts/check-exports.ts: a/b.ts#x needs no exception',
    ]);
  });
});

describe('sizes', () => {
  const lines = (count: number) => '  step();\n'.repeat(count);

  it('refuses a file of more than 400 lines', () => {
    expect(findLong('server/src/a.ts', lines(400))).toEqual([]);
    expect(findLong('server/src/a.ts', lines(401))).toHaveLength(1);
  });

  it('refuses a function of more than 70 lines, and measures it without those within it', () => {
    expect(findLong('a.ts', `function a() {\n${lines(68)}}\n`)).toEqual([]);
    expect(findLong('a.ts', `function a() {\n${lines(69)}}\n`)).toHaveLength(1);
    expect(findLong('a.ts', `function a() {\nconst b = () => {\n${lines(60)}};\n${lines(20)}}\n`)).toEqual(
      [],
    );
  });
});

describe('schema', () => {
  const key = { table: 'orders', definition: '' };

  it('refuses a key that does not lead with the workspace, and names an exception that is gone', () => {
    const constraints = [
      { ...key, name: 'orders_pkey', kind: 'p' as const, leads: 'workspace_id' },
      { ...key, name: 'orders_number', kind: 'u' as const, leads: 'number' },
      { ...key, name: 'orders_value_check', kind: 'c' as const, leads: null },
    ];
    const found = findSharedKeys({ constraints, indexes: [] });
    expect(found).toContain('orders: orders_number does not lead with workspace_id');
    expect(found).toContain('scripts/check-schema.ts: there is no key or index due_work_by_kind');
    expect(found.filter((line) => line.startsWith('orders'))).toHaveLength(1);
  });

  it('refuses a column that could hold a fraction', () => {
    const column = { table: 'orders', name: 'value', isNullable: false, defaultValue: null };
    expect(findFractions({ columns: [{ ...column, type: 'double precision' }] })).toHaveLength(1);
    expect(findFractions({ columns: [{ ...column, type: 'minor_units' }] })).toEqual([]);
  });
});

describe('monitoring', () => {
  it('O43 alerts and the board name metrics that exist, and each alert has a runbook', async () => {
    expect(await checkMonitoring()).toEqual([]);
    const known = await listMetrics();
    const asked = 'rate(counterfoil_gone_total[5m]) / counterfoil_http_request_seconds_bucket';
    expect(findUnknownMetrics(asked, known)).toEqual(['counterfoil_gone_total']);
  });
});

describe('docs', () => {
  it('finds links and paths that lead nowhere', () => {
    const text =
      'See [a](gone.md), [b](../README.md#run-it), `server/src/gone.ts`, `server/src/domain`, `npm test`.';
    expect(findMissing('docs/x.md', text)).toEqual([
      'docs/x.md names gone.md, which is not there',
      'docs/x.md names server/src/gone.ts, which is not there',
    ]);
  });

  it('finds settings of the list that nobody reads', () => {
    const config = "integer(env, 'PORT'); text(\n  env,\n  'HOST')";
    expect(findUnread(config, ['PORT', 'HOST', 'OLD'])).toEqual([
      'the list of settings names OLD, which nobody reads',
    ]);
  });
});

describe('description of the API', () => {
  const describing = (operation: object) =>
    ({ '/v0/x': { post: { responses: {}, ...operation } } }) as Parameters<typeof findWithoutExample>[0];

  it('misses the example of a body and the codes of a refusal', () => {
    const body = { content: { 'application/json': {} } };
    expect(findWithoutExample(describing({ requestBody: body }))).toHaveLength(1);
    const responses = { 200: { description: 'Fine' }, 404: { description: 'Default Response' } };
    expect(findWithoutCode({ paths: describing({ responses }), components: { schemas: {} } })).toHaveLength(
      1,
    );
  });

  it('takes an empty example, other bodies than JSON, and refusals that name their codes', () => {
    const body = { content: { 'application/json': { examples: {} } } };
    expect(findWithoutExample(describing({ requestBody: body }))).toEqual([]);
    expect(findWithoutExample(describing({ requestBody: { content: { '*/*': {} } } }))).toEqual([]);
    const responses = { 409: { description: '`archived`, `order_state`' } };
    expect(findWithoutCode({ paths: describing({ responses }), components: { schemas: {} } })).toEqual([]);
  });
});

describe('numbered cases', () => {
  it('finds the numbers that titles bear, of each kind of test', () => {
    const text =
      "it('T01 a', f); describe('x', () => { it.each([1])('T02 and T03: %s', f); }); it(`T04`, f);";
    expect(readTitles('a.test.ts', text)).toEqual(['T01 a', 'x', 'T02 and T03: %s', 'T04']);
  });

  it('fails on a gap of a complete series, and only tells of others', () => {
    const series = { letter: 'Y', count: 3, about: 'attacks' };
    const titles = ['Y01 a', 'Y03 b, and Y99 is none'];
    expect(findUntested(titles, [{ ...series, isComplete: true }]).problems).toEqual([
      '1 of 3 cases of attacks have no test: Y02',
    ]);
    expect(findUntested(titles, [{ ...series, isComplete: false }])).toMatchObject({
      problems: [],
      notes: [expect.stringContaining('Y02')],
    });
  });
});

it('refuses a commit with a long subject, and one without a reason', () => {
  const commit = { hash: 'abc', subject: 'x'.repeat(72), body: 'Because.' };
  expect(findUnreasoned([commit])).toEqual([]);
  expect(findUnreasoned([{ ...commit, subject: 'x'.repeat(73) }])).toHaveLength(1);
  expect(findUnreasoned([{ ...commit, body: '\n' }])).toHaveLength(1);
});

it('finds a comment that cites a page which the repository does not hold', () => {
  const page = (name: string) => `${name}.md`;
  expect(findCitations('a.ts', `// as ${page('behaviour')} says`)).toHaveLength(1);
  expect(findCitations('a.ts', '// as docs/guides/dashboard.md and docs/errors.md say')).toEqual([]);
});

describe('the check of migrations', () => {
  const text = 'create table notes (id int);';
  const recorded = new Map([['0001_notes', hash(text)]]);

  it('passes what stands as it was recorded, and names what was edited, is not recorded or has gone', () => {
    expect(findEdited([{ name: '0001_notes', text }], recorded)).toEqual([]);
    expect(findEdited([{ name: '0001_notes', text: `${text} ` }], recorded)).toEqual([
      expect.stringContaining('migrations/0001_notes.sql was edited'),
    ]);
    expect(
      findEdited(
        [
          { name: '0001_notes', text },
          { name: '0002_more', text },
        ],
        recorded,
      ),
    ).toEqual([expect.stringContaining('migrations/0002_more.sql is not in')]);
    expect(findEdited([], recorded)).toEqual([expect.stringContaining('migrations/0001_notes.sql is gone')]);
  });
});

describe('O37 what a migration says of itself', () => {
  const breaches = (text: string) => findBreaches({ name: '0900_tried', text });

  it('is that it expands, and then it takes nothing away and holds nobody up', () => {
    const fine = [
      '-- Expand. More.\nalter table orders add column more text;',
      "-- Expand. More.\nalter table orders add column more text not null default 'as before', add column last text;",
      '-- Expand. More.\ncreate table wishes (id uuid not null); create index wishes_id on wishes (id);',
      '-- Expand, outside of a transaction. Found.\ncreate index concurrently more on orders (id);',
      '-- Expand. It was dropped before.\nalter table orders alter column more drop not null;',
    ];
    for (const text of fine) expect(breaches(text)).toEqual([]);
    const wrong: Array<[string, string]> = [
      ['alter table orders drop column more', 'drops something'],
      ['drop table wishes', 'drops something'],
      ['alter table orders rename column more to less', 'renames something'],
      ['alter table orders alter column more type bigint', 'changes a type'],
      ['alter table orders alter more set not null', 'forbids null'],
      ['alter table orders add column more text not null, add column last text default 1', 'must be given'],
      ['create unique index more on orders (id)', 'builds an index'],
    ];
    for (const [sql, told] of wrong)
      expect(breaches(`-- Expand. More.\n${sql};`)).toEqual([expect.stringContaining(told)]);
  });

  it('or that it contracts, and for which code', () => {
    expect(breaches('-- Contract 1.4.0. Nobody reads it.\nalter table orders drop column more;')).toEqual([]);
    expect(breaches('alter table orders add column more text;')).toEqual([
      expect.stringContaining('must begin with'),
    ]);
  });
});

it('Y19 refuses a table of which nobody has said what bounds it, and a bound of none', () => {
  const schema = 'create table orders (\n  id uuid\n);\ncreate table wishes (\n  id uuid\n);';
  const page = '| Table | Bounded by |\n|---|---|\n| `orders`, `gone` | one a session |\n';
  expect(findUnbounded(schema, page)).toEqual([
    'docs/design/growth.md does not say what bounds wishes',
    'docs/design/growth.md names gone, which the store does not have',
  ]);
  expect(findUnbounded('create table orders (', '| `orders` | |\n')).toHaveLength(1);
  expect(findUnbounded(schema, `${page}| \`wishes\` | 5 an hour |\n`)).toHaveLength(1);
});

describe('X51 what exports and backups hold', () => {
  const lists = {
    secrets: { orders: ['key_hash'] },
    links: {},
    leftOut: { codes: 'good for minutes' },
    shared: { accounts: 'of the installation', counters: 'of the installation' },
    backedUp: ['accounts'],
    notBackedUp: { counters: 'of the last hour' },
  };
  const table = (name: string, ...columns: string[]) =>
    `create table ${name} (\n${columns.map((column) => `  ${column} text,`).join('\n')}\n);\n`;
  const schema =
    table('orders', 'workspace_id', 'key_hash', 'cover_blur_hash', 'with_secret') +
    table('codes', 'workspace_id', 'code_hash') +
    table('accounts', 'id', 'password_hash') +
    table('counters', 'id');

  it('is said of every table and of every column that looks like a secret', () => {
    expect(findUndecided(schema, lists)).toEqual([]);
  });

  it.each([
    [table('keys', 'workspace_id', 'secret'), 'keys.secret'],
    [table('links', 'workspace_id', 'pay_token'), 'links.pay_token'],
  ])('is missing of what was added: %#', (added, name) => {
    expect(findUndecided(schema + added, lists)).toEqual([expect.stringContaining(name)]);
  });

  it('is missing of a table of no workspace, for exports and for backups', () => {
    const found = findUndecided(schema + table('machines', 'id'), lists);
    expect(found).toEqual([
      expect.stringContaining('whether a backup holds machines'),
      expect.stringContaining('why no export holds machines'),
    ]);
    const twice = { ...lists, backedUp: ['accounts', 'counters'] };
    expect(findUndecided(schema, twice)).toEqual([expect.stringContaining('counters')]);
  });

  it('is of nothing that there is not', () => {
    expect(findUndecided(table('codes', 'workspace_id') + table('counters', 'id'), lists)).toEqual([
      expect.stringContaining('accounts for backups'),
      expect.stringContaining('accounts'),
      expect.stringContaining('orders.key_hash'),
    ]);
  });
});
