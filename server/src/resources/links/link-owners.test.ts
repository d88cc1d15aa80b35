import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { makeOffer } from '../../../test/support/make-catalogue.ts';
import { toLinkToken } from '../../domain/link-token.ts';

/** As many as one process may ask all nodes for in a second. */
const FAN_OUTS = 100;

let nowMs = 0;
let spread: TestApp;
let plain: TestApp;
beforeAll(async () => {
  spread = await createTestApp({ STORE_FORM: 'spread' }, undefined, { monotonicMs: () => nowMs });
  plain = await createTestApp({ STORE_FORM: 'plain' }, undefined, { monotonicMs: () => nowMs });
});
afterAll(async () => {
  await spread?.close();
  await plain?.close();
});
beforeEach(() => {
  nowMs += 60_000;
});

const get = (app: TestApp, url: string) => app.app.inject({ url });
const askUnknown = (app: TestApp, count: number) =>
  Promise.all(Array.from({ length: count }, () => get(app, `/checkout/${randomUUID()}`)));
const statusesOf = (answers: Array<{ statusCode: number }>) => [
  ...new Set(answers.map(({ statusCode }) => statusCode)),
];

describe('links without a workspace, of a store that is spread', () => {
  it('find offers and elements, and ask all nodes for each owner once', async () => {
    const { test, service } = spread;
    const offerId = await makeOffer(test);
    const element = await test.post('/v0/elements/checkout/create', { offersIds: [offerId] });
    const links = [`/checkout/${offerId}`, `/checkout-element/${element.body.data.checkoutElement.id}`];
    for (const link of links) expect((await get(spread, link)).statusCode).toBe(303);
    await askUnknown(spread, FAN_OUTS - links.length);
    // All that may be asked for in this second has been: what is known needs no asking.
    for (const link of [...links, ...links]) expect((await get(spread, link)).statusCode).toBe(303);
    const [offer] = await service.db.selectFrom('offers').select('workspaceId').execute();
    expect(await service.owners.find('offer', offerId)).toEqual({
      workspaceId: offer?.workspaceId,
      testMode: true,
    });
  });

  it('are 429 with Retry-After beyond a hundred unknown ids a second, and 404 again a second later', async () => {
    expect(statusesOf(await askUnknown(spread, FAN_OUTS))).toEqual([404]);
    const beyond = await get(spread, `/checkout/${randomUUID()}`);
    expect([beyond.statusCode, beyond.headers['retry-after']]).toEqual([429, '1']);
    expect((await get(spread, `/files/${randomUUID()}`)).statusCode).toBe(429);
    nowMs += 1_000;
    expect(statusesOf(await askUnknown(spread, FAN_OUTS))).toEqual([404]);
  });

  it('count for one however many ask for the same unknown id within a second', async () => {
    const id = randomUUID();
    const many = () =>
      Promise.all(Array.from({ length: FAN_OUTS * 2 }, () => get(spread, `/checkout/${id}`)));
    expect(statusesOf(await many())).toEqual([404]);
    await askUnknown(spread, FAN_OUTS - 1);
    expect(statusesOf(await many())).toEqual([404]);
    expect((await get(spread, `/checkout/${randomUUID()}`)).statusCode).toBe(429);
  });

  it('are found once they are there, a second after they were not', async () => {
    const offerId = await makeOffer(spread.test);
    const laterId = randomUUID();
    expect((await get(spread, `/checkout/${laterId}`)).statusCode).toBe(404);
    await spread.service.pool.query(
      `insert into offers select later.* from offers o,
        jsonb_populate_record(o, jsonb_build_object('id', $1::text)) later where o.id = $2`,
      [laterId, offerId],
    );
    expect((await get(spread, `/checkout/${laterId}`)).statusCode).toBe(404);
    nowMs += 1_000;
    expect((await get(spread, `/checkout/${laterId}`)).statusCode).toBe(303);
  });

  it('count tokens of before, which name no workspace, and none that names one', async () => {
    const old = () => randomBytes(24).toString('base64url');
    const named = () => toLinkToken(randomUUID(), randomBytes(24));
    const ask = (token: string) =>
      Promise.all(
        [`/checkout/${randomUUID()}/checkout/${token}`, `/pay/${token}`, `/invoices/${token}.pdf`].map(
          (url) => get(spread, url),
        ),
      );
    for (let n = 0; n < FAN_OUTS; n += 1) expect(statusesOf(await ask(named()))).toEqual([404]);
    for (let n = 0; n < 33; n += 1) expect(statusesOf(await ask(old()))).toEqual([404]);
    expect(statusesOf(await askUnknown(spread, 1))).toEqual([404]);
    expect(statusesOf(await ask(old()))).toEqual([429]);
    expect(statusesOf(await ask(named()))).toEqual([404]);
  });
});

it('a store that is not spread is asked each time, and nothing is counted', async () => {
  expect(statusesOf(await askUnknown(plain, FAN_OUTS + 50))).toEqual([404]);
});
