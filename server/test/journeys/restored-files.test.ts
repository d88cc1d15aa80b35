/** A store that was exported, or a whole installation that was backed up, becomes a store again elsewhere. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashPassword } from '../../src/flows/accounts/passwords.ts';
import { findBroken } from '../../src/main/operators/find-broken.ts';
import { createOpener, createSealer } from '../../src/providers/files/age.ts';
import { buy } from '../support/buying.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import {
  linesOf,
  makeFolder,
  openPlace,
  readParts,
  takeBackup,
  takeStoreFile,
} from '../support/restoring.ts';

let app: TestApp;
let offerId: string;
let invoicePath: string;
beforeAll(async () => {
  app = await createTestApp({ DATA_DIR: makeFolder() });
  offerId = await makeOffer(app.test);
  const planId = await makePlanOffer(app.test, { price: 900, recurringInterval: 'month' });
  await app.test.post('/v0/webhooks/create', { url: 'https://8.8.8.8/hook', events: ['payment_success'] });
  for (const offersIds of [[offerId], [offerId], [planId]])
    expect((await buy(app.test, { offersIds })).status).toBe(200);
  const [order] = (await app.test.get('/v0/orders/list')).body.data.orders.slice(-1);
  expect((await app.test.post(`/v0/orders/${order.id}/refunds`, { amount: 100 })).status).toBe(200);
  const { body } = await app.test.get('/v0/invoices/list');
  invoicePath = new URL(body.data.invoices[0].url).pathname;
  expect((await app.app.inject({ url: invoicePath })).statusCode).toBe(200);
});
afterAll(() => app.close());

describe('an export of a store', () => {
  it('X46 answers elsewhere what the file holds, and keeps every rule', async () => {
    const file = await takeStoreFile(app, app.test);
    const parts = await readParts(file);
    const place = await openPlace({}, false);
    try {
      const restored = await place.restore(file);
      expect(restored).toMatchObject({ made: ['owner@first.example'], invited: [] });
      const secret = restored.renewed.find(({ of }) => of === app.test.keys.publicKey)?.secret ?? '';
      expect(restored.renewed.map(({ of }) => of)).toContain('https://8.8.8.8/hook');
      const keys = { publicKey: app.test.keys.publicKey, secretKey: secret };
      for (const resource of [
        'orders',
        'payments',
        'subscriptions',
        'users',
        'invoices',
        'events',
        'products',
      ]) {
        const { body } = await place.get(`/v0/${resource}/list?take=100`, keys);
        expect(body.data[resource]).toEqual(linesOf(parts.get(`objects/${resource}.jsonl`)));
      }
      expect(await findBroken(place.wired.service.db, [])).toEqual([]);
      const { body } = await place.get('/v0/ledger/proof', keys);
      expect(body.data.proof).toMatchObject({ ok: true, differences: [] });
      expect((await place.get('/v0/orders/list', app.test.keys)).status).toBe(401);
      const pdf = await place.wired.app.inject({ url: invoicePath });
      expect([pdf.statusCode, pdf.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-']);
    } finally {
      await place.close();
    }
  });

  it('X47 with one byte changed is refused, and the store stays empty', async () => {
    const bytes = await readFile(await takeStoreFile(app, app.test));
    const place = await openPlace();
    try {
      for (const share of [0.1, 0.9]) {
        const changed = Buffer.from(bytes);
        const at = Math.floor(changed.length * share);
        changed[at] = (changed[at] ?? 0) ^ 1;
        const file = path.join(makeFolder(), 'changed.tar.gz');
        await writeFile(file, changed);
        await expect(place.restore(file)).rejects.toMatchObject({ name: 'RestoreError' });
      }
      const { rows } = await place.wired.service.pool.query(
        `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
      );
      expect(rows).toEqual([]);
    } finally {
      await place.close();
    }
  });
});

describe('a backup', () => {
  it('X48 that is sealed is read by nobody without the key, and an export holds no secret', async () => {
    const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
    const identity = await generateX25519Identity();
    const seal = await createSealer({ recipients: [await identityToRecipient(identity)], passphrase: null });
    const { rows } = await app.service.pool.query<{ secret: string }>(
      'select secret from webhooks where workspace_id = $1',
      [app.test.scope.workspaceId],
    );
    const secret = String(rows[0]?.secret);
    const open = await takeBackup(app);
    expect((await stat(open)).mode & 0o777).toBe(0o600);
    expect(String((await readParts(open)).get('rows/webhooks.jsonl'))).toContain(secret);
    const ofStore = await readParts(await takeStoreFile(app, app.test));
    for (const [name, part] of ofStore) expect([name, part.includes(secret)]).toEqual([name, false]);
    const sealed = await takeBackup(app, seal);
    const place = await openPlace({}, false);
    try {
      const stranger = async () =>
        createOpener({ identities: [await generateX25519Identity()], passphrase: null });
      await expect(place.restore(sealed, { askKeys: stranger })).rejects.toMatchObject({
        name: 'RestoreError',
      });
      const askKeys = () => createOpener({ identities: [identity], passphrase: null });
      expect((await place.restore(sealed, { askKeys })).renewed).toEqual([]);
      expect((await place.get('/v0/orders/list', app.test.keys)).status).toBe(200);
    } finally {
      await place.close();
    }
  });

  it('X46 brings its people along: the Owner signs in as before', async () => {
    const password = 'Correct-Horse-7-Battery';
    await app.service.db
      .updateTable('accounts')
      .set({ passwordHash: await hashPassword(password), emailProvedAt: Date.now() })
      .where('emailNormal', '=', 'owner@first.example')
      .execute();
    const file = await takeBackup(app);
    const place = await openPlace({}, false);
    try {
      await place.restore(file);
      expect((await place.get('/v0/orders/list', app.test.keys)).body.data.count).toBe(3);
      const signedIn = await place.wired.app.inject({
        ...{ method: 'POST', url: '/v0/session' },
        headers: {
          'content-type': 'application/json',
          origin: 'http://localhost:3000',
          'sec-fetch-site': 'same-origin',
        },
        payload: { email: 'owner@first.example', password },
      });
      expect(signedIn.statusCode, signedIn.payload).toBe(200);
      expect(await findBroken(place.wired.service.db, [])).toEqual([]);
    } finally {
      await place.close();
    }
  });
});
