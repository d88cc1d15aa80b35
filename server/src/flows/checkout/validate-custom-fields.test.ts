import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buy } from '../../../test/support/buying.ts';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { makeOffer } from '../../../test/support/make-catalogue.ts';
import { createReceiver, type Receiver, verifySignature } from '../../../test/support/receiver.ts';

const REFUSED = { status: 400, code: 'custom_field_invalid' };
const SECRET = 'a-secret-of-sixteen-signs';

let app: TestApp;
let receiver: Receiver;
let offerId: string;

beforeAll(async () => {
  app = await createTestApp({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  receiver = await createReceiver();
  offerId = await makeOffer(app.test);
  const field = { key: 'steamId', label: 'Steam id', type: 'text', required: false };
  const validator = { validationUrl: `${receiver.url}/check`, validationSecret: SECRET };
  expect((await app.test.post('/v0/custom-fields/create', { ...field, ...validator })).status).toBe(200);
});
beforeEach(() => receiver.reset());
afterAll(async () => {
  await app.close();
  await receiver.close();
});

const order = (customFields: Record<string, string>) => buy(app.test, { offersIds: [offerId], customFields });

describe("the merchant's validator of a custom field", () => {
  it('is asked with the value, signed like a webhook, and its 200 lets the purchase through', async () => {
    const { body } = await order({ steamId: '76561' });
    expect(body.data.order.status).toBe('PAID');
    const [request] = receiver.requests;
    expect(request?.path).toBe('/check');
    expect(JSON.parse(String(request?.raw))).toEqual({ steamId: '76561' });
    expect(request && verifySignature(request, SECRET)).toBe(true);
  });

  it.each([204, 400, 500])('refuses the value with a %i, and nothing is bought', async (status) => {
    receiver.script({ status });
    const answer = await order({ steamId: 'wrong' });
    expect({ status: answer.status, code: answer.body.error.code }).toEqual(REFUSED);
    expect(answer.body.error.message).toBe('customFields.steamId is not valid');
  });

  it('that breaks off makes the value not valid, with a word on trying again', async () => {
    receiver.script('cut');
    const answer = await order({ steamId: '1' });
    expect({ status: answer.status, code: answer.body.error.code }).toEqual(REFUSED);
    expect(answer.body.error.message).toContain('try again');
    expect(answer.body.error.details).toMatchObject([{ path: 'customFields.steamId', retry: true }]);
  });

  it('is not asked about a field that was left out', async () => {
    expect((await order({})).status).toBe(200);
    expect(receiver.requests).toEqual([]);
  });
});
