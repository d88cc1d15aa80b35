import { existsSync, mkdtempSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { makeAccount, openSignedIn } from '../../test/support/browser.ts';
import { buy } from '../../test/support/buying.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import {
  CREATE_EXPORT,
  createExporting,
  type Exporting,
  parseCsv,
  parseLines,
  type Wanted,
} from '../../test/support/exporting.ts';
import { type Answer, createTestApp, type Keys, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';
import { inTransaction } from '../db/transaction.ts';
import { createExporter, EXPORT_LIMITS } from '../flows/exports/write-export.ts';
import { issueKeyPair } from '../flows/workspaces/issue-key-pair.ts';
import { toPath } from '../providers/files/disk.ts';
import { EXPORTED_RESOURCES } from '../resources/exports/exports.schema.ts';
import { byRow } from '../worker/job.ts';
import { sweepExports } from '../worker/sweeps.ts';
import { createWorker } from '../worker/worker.ts';
import { exportedLists } from './routes.ts';

const DAY_MS = 24 * 3_600_000;
const ORDERS = 7;

let app: TestApp;
let exporting: Exporting;
const dataDir = mkdtempSync(path.join(tmpdir(), 'exports-'));
beforeAll(async () => {
  app = await createTestApp({ DATA_DIR: dataDir });
  exporting = createExporting(app);
  await app.test.post('/v0/custom-fields/create', {
    ...{ key: 'guild', label: 'Guild', type: 'text', required: false },
  });
  const offerId = await makeOffer(app.test, { name: '=1+1 of "swords", long' });
  for (let n = 0; n < ORDERS; n += 1)
    await buy(app.test, { offersIds: [offerId], customFields: { guild: n === 3 ? '=cmd|x' : `G${n}` } });
  await app.test.post('/v0/webhooks/create', { url: 'https://8.8.8.8/hook', events: ['payment_success'] });
});
afterAll(() => app.close());
afterEach(async () => {
  await app.service.db.deleteFrom('exports').execute();
  await app.service.db.deleteFrom('dueWork').where('kind', '=', 'write_export').execute();
});

const listOrders = async (query = '') =>
  (await app.test.get(`/v0/orders/list?take=100&${query}`)).body.data.orders;

describe('the file of a list', () => {
  it('has the rows of the list and their sum, whatever the page that is written', async () => {
    const orders = await listOrders();
    for (const query of ['', 'take=2&skip=3&cursor=x']) {
      const rows = parseCsv(await exporting.exportAll({ query }));
      expect(rows.map(({ number }) => number)).toEqual(orders.map(({ number }: Answer['body']) => number));
      const sum = (list: Answer['body'][]) => list.reduce((total, { value }) => total + Number(value), 0);
      expect(sum(rows)).toBe(sum(orders));
    }
  });

  it('has the API’s rows as NDJSON, of every list', async () => {
    for (const resource of EXPORTED_RESOURCES) {
      const pair = await makePair([...new Set([...READS, 'exports:write'])]);
      const keys: Keys = pair;
      const { status, body } = await exporting.ask({ resource, format: 'ndjson' }, keys);
      expect({ resource, status }).toEqual({ resource, status: 200 });
      await app.wired.worker.runDue();
      const { body: shown } = await app.test.get(`/v0/exports/${body.data.export.id}`, { keys });
      expect({ resource, ...shown.data.export }).toMatchObject({ resource, status: 'done' });
      const rows = parseLines(await exporting.fetchFile(shown.data.export.url));
      const listed = await app.test.get(PATHS[resource] ?? `/v0/${resource}/list`, {
        keys,
        query: { take: '100' },
      });
      const found = Object.values(listed.body.data).find((value) => Array.isArray(value)) as Answer['body'][];
      // What was written since: the log of requests, and who used their keys when.
      if (resource === 'audit-log' || resource === 'api-keys') expect(rows.length).toBeGreaterThan(0);
      else if (resource === 'webhooks')
        expect(rows).toEqual(found.map((row) => ({ ...row, secret: expect.stringContaining('•') })));
      else expect({ resource, rows }).toEqual({ resource, rows: found });
    }
  });

  test('D26 writes −5.00 as a number, guards what would be a formula, and has a column per custom field', async () => {
    const { id } = (await listOrders())[0];
    await app.service.db.updateTable('orders').set({ value: -500n }).where('id', '=', id).execute();
    const rows = parseCsv(await exporting.exportAll());
    await app.service.db.updateTable('orders').set({ value: 2379n }).where('id', '=', id).execute();
    expect(rows[0]).toMatchObject({ id, value: '-500', value_major: '-5.00', currency: 'EUR' });
    expect(rows[3]).toMatchObject({
      itemNames: `'=1+1 of "swords", long`,
      'customFields.guild': "'=cmd|x",
      userEmail: 'ada@example.com',
    });
    const { createdAt, createdAt_utc: utc } = rows[0] ?? {};
    expect(utc).toBe(new Date(Number(createdAt)).toISOString());
    expect(utc).toMatch(/Z$/);
  });

  it('has money beside minor units where the row tells no currency: it is the store’s', async () => {
    const { users } = (await app.test.get('/v0/users/list', { query: { email: 'ada@example.com' } })).body
      .data;
    const asked = { resource: 'users', ids: [users[0].id], columns: ['email', 'spent'] };
    const rows = parseCsv(await exporting.exportAll(asked));
    const spent = { spent: String(users[0].spent), spent_major: (users[0].spent / 100).toFixed(2) };
    expect(rows).toEqual([{ email: 'ada@example.com', ...spent }]);
    expect(users[0].spent).toBeGreaterThan(0);
  });

  it('takes the filter of the list, chosen rows and chosen columns', async () => {
    const orders = await listOrders();
    const wanted = {
      query: `customFields=${encodeURIComponent('{"guild":"G5"}')}`,
      columns: ['number', 'value'],
    };
    const rows = parseCsv(await exporting.exportAll(wanted));
    expect(rows).toEqual([{ number: orders[1].number, value: '2379', value_major: '23.79' }]);
    const ids = [orders[0].id, orders[4].id];
    const chosen = parseCsv(await exporting.exportAll({ ids, columns: ['id'] }));
    expect(chosen).toEqual(ids.map((id) => ({ id })));
    const { invoices } = (await app.test.get('/v0/invoices/list')).body.data;
    const one = parseLines(
      await exporting.exportAll({ resource: 'invoices', ids: [invoices[2].id], format: 'ndjson' }),
    );
    expect(one).toEqual([invoices[2]]);
  });

  it('is found by a link of 15 minutes, made anew each time', async () => {
    const id = await exporting.begin();
    expect((await exporting.show(id)).url).toBeNull();
    await app.wired.worker.runDue();
    const { url } = await exporting.show(id);
    const got = await app.app.inject({ url: new URL(url).pathname });
    expect(got.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(got.headers['content-disposition']).toMatch(/attachment; filename="orders-\d{4}-\d\d-\d\d\.csv"/);
    const part = await app.app.inject({ url: new URL(url).pathname, headers: { range: 'bytes=3-5' } });
    expect([part.statusCode, part.payload]).toEqual([206, 'id,']);
    expect((await app.app.inject({ url: `${new URL(url).pathname}x` })).statusCode).toBe(404);
    const sevenDays = Date.now() - 7 * DAY_MS;
    await app.service.db.updateTable('exports').set({ expiresRealMs: sevenDays }).execute();
    expect((await app.app.inject({ url: new URL(url).pathname })).statusCode).toBe(404);
    await expectRefusal(app.test.get(`/v0/exports/${id}`), 404, 'not_found');
  });
});

const PATHS: Record<string, string> = {
  elements: '/v0/elements/checkout/list',
  ledger: '/v0/ledger/entries/list',
  requests: '/v0/request-log/list',
};
const READS = [
  ...[
    'orders',
    'payments',
    'refunds',
    'subscriptions',
    'users',
    'products',
    'offers',
    'discounts',
    'elements',
  ],
  ...[
    'files',
    'custom-fields',
    'invoices',
    'ledger',
    'mails',
    'webhooks',
    'events',
    'request-log',
    'audit-log',
  ],
  ...['api-keys', 'members', 'exports', 'withdrawals'],
].map((area) => `${area}:read`);

async function makePair(scopes: string[]) {
  const { service, test: store } = app;
  return inTransaction(service.db, (tx) =>
    issueKeyPair(tx, store.scope, {
      ids: service.ids,
      terms: { name: 'Clerk', nowMs: Date.now(), scopes, readRequiresSecret: false },
    }),
  );
}

describe('POST /v0/exports/create', () => {
  it('400 names what is wrong in it, of the query as the list itself says it', async () => {
    const cases: Array<[object, string]> = [
      [{ kind: 'all' }, 'kind'],
      [{ kind: 'user' }, 'resource'],
      [{ resource: 'secrets' }, 'resource'],
      [{ format: 'xlsx' }, 'format'],
      [{ query: 'statuses=SOLD' }, 'query.statuses.0'],
      [{ query: 'createdFrom=yesterday' }, 'query.createdFrom'],
      [{ query: 'country=ZZ' }, 'query.country'],
      [{ query: 'number=!!' }, 'query.number'],
      [{ columns: ['number', 'secret'] }, 'columns.1'],
      [{ columns: ['number'], format: 'ndjson' }, 'columns'],
      [{ ids: Array.from({ length: 501 }, String) }, 'ids'],
    ];
    for (const [wrong, field] of cases) {
      const { status, body } = await exporting.ask(wrong as Wanted);
      expect({ field, status, path: body.error?.details?.[0].path }).toEqual({
        field,
        status: 400,
        path: field,
      });
    }
    expect(await app.service.db.selectFrom('exports').selectAll().execute()).toEqual([]);
  });

  it('403 without the right to read the list, whose files do not exist then', async () => {
    const clerk = await makePair(['orders:read', 'exports:write', 'exports:read']);
    await expectRefusal(exporting.ask({ resource: 'users' }, clerk), 403, 'insufficient_scope');
    await expectRefusal(exporting.ask({}, await makePair(['orders:read'])), 403, 'insufficient_scope');
    expect((await exporting.ask({}, clerk)).status).toBe(200);
    const id = await exporting.begin({ resource: 'users' });
    await app.wired.worker.runDue();
    await expectRefusal(app.test.get(`/v0/exports/${id}`, { keys: clerk }), 404, 'not_found');
    await expectRefusal(app.test.post(`/v0/exports/${id}/cancel`, {}, { keys: clerk }), 404, 'not_found');
    const { exports, count } = (await app.test.get('/v0/exports/list', { keys: clerk })).body.data;
    expect([count, exports.map(({ resource }: Answer['body']) => resource)]).toEqual([1, ['orders']]);
    await expectRefusal(app.other.get(`/v0/exports/${id}`), 404, 'not_found');
    await expectRefusal(app.live.get(`/v0/exports/${id}`), 404, 'not_found');
  });

  test('D24 gives a Manager no rows of areas that the role cannot read', async () => {
    const { workspaceId } = app.test.scope;
    await makeAccount(app, { email: 'manager@first.example', member: { workspaceId, role: 'manager' } });
    const browser = await openSignedIn(app, 'manager@first.example');
    const body = { kind: 'list', format: 'ndjson' };
    for (const resource of ['audit-log', 'requests', 'api-keys'])
      await expectRefusal(browser.post(CREATE_EXPORT, { ...body, resource }), 403, 'insufficient_permission');
    const id = await exportsOfOthers();
    await expectRefusal(browser.get(`/v0/exports/${id}`), 404, 'not_found');
    expect((await browser.get('/v0/exports/list')).body.data.exports).toEqual([]);
  });

  async function exportsOfOthers(): Promise<string> {
    const pair = await makePair(['audit-log:read', 'exports:write', 'exports:read']);
    const { body } = await exporting.ask({ resource: 'audit-log' }, pair);
    return body.data.export.id;
  }

  test('D19 D20 asks a session for a fresh proof of users and mails, and is audited', async () => {
    const accountId = await makeAccount(app, { email: 'owner2@first.example' });
    const browser = await openSignedIn(app, 'owner2@first.example');
    const started = await browser.post(CREATE_EXPORT, { kind: 'list', resource: 'users', format: 'csv' });
    const { id } = started.body.data.export;
    await app.wired.worker.runDue();
    expect((await browser.get(`/v0/exports/${id}`)).body.data.export.url).toContain('/exports/');
    await browser.delete('/v0/session/reauthenticate');
    for (const resource of ['users', 'mails'])
      await expectRefusal(
        browser.post(CREATE_EXPORT, { kind: 'list', resource, format: 'csv' }),
        403,
        'reauthentication_required',
      );
    expect((await browser.get(`/v0/exports/${id}`)).body.data.export).toMatchObject({
      status: 'done',
      url: null,
    });
    expect(
      (await browser.post(CREATE_EXPORT, { kind: 'list', resource: 'orders', format: 'csv' })).status,
    ).toBe(200);
    const rows = await app.service.db
      .selectFrom('auditLog')
      .select(['actor', 'after'])
      .where('operation', '=', 'createExport')
      .where('objectId', '=', id)
      .execute();
    expect(rows).toMatchObject([{ actor: `account:${accountId}` }]);
    expect(JSON.stringify(rows)).not.toContain('/exports/');
  });

  it('409 while three are under way, and keeps the newest twenty', async () => {
    const ids = [await exporting.begin(), await exporting.begin(), await exporting.begin()];
    await expectRefusal(exporting.ask(), 409, 'export_limit_reached');
    await app.test.post(`/v0/exports/${ids[0]}/cancel`);
    for (let n = 0; n < 22; n += 1) {
      await exporting.begin({ columns: ['id'] });
      await app.wired.worker.runDue();
    }
    expect((await app.test.get('/v0/exports/list?take=100')).body.data.count).toBe(20);
    const place = path.dirname(toPath(dataDir, { ...app.test.scope, id: 'x' }));
    await sweepExports(app.service.db, new AbortController().signal, dataDir);
    const { exports } = (await app.test.get('/v0/exports/list?take=100')).body.data;
    const kept = exports.map(({ id }: Answer['body']) => id);
    expect((await readdir(place)).filter((name) => kept.includes(name))).toHaveLength(20);
    const left = await app.service.db.selectFrom('exports').select('id').execute();
    expect(left).toHaveLength(20);
  });
});

describe('POST /v0/exports/{exportId}/cancel', () => {
  it('stops it, also in the midst of a stretch, and its bytes go', async () => {
    const id = await exporting.begin();
    let isCanceled = false;
    const canceling: typeof exportedLists = (resource) => {
      const list = exportedLists(resource);
      return {
        ...list,
        read: async (ctx, scope, page) => {
          if (!isCanceled) expect((await app.test.post(`/v0/exports/${id}/cancel`)).status).toBe(200);
          isCanceled = true;
          return list.read(ctx, scope, page);
        },
      };
    };
    const job = byRow(createExporter(canceling, { ...EXPORT_LIMITS, pageRows: 2, noteEveryMs: 0 }));
    await createWorker({ service: app.service, jobs: { write_export: job } }).runDue();
    expect(await exporting.show(id)).toMatchObject({ status: 'canceled', url: null });
    expect(existsSync(toPath(dataDir, { ...app.test.scope, id }))).toBe(false);
    await expectRefusal(app.test.post(`/v0/exports/${id}/cancel`), 409, 'export_state');
    await expectRefusal(app.test.post(`/v0/exports/${app.service.ids.next(1)}/cancel`), 404, 'not_found');
  });
});

it('goes with the test store that is emptied', async () => {
  const id = await exporting.begin();
  await app.wired.worker.runDue();
  const place = toPath(dataDir, { ...app.test.scope, id });
  expect(existsSync(place)).toBe(true);
  expect((await app.test.post('/v0/test-clock/reset', { confirm: true })).status).toBe(200);
  expect(existsSync(place)).toBe(false);
});
