/** A store that sells while it is exported: its file is of one moment, and the store that is made of it goes on from there. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBroken } from '../../src/main/operators/find-broken.ts';
import { EXPORTED_RESOURCES } from '../../src/resources/exports/exports.schema.ts';
import { buy } from '../support/buying.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import {
  linesOf,
  makeFolder,
  openPlace,
  type Place,
  readParts,
  takeStoreFile,
} from '../support/restoring.ts';

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp({ DATA_DIR: makeFolder() });
  offerId = await makeOffer(app.test);
  expect((await buy(app.test, { offersIds: [offerId] })).status).toBe(200);
});
afterAll(() => app.close());

describe('an export of a store that sells', () => {
  it('X46 under 100 requests a second is of one moment: each list is answered elsewhere as the file holds it, and the next number follows', async () => {
    const paceMs = 10;
    let isOver = false;
    const statuses = new Set<number>();
    const running = new Set<Promise<void>>();
    const one = async (turn: number) => {
      const answer =
        turn % 10 === 0
          ? await buy(app.test, { offersIds: [offerId] })
          : await app.test.get('/v0/orders/list?take=5');
      statuses.add(answer.status);
    };
    const load = (async () => {
      for (let turn = 0; !isOver; turn += 1) {
        const request: Promise<void> = one(turn).finally(() => running.delete(request));
        running.add(request);
        if (running.size >= 16) await Promise.race(running);
        await delay(paceMs);
      }
      await Promise.all(running);
    })();
    const file = await takeStoreFile(app, app.test).finally(() => {
      isOver = true;
    });
    await load;
    expect([...statuses]).toEqual([200]);
    const parts = await readParts(file);
    const place = await openPlace({}, false);
    try {
      const restored = await place.restore(file);
      const secret = restored.renewed.find(({ of }) => of === app.test.keys.publicKey)?.secret ?? '';
      const keys = { publicKey: app.test.keys.publicKey, secretKey: secret };
      const compared: string[] = [];
      for (const resource of EXPORTED_RESOURCES) {
        if (OF_THE_PLACE.has(resource)) continue;
        const held = linesOf(parts.get(`objects/${resource}.jsonl`)).map(withoutSecret);
        expect([resource, await walk(place, keys, resource)]).toEqual([resource, held]);
        if (held.length > 0) compared.push(resource);
      }
      expect(compared).toEqual(expect.arrayContaining(['orders', 'payments', 'events', 'invoices', 'users']));
      expect(await findBroken(place.wired.service.db, [])).toEqual([]);
      const numbers = linesOf(parts.get('objects/invoices.jsonl')).map(({ number }) => toSequence(number));
      const bought = await place.wired.app.inject({
        ...{ method: 'POST', url: '/v0/test-purchases/create' },
        headers: { 'x-svc-public-key': keys.publicKey, 'x-svc-secret-key': keys.secretKey },
        payload: {
          offersIds: [offerId],
          userEmail: 'next@example.com',
          billingDetails: { countryCode: 'DE' },
        },
      });
      expect(bought.statusCode, bought.payload).toBe(200);
      expect(toSequence(bought.json().data.payment.invoiceNumber)).toBe(Math.max(...numbers) + 1);
    } finally {
      await place.close();
    }
  });
});

const toSequence = (number: string) => Number(number.split('-').at(-1));

/** Each row of a list, by its pages. */
async function walk(place: Place, keys: Parameters<Place['get']>[1], resource: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await place.get(
      `${PATHS[resource] ?? `/v0/${resource}/list`}?take=100${cursor}`,
      keys,
    );
    expect([resource, status, body.error]).toEqual([resource, 200, undefined]);
    rows.push(...(Object.values(body.data).find(Array.isArray) ?? []).map(withoutSecret));
    if (!body.data.hasMore) return rows;
    cursor = `&cursor=${encodeURIComponent(body.data.cursor)}`;
  }
}

/** Lists that stand elsewhere than their name says. */
const PATHS: Record<string, string> = {
  elements: '/v0/elements/checkout/list',
  ledger: '/v0/ledger/entries/list',
  requests: '/v0/request-log/list',
};

/** Who gets in there, and what was asked and done there since: `there-and-back.test.ts` compares the rows of the others. */
const OF_THE_PLACE: ReadonlySet<string> = new Set(['requests', 'audit-log', 'api-keys', 'members']);

/** A secret is shown in part, and is a new one there. */
const withoutSecret = (row: object) => ('secret' in row ? { ...row, secret: null } : row);
