import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createReceiver, type Receiver } from '../../../test/support/receiver.ts';
import { createEgress, type Egress } from '../../net/safe-fetch.ts';
import { createVies } from './vies.ts';

const ASKED_AT = 1_795_000_000_000;

let register: Receiver;
let egress: Egress;
beforeAll(async () => {
  register = await createReceiver();
  egress = createEgress({ allowCidrs: ['127.0.0.0/8'] });
});
afterEach(() => register.reset());
afterAll(async () => {
  await egress.close();
  await register.close();
});

/** Asks the stand-in, through the real way out, with less patience than a checkout has. */
function ask(number: string, timeoutMs = 2_000) {
  const send: Parameters<typeof createVies>[0]['send'] = (outgoing) =>
    egress.send({ ...outgoing, timeoutMs: Math.min(timeoutMs, outgoing.timeoutMs) });
  return createVies({ url: register.url, send, nowMs: () => ASKED_AT }).ask(number);
}

const json = (value: unknown, status = 200) => ({ status, body: JSON.stringify(value) });

describe('VIES', () => {
  it('is asked for country and number apart, and its yes is kept with time and reference', async () => {
    register.script(
      json({ countryCode: 'EL', vatNumber: '094259216', valid: true, requestIdentifier: 'WAPI42' }),
    );
    expect(await ask('EL094259216')).toEqual({
      register: 'vies',
      number: 'EL094259216',
      outcome: 'valid',
      askedAt: ASKED_AT,
      detail: null,
      reference: 'WAPI42',
    });
    const [request] = register.requests;
    expect([request?.method, request?.path]).toEqual(['POST', '/check-vat-number']);
    expect(JSON.parse(String(request?.raw))).toEqual({ countryCode: 'EL', vatNumber: '094259216' });
  });

  it('says no', async () => {
    register.script(json({ valid: false, name: '---', requestIdentifier: '' }));
    expect(await ask('DE136695976')).toMatchObject({ outcome: 'invalid', detail: null, reference: null });
  });

  it.each([
    [
      'an error of the member state',
      json({ actionSucceed: false, errorWrappers: [{ error: 'MS_UNAVAILABLE' }] }),
      'MS_UNAVAILABLE',
    ],
    [
      'the same with a status',
      json({ errorWrappers: [{ error: 'MS_MAX_CONCURRENT_REQ' }] }, 500),
      'MS_MAX_CONCURRENT_REQ',
    ],
    ['an error beside a no', json({ valid: false, userError: 'TIMEOUT' }), 'TIMEOUT'],
    ['a status alone', { status: 503, body: '<html>' }, 'status 503'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1/' } }, 'status 302'],
    ['another form', json({ valid: 'yes' }), 'an answer of another form'],
    ['no JSON', { status: 200, body: 'true' }, 'an answer of another form'],
    ['a cut connection', 'cut' as const, 'connection'],
  ])('has no answer after %s', async (_name, answer, detail) => {
    register.script(answer);
    expect(await ask('FR40303265045')).toMatchObject({ outcome: 'no_answer', detail, reference: null });
  });

  it('has no answer when time is up, and asks for no more than 5 s', async () => {
    register.script('hang');
    expect(await ask('FR40303265045', 150)).toMatchObject({ outcome: 'no_answer', detail: 'timeout' });
    let allowedMs = 0;
    const vies = createVies({
      url: register.url,
      nowMs: () => ASKED_AT,
      send: async ({ timeoutMs }) => {
        allowedMs = timeoutMs;
        return { kind: 'failed', error: 'timeout' };
      },
    });
    await vies.ask('FR40303265045');
    expect(allowedMs).toBe(5_000);
  });
});
