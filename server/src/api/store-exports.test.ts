/** Archives: all of a store, and all that it has of a user. */
import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeAccount, openSignedIn } from '../../test/support/browser.ts';
import { buy } from '../../test/support/buying.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type Keys, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';
import { inTransaction } from '../db/transaction.ts';
import { SECRET_COLUMNS } from '../domain/exports/left-out.ts';
import { issueKeyPair } from '../flows/workspaces/issue-key-pair.ts';
import { EXPORTED_RESOURCES } from '../resources/exports/exports.schema.ts';

const CREATE = '/v0/exports/create';
const OTHERS = 50;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ DATA_DIR: mkdtempSync(path.join(tmpdir(), 'archives-')) });
  await app.test.post('/v0/webhooks/create', { url: 'https://8.8.8.8/hook', events: ['payment_success'] });
  await app.test.post('/v0/custom-fields/create', {
    ...{ key: 'guild', label: 'Guild', type: 'text', required: false },
  });
});
afterAll(() => app.close());
afterEach(async () => {
  await app.service.db.deleteFrom('exports').execute();
  await app.service.db.deleteFrom('dueWork').where('kind', '=', 'write_export').execute();
});

/** The parts of an archive that is written to its end, by their names. */
const takeArchive = async (body: Record<string, unknown>): Promise<Map<string, Buffer>> =>
  new Map((await takeEntries(body)).map(({ header, data }) => [header.name, Buffer.from(data ?? [])]));

async function takeEntries(body: Record<string, unknown>) {
  const asked = await app.test.post(CREATE, body);
  expect(asked.status, asked.text).toBe(200);
  await app.wired.worker.runDue();
  const shown = (await app.test.get(`/v0/exports/${asked.body.data.export.id}`)).body.data.export;
  expect(shown).toMatchObject({ status: 'done', reason: null, format: 'tar.gz', kind: body.kind });
  const { pathname } = new URL(shown.url);
  const got = await app.app.inject({ url: pathname });
  expect([got.statusCode, got.headers['content-type']]).toEqual([200, 'application/gzip']);
  expect(got.rawPayload).toHaveLength(shown.sizeBytes);
  const cut = await app.app.inject({ url: pathname, headers: { range: 'bytes=10-19' } });
  expect([cut.statusCode, cut.rawPayload]).toEqual([206, got.rawPayload.subarray(10, 20)]);
  return unpackTar(gunzipSync(got.rawPayload));
}

const linesOf = (part: Buffer | undefined) =>
  String(part)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** The names of the parts that have this text. */
const listHolding = (parts: Map<string, Buffer>, text: string) =>
  [...parts].flatMap(([name, part]) => (part.includes(text) ? [name] : []));

function expectManifest(parts: Map<string, Buffer>): void {
  const names = [...parts.keys()];
  expect(names.at(-1)).toBe('manifest.json');
  const manifest = JSON.parse(String(parts.get('manifest.json')));
  expect(manifest.parts.map(({ name }: { name: string }) => name)).toEqual(names.slice(0, -1));
  for (const { name, bytes, sha256 } of manifest.parts) {
    const part = parts.get(name) ?? Buffer.alloc(0);
    expect([name, part.length, createHash('sha256').update(part).digest('hex')]).toEqual([
      name,
      bytes,
      sha256,
    ]);
  }
}

describe('an export of a store', () => {
  it('holds every row of every table, the API’s objects and what lies on disk, each with its hash', async () => {
    const offerId = await makeOffer(app.test);
    for (let n = 0; n < 3; n += 1) await buy(app.test, { offersIds: [offerId] });
    const { body } = await app.test.get('/v0/invoices/list');
    const { number, url } = body.data.invoices[0];
    expect((await app.app.inject({ url: new URL(url).pathname })).statusCode).toBe(200);
    const parts = await takeArchive({ kind: 'store' });
    expectManifest(parts);
    const header = JSON.parse(String(parts.get('header.json')));
    expect(header).toMatchObject({
      ...{ format: 'counterfoil-export', version: 1, kind: 'store', mode: 'test' },
      workspace: {
        id: app.test.scope.workspaceId,
        members: [{ email: 'owner@first.example', role: 'owner' }],
      },
    });
    for (const table of ['orders', 'order_items', 'payments', 'ledger_entries', 'events', 'audit_log']) {
      const { rows } = await app.service.pool.query<{ count: number }>(
        `select count(*)::int as count from ${table} where workspace_id = $1 and test_mode`,
        [app.test.scope.workspaceId],
      );
      expect([table, linesOf(parts.get(`rows/${table}.jsonl`)).length]).toEqual([table, rows[0]?.count]);
    }
    for (const resource of EXPORTED_RESOURCES) expect(parts.has(`objects/${resource}.jsonl`)).toBe(true);
    const orders = await app.test.get('/v0/orders/list', { query: { take: '100' } });
    expect(linesOf(parts.get('objects/orders.jsonl')).map(({ id }) => id)).toEqual(
      orders.body.data.orders.map(({ id }: { id: string }) => id),
    );
    expect(parts.get(`documents/${number}.pdf`)?.subarray(0, 5).toString()).toBe('%PDF-');
    expect([...parts.keys()].filter((name) => name.startsWith('rows/accounts'))).toEqual([]);
  });

  it('has entries of real time where the test clock is ahead, since tar warns of files from the future', async () => {
    await app.test.post('/v0/test-clock/advance', { by: { days: 40 } });
    const entries = await takeEntries({ kind: 'store' });
    const latestMs = Math.max(...entries.map(({ header: { mtime } }) => mtime?.getTime() ?? Infinity));
    expect(latestMs).toBeLessThanOrEqual(app.service.realNowMs());
  });

  it('holds no secret', async () => {
    const parts = await takeArchive({ kind: 'store' });
    const secrets = await findSecrets();
    expect(secrets.length).toBeGreaterThan(3);
    for (const secret of [...secrets, app.test.keys.secretKey])
      expect(listHolding(parts, secret)).toEqual([]);
  });

  it('holds nothing of another workspace, nor of the other mode', async () => {
    await makeOffer(app.other, { name: 'Canary of another' });
    await makeOffer(app.live, { name: 'Canary of live' });
    const parts = await takeArchive({ kind: 'store' });
    const { workspaceId } = app.other.scope;
    for (const canary of ['Canary of another', workspaceId]) expect(listHolding(parts, canary)).toEqual([]);
    // The API tells what was done in both modes together.
    expect(listHolding(parts, 'Canary of live')).toEqual(['objects/audit-log.jsonl']);
  });

  it('D55 is the Owner’s, and a live pair’s that names it', async () => {
    const ask = (keys: Keys) => app.live.post(CREATE, { kind: 'store' }, { keys });
    await expectRefusal(ask('secret'), 403, 'insufficient_scope');
    const issue = (scopes: string[]) =>
      inTransaction(app.service.db, (tx) =>
        issueKeyPair(tx, app.live.scope, {
          ids: app.service.ids,
          terms: { name: 'P', nowMs: Date.now(), scopes, readRequiresSecret: false, amounts: 'minor' },
        }),
      );
    await expectRefusal(ask(await issue(['exports:write'])), 403, 'insufficient_scope');
    const named = await issue(['exports:write', 'exports:read', 'store-export:write']);
    const { body } = await ask(named);
    expect(body.data.export).toMatchObject({ kind: 'store', format: 'tar.gz' });
    const { id } = body.data.export;
    expect((await app.live.get(`/v0/exports/${id}`, { keys: named })).status).toBe(200);
    await expectRefusal(app.live.get(`/v0/exports/${id}`), 404, 'not_found');
    const listed = await app.live.get('/v0/exports/list');
    expect(listed.body.data.exports).toEqual([]);
    const { workspaceId } = app.live.scope;
    await makeAccount(app, { email: 'admin@x.example', member: { workspaceId, role: 'admin' } });
    const browser = await openSignedIn(app, 'admin@x.example', app.live);
    await expectRefusal(browser.post(CREATE, { kind: 'store' }), 403, 'insufficient_permission');
  });

  it('refuses what is of other kinds, naming it', async () => {
    const ask = (body: Record<string, unknown>) => app.test.post(CREATE, body);
    for (const [body, field] of [
      [{ kind: 'store', resource: 'orders' }, 'resource'],
      [{ kind: 'store', userId: app.service.ids.next(0) }, 'userId'],
      [{ kind: 'store', withSecrets: true }, 'recipients'],
      [{ kind: 'store', recipients: ['age1notone'] }, 'recipients.0'],
      [{ kind: 'user', userId: app.service.ids.next(0), withSecrets: true }, 'withSecrets'],
      [{ kind: 'list', resource: 'orders', format: 'csv', recipients: ['age1x'] }, 'recipients'],
      [{ kind: 'user' }, 'userId'],
      [{ kind: 'list', format: 'csv' }, 'resource'],
      [{ kind: 'list', resource: 'orders' }, 'format'],
    ] as const) {
      const answer = await ask(body);
      expect([answer.status, answer.body.error.details[0].path]).toEqual([400, field]);
    }
    await expectRefusal(ask({ kind: 'user', userId: app.service.ids.next(0) }), 404, 'not_found');
  });
});

/** What each secret column of the store holds. */
async function findSecrets(): Promise<string[]> {
  const secrets: string[] = [];
  for (const [table, columns] of Object.entries(SECRET_COLUMNS)) {
    for (const column of columns) {
      const { rows } = await app.service.pool.query<{ value: string | null }>(
        `select ${column}::text as value from ${table} where workspace_id = $1`,
        [app.test.scope.workspaceId],
      );
      secrets.push(...rows.flatMap(({ value }) => (value === null || value === '' ? [] : [value])));
    }
  }
  return secrets;
}

describe('an export of a user', () => {
  it('X49 holds each canary of theirs with their documents, and none of 50 others', async () => {
    const offerId = await makeOffer(app.test);
    const purchase = (name: string) =>
      buy(app.test, {
        offersIds: [offerId],
        userEmail: `${name}@canary.example`,
        billingDetails: { countryCode: 'DE', firstName: `First-${name}`, city: `City-${name}` },
        customFields: { guild: `Guild-${name}` },
      });
    for (let n = 0; n < OTHERS; n += 1) await purchase(`other-${n}-x`);
    const { order } = (await purchase('mine')).body.data;
    await app.wired.worker.runDue();
    const parts = await takeArchive({ kind: 'user', userId: order.user.id });
    expectManifest(parts);
    const text = String(parts.get('user.json'));
    for (const canary of ['mine@canary.example', 'First-mine', 'City-mine', 'Guild-mine', order.number])
      expect(text).toContain(canary);
    expect(text).not.toMatch(/other-\d+-x/);
    const data = JSON.parse(text);
    expect([data.orders.length, data.mails.length > 0, data.user.id]).toEqual([1, true, order.user.id]);
    const documents = [...parts.keys()].filter((name) => name.startsWith('documents/'));
    expect(documents).toEqual(
      data.documents.map(({ number }: { number: string }) => `documents/${number}.pdf`),
    );
    expect(documents).toHaveLength(1);
  });
});
