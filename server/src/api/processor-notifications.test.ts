import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { AUTHENTICATES, DISPUTED } from '../../test/support/cards.ts';
import { expectInvariants } from '../../test/support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';
import {
  beginTelling,
  makeTelling,
  openTelling,
  sign,
  type Telling,
  tell,
  toEvent,
} from '../../test/support/telling-processor.ts';
import { removeEnded } from '../flows/processors/tend-endpoints.ts';

let app: TestApp;
let told: Telling;
beforeAll(async () => {
  app = await createTestApp({ SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') });
  makeTelling(app);
  told = await openTelling(app, app.test);
});
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
});
beforeEach(() => app.service.db.deleteFrom('processorEvents').execute());

/** By what the processor knows a charge. */
async function readProcessorId(chargeId: string): Promise<string> {
  const { processorId } = await app.service.db
    .selectFrom('charges')
    .select('processorId')
    .where('id', '=', chargeId)
    .executeTakeFirstOrThrow();
  return processorId ?? '';
}

/** An order that waits for its buyer's authentication, which they have completed without telling us. */
async function approve(): Promise<{ orderId: string; chargeId: string; processorId: string }> {
  const { scope } = app.test;
  const { body } = await buy(app.test, { offersIds: [await makeOffer(app.test)], card: AUTHENTICATES });
  const [charge] = body.data.payment.charges;
  const processorId = await readProcessorId(charge.id);
  const nowMs = app.service.realNowMs();
  await app.service.payments.sandbox.authenticate({ scope, chargeId: charge.id, approve: true, nowMs });
  return { orderId: body.data.order.id, chargeId: charge.id, processorId };
}

const statusOf = async (orderId: string) =>
  (await app.test.get(`/v0/orders/${orderId}`)).body.data.order.status;
const readEvents = async (query: Record<string, string> = {}) =>
  (await app.test.get(`/v0/processors/${told.connectionId}/events/list`, { query })).body.data
    .processorEvents;

/** How often the processor is asked what became of a charge. */
function countLooks() {
  const { sandbox } = app.service.payments;
  const { lookUp } = sandbox;
  const looks: string[] = [];
  sandbox.lookUp = (reference) => {
    looks.push(reference.chargeId);
    return lookUp(reference);
  };
  const stop = () => {
    sandbox.lookUp = lookUp;
  };
  return { looks, stop };
}

describe('what a processor tells', () => {
  it('brings the look forward: what was paid elsewhere is PAID at once', async () => {
    const { orderId, processorId } = await approve();
    expect(await statusOf(orderId)).toBe('PENDING');
    expect(await tell(app, told, toEvent('payment_intent.succeeded', { id: processorId }))).toBe(200);
    await app.wired.worker.runDue();
    expect(await statusOf(orderId)).toBe('PAID');
    expect(await readEvents()).toMatchObject([
      { type: 'payment_intent.succeeded', status: 'done', tries: 0 },
    ]);
  });

  it('of a charge that is settled already is kept, and is nobody’s work', async () => {
    const { orderId, processorId } = await approve();
    await tell(app, told, toEvent('payment_intent.succeeded', { id: processorId }));
    await app.wired.worker.runDue();
    expect(await statusOf(orderId)).toBe('PAID');
    expect(await tell(app, told, toEvent('payment_intent.succeeded', { id: processorId }))).toBe(200);
    expect((await readEvents()).map(({ status }: { status: string }) => status)).toEqual(['ignored', 'done']);
    const work = app.service.db
      .selectFrom('dueWork')
      .select('kind')
      .where('kind', '=', 'read_processor_event');
    expect(await work.execute()).toEqual([]);
  });

  it('is believed in nothing: the processor is asked, and has the last word', async () => {
    const { body } = await buy(app.test, { offersIds: [await makeOffer(app.test)], card: AUTHENTICATES });
    const { id } = body.data.payment.charges[0];
    const { processorId } = await app.service.db
      .selectFrom('charges')
      .select('processorId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const object = { id: processorId, status: 'succeeded', amount_received: 1999 };
    expect(await tell(app, told, toEvent('payment_intent.succeeded', object))).toBe(200);
    await app.wired.worker.runDue();
    expect(await statusOf(body.data.order.id)).toBe('PENDING');
  });

  it('P33 told a thousand times it is one look, and each is answered with 200', async () => {
    const { orderId, chargeId, processorId } = await approve();
    const { looks, stop } = countLooks();
    const event = toEvent('payment_intent.succeeded', { id: processorId });
    const statuses = new Set<number>();
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => tell(app, told, event)));
      for (const status of answers) statuses.add(status);
    }
    await app.wired.worker.runDue();
    stop();
    expect([...statuses]).toEqual([200]);
    expect(looks.filter((id) => id === chargeId)).toHaveLength(1);
    expect(await statusOf(orderId)).toBe('PAID');
    // What is settled costs no call any more.
    const after = countLooks();
    await tell(app, told, toEvent('payment_intent.processing', { id: processorId }));
    await app.wired.worker.runDue();
    after.stop();
    expect(after.looks).toEqual([]);
    expect((await readEvents()).map(({ status }: { status: string }) => status)).toEqual(['ignored', 'done']);
  });

  it('keeps nothing of what it says but names', async () => {
    const { processorId } = await approve();
    const object = { id: processorId, client_secret: 'pi_1_secret_2', receipt_email: 'ada@example.com' };
    await tell(app, told, toEvent('payment_intent.succeeded', object));
    const rows = await app.service.db.selectFrom('processorEvents').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/secret|ada@/);
    await app.wired.worker.runDue();
  });
});

describe('P04 what a new endpoint tells before the call that makes it is answered', () => {
  const event = () => toEvent('payment_intent.succeeded', { id: 'pi_1' });

  it('waits for its secret, while the old one is heard at once', async () => {
    const { confirm, ...made } = await beginTelling(app, app.test);
    const early = tell(app, made, event());
    expect(await tell(app, told, event())).toBe(200);
    await confirm();
    expect(await early).toBe(200);
    expect(await readEvents()).toHaveLength(2);
  });

  it('is told again where that takes too long, and is nobody once it is given up', async () => {
    const made = await beginTelling(app, app.test);
    const endAt = (endsAt: number) =>
      app.service.db
        .updateTable('processorEndpoints')
        .set({ endsAt })
        .where('processorId', 'is', null)
        .execute();
    expect(await tell(app, made, event())).toBe(503);
    await endAt(app.service.realNowMs());
    expect(await tell(app, made, event())).toBe(404);
    expect(await tell(app, told, event(), { signature: null })).toBe(400);
    expect(await removeEnded(app.service)).toBe(1);
    expect(await readEvents()).toEqual([]);
  });
});

describe('P32 who is not believed changes nothing', () => {
  const event = () => toEvent('payment_intent.succeeded', { id: 'pi_1' });
  const body = JSON.stringify(event());
  const nothing = async () => expect(await readEvents()).toEqual([]);

  it.each([
    ['unsigned', () => null],
    ['signed with another secret', () => sign(body, ['whsec_wrong'])],
    ['signed 301 s ago', () => sign(body, [told.secret], Date.now() - 301_500)],
    ['signed an hour ahead', () => sign(body, [told.secret], Date.now() + 3_600_000)],
    ['signed without a time', () => sign(body, [told.secret]).replace(/^t=\d+,/, '')],
    ['signed as another version', () => sign(body, [told.secret]).replace('v1=', 'v0=')],
  ])('%s', async (_name, signature) => {
    expect(await tell(app, told, null, { body, signature: signature() })).toBe(400);
    await nothing();
  });

  it('written anew after it was signed', async () => {
    const signature = sign(JSON.stringify(event(), null, 2), [told.secret]);
    expect(await tell(app, told, null, { body: JSON.stringify(event()), signature })).toBe(400);
    await nothing();
  });

  it('at the address of another store', async () => {
    const other = await openTelling(app, app.other);
    expect(await tell(app, { path: other.path, secret: told.secret }, event())).toBe(400);
    await nothing();
  });

  it('at an address that is none', async () => {
    const [prefix] = told.path.split('.');
    for (const path of [`${prefix}.${'x'.repeat(43)}`, '/processor-events/x', `${told.path}x`]) {
      expect(await tell(app, { ...told, path }, event())).toBe(404);
    }
    await nothing();
  });

  it('at one that has ended', async () => {
    const { path, secret } = await openTelling(app, app.test);
    expect(await tell(app, { path, secret }, event())).toBe(200);
    await app.service.db.deleteFrom('processorEvents').execute();
    await app.service.db
      .updateTable('processorEndpoints')
      .set({ endsAt: 1 })
      .where('tokenHash', 'in', (eb) =>
        eb
          .selectFrom('processorEndpoints')
          .select('tokenHash')
          .orderBy('createdAt', 'desc')
          .orderBy('id', 'desc')
          .limit(1),
      )
      .execute();
    expect(await tell(app, { path, secret }, event())).toBe(404);
    // Nor is its secret heard at those that go on.
    expect(await tell(app, { path: told.path, secret }, event())).toBe(400);
    await nothing();
  });

  it('of the other mode', async () => {
    expect(await tell(app, told, { ...event(), livemode: true })).toBe(200);
    await nothing();
  });

  it('larger than a mebibyte', async () => {
    const large = JSON.stringify({ ...event(), filler: 'x'.repeat(1024 * 1024) });
    expect(await tell(app, told, null, { body: large, signature: sign(large, [told.secret]) })).toBe(413);
    await nothing();
  });

  it('but of two signatures one does, and either secret while one replaces the other', async () => {
    const one = JSON.stringify(event());
    expect(await tell(app, told, null, { body: one, signature: sign(one, ['whsec_old', told.secret]) })).toBe(
      200,
    );
    const next = await openTelling(app, app.test);
    for (const secret of [told.secret, next.secret]) {
      expect(await tell(app, { path: next.path, secret }, event())).toBe(200);
    }
    expect(await readEvents()).toHaveLength(3);
    await app.wired.worker.runDue();
  });
});

it('by another method is 405, whatever the token', async () => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const) {
    const answer = await app.app.inject({ method, url: told.path });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe('POST');
  }
});

describe('P36 what is not understood', () => {
  it('is answered with 200, and what is about nothing of ours is ignored', async () => {
    const strange = [
      toEvent('invoice.paid', { id: 'in_1' }),
      toEvent('payment_intent.succeeded', {}),
      toEvent('charge.dispute.created', { id: 'du_1' }),
      toEvent('refund.updated', { id: 're_1', payment_intent: { id: 'pi_none' } }),
      toEvent('payment_intent.succeeded', { id: 'pi_none', status: 'a_new_word' }),
      { ...toEvent('payment_intent.succeeded', { id: 'pi_1' }), id: 7 },
      { ...toEvent('payment_intent.succeeded', { id: 'pi_1' }), data: null },
      { ...toEvent('__proto__', { id: 'pi_1' }) },
      [],
      null,
    ];
    for (const event of strange) expect(await tell(app, told, event)).toBe(200);
    expect(await tell(app, told, null, { body: '{', signature: sign('{', [told.secret]) })).toBe(200);
    await app.wired.worker.runDue();
    const kept = await readEvents();
    expect(kept.map(({ status }: { status: string }) => status)).toEqual(['ignored', 'ignored', 'ignored']);
  });

  it('is answered with 200 and not kept where nothing can bear its names', async () => {
    const paid = 'payment_intent.succeeded';
    const long = app.service.ids.randomBytes(4000).reduce((text, byte) => text + byte.toString(16), 'evt_');
    const strange = [
      toEvent(paid, { id: 'pi_\u0000' }),
      toEvent(paid, { id: `pi_${long}` }),
      toEvent(paid, { id: 'pi_1' }, { id: 'evt_\u0000' }),
      toEvent(paid, { id: 'pi_1' }, { id: long }),
      toEvent('refund.updated', { id: 're_1', payment_intent: 'pi_\u0000' }),
    ];
    for (const event of strange) expect(await tell(app, told, event)).toBe(200);
    expect(await readEvents()).toEqual([]);
  });

  it('is parked after eight tries, and told of once; others pass, and it is read again by hand', async () => {
    const { orderId, processorId } = await approve();
    const { db } = app.service;
    await tell(app, told, toEvent('payment_intent.succeeded', { id: processorId }));
    // As a later version may have written it.
    await db.updateTable('processorEvents').set({ objectKind: 'comet' }).execute();
    for (let tries = 1; tries <= 8; tries += 1) {
      await db
        .updateTable('dueWork')
        .set({ dueMs: 0, dueRealMs: 0 })
        .where('kind', '=', 'read_processor_event')
        .execute();
      await app.wired.worker.runDue();
      const [event] = await readEvents();
      expect(event).toMatchObject({ tries, status: tries < 8 ? 'waiting' : 'parked' });
      expect(event.lastError).toContain('comet');
    }
    const another = await approve();
    await tell(app, told, toEvent('payment_intent.succeeded', { id: another.processorId }));
    await app.wired.worker.runDue();
    expect(await statusOf(another.orderId)).toBe('PAID');
    expect(await statusOf(orderId)).toBe('PENDING');
    const mails = await db
      .selectFrom('mails')
      .select('params')
      .where('kind', '=', 'processor_event_parked')
      .execute();
    expect(mails).toHaveLength(1);

    const [parked] = await readEvents({ status: 'parked' });
    await db
      .updateTable('processorEvents')
      .set({ objectKind: 'charge' })
      .where('id', '=', parked.id)
      .execute();
    const retry = `/v0/processors/${told.connectionId}/events/${parked.id}/retry`;
    const { body, text } = await app.test.post(retry);
    expect(body.data?.processorEvent, text).toMatchObject({ status: 'waiting', tries: 0 });
    await app.wired.worker.runDue();
    expect(await statusOf(orderId)).toBe('PAID');
    expect((await app.other.post(retry)).status).toBe(404);
  });
});

describe('a dispute that is told of', () => {
  it('P34 before the charge that it is about is settled waits for that', async () => {
    const { orderId, chargeId, processorId } = await approve();
    await tell(app, told, toEvent('charge.dispute.closed', { id: 'du_2', payment_intent: processorId }));
    await tell(app, told, toEvent('payment_intent.succeeded', { id: processorId }));
    await app.wired.worker.runDue();
    expect(await statusOf(orderId)).toBe('PAID');
    expect(await readEvents({ status: 'waiting' })).toMatchObject([
      { type: 'charge.dispute.closed', tries: 0 },
    ]);
    const { lookUpDisputes } = app.service.payments.sandbox;
    const asked: string[] = [];
    app.service.payments.sandbox.lookUpDisputes = (reference) => {
      asked.push(reference.chargeId);
      return lookUpDisputes(reference);
    };
    const { db } = app.service;
    await db
      .updateTable('dueWork')
      .set({ dueMs: 0, dueRealMs: 0 })
      .where('kind', '=', 'read_processor_event')
      .execute();
    await app.wired.worker.runDue();
    app.service.payments.sandbox.lookUpDisputes = lookUpDisputes;
    expect(asked).toEqual([chargeId]);
    expect(await readEvents({ status: 'waiting' })).toEqual([]);
    expect(await statusOf(orderId)).toBe('PAID');
  });

  it('is looked at', async () => {
    const { body } = await buy(app.test, { offersIds: [await makeOffer(app.test)], card: DISPUTED });
    const [charge] = body.data.payment.charges;
    const processorId = await readProcessorId(charge.id);
    await tell(app, told, toEvent('charge.dispute.created', { id: 'du_1', payment_intent: processorId }));
    await app.wired.worker.runDue();
    expect(await readEvents({ status: 'done' })).toHaveLength(1);
    const due = await app.service.db
      .selectFrom('dueWork')
      .select('kind')
      .where('refId', '=', charge.id)
      .execute();
    expect(due).toEqual([{ kind: 'watch_dispute' }]);
  });
});
