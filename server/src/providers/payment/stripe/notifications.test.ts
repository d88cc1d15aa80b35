import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, readStripeNotification } from './notifications.ts';

const AT_S = 1_800_000_000;
const SECRET = 'whsec_1';

const toBody = (type: string, object: unknown) =>
  JSON.stringify({ id: 'evt_1', livemode: false, created: AT_S - 5, type, data: { object } });

function read(body: string, { lateS = 0, secrets = [SECRET], isLive = false } = {}) {
  const signature = createHmac('sha256', SECRET).update(`${AT_S}.${body}`).digest('hex');
  const headers = { 'stripe-signature': `t=${AT_S},v1=${signature}` };
  const raw = { body: Buffer.from(body), headers, secrets, realNowMs: (AT_S + lateS) * 1000 };
  return readStripeNotification(raw, isLive);
}

describe('P32 a signature', () => {
  const body = toBody('payment_intent.succeeded', { id: 'pi_1' });

  it.each([
    [-301, 'unsigned'],
    [-300, 'noted'],
    [0, 'noted'],
    [300, 'noted'],
    [301, 'unsigned'],
  ])('that is read %d s after it was made is %s', (lateS, kind) => {
    expect(read(body, { lateS }).kind).toBe(kind);
  });

  it('of any secret that is heard does', () => {
    expect(read(body, { secrets: ['whsec_2', SECRET] }).kind).toBe('noted');
    expect(read(body, { secrets: ['whsec_2'] }).kind).toBe('unsigned');
    expect(read(body, { secrets: [] }).kind).toBe('unsigned');
  });

  it('of the other mode is nobody’s here', () => {
    expect(read(body, { isLive: true })).toEqual({ kind: 'ignored' });
  });
});

describe('what is told', () => {
  const objectOf = (type: string, object: unknown) => {
    const reading = read(toBody(type, object));
    return reading.kind === 'noted' ? reading.notification : reading.kind;
  };

  it('names what it is about, and nothing else', () => {
    expect(objectOf('payment_intent.succeeded', { id: 'pi_1', client_secret: 'x' })).toEqual({
      id: 'evt_1',
      type: 'payment_intent.succeeded',
      happenedAtMs: (AT_S - 5) * 1000,
      object: { kind: 'charge', processorId: 'pi_1', ofCharge: null, ownId: null },
    });
  });

  it('of a refund names the charge, and our refund where it says so', () => {
    const ownId = '01985a8e-0000-7000-8000-000000000001';
    for (const payment_intent of ['pi_1', { id: 'pi_1' }]) {
      const told = objectOf('refund.updated', { id: 're_1', payment_intent, metadata: { cf_refund: ownId } });
      expect(told).toMatchObject({
        object: { kind: 'refund', processorId: 're_1', ofCharge: 'pi_1', ownId },
      });
    }
    const foreign = objectOf('refund.failed', { id: 're_1', metadata: { cf_refund: "' or 1" } });
    expect(foreign).toMatchObject({ object: { ofCharge: null, ownId: null } });
  });

  it.each(Object.keys(EVENT_TYPES))('%s without its object is ignored', (type) => {
    for (const object of [null, {}, { id: 7 }, 'pi_1']) expect(objectOf(type, object)).toBe('ignored');
  });
});
