/**
 * A kind of processor whose objects are made before they take money: here the sandbox's own charges, named first. Its
 * process may die, stall or be late at any place between; money is taken once, and only by what our row names.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ChargeRequest, PaymentProvider } from '../../src/providers/payment/payment-provider.ts';
import { createPaymentProviders } from '../../src/providers/payment/registry.ts';
import type { Sandbox } from '../../src/providers/payment/sandbox/sandbox.ts';
import { buy } from '../support/buying.ts';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { subscribe } from '../support/subscribing.ts';

let app: TestApp;
let offerId: string;
let realNowMs = () => Date.now();
/** What happens to the next calls; each is taken away by the test that put it. */
let faults: { prepare?: (real: () => Prepared) => Prepared; charge?: (real: () => Charged) => Charged } = {};
type Prepared = ReturnType<NonNullable<PaymentProvider['prepare']>>;
type Charged = ReturnType<PaymentProvider['charge']>;

beforeAll(async () => {
  app = await createTestApp({}, undefined, { realNowMs: () => realNowMs() });
  offerId = await makeOffer(app.test);
  makePrepare(app);
});
afterEach(async () => {
  faults = {};
  realNowMs = () => Date.now();
  await expectInvariants(app);
});
afterAll(() => app.close());

const toObject = ({ chargeId }: Pick<ChargeRequest, 'chargeId'>) => `sbx_ch_${chargeId}`;

function makePrepare({ service }: TestApp): void {
  const { sandbox } = service.payments;
  const preparing: Sandbox = {
    ...sandbox,
    prepare: (request) => {
      const real = async () => ({ kind: 'prepared' as const, processorId: toObject(request) });
      return faults.prepare ? faults.prepare(real) : real();
    },
    charge: async (request) => {
      // Whatever asks for money, the row names the object by then.
      expect(await readRow(request.chargeId)).toMatchObject({ processorId: toObject(request) });
      expect(request.processorId).toBe(toObject(request));
      const real = () => sandbox.charge(request);
      return faults.charge ? faults.charge(real) : real();
    },
  };
  const options = { kinds: [], timeoutMs: 8_000, realNowMs: () => realNowMs(), onFailure: () => {} };
  Object.assign(service.payments, createPaymentProviders({ sandbox: preparing, ...options }));
}

async function readRow(chargeId: string) {
  const { rows } = await app.service.pool.query(
    `select c.processor_id as "processorId", c.status, c.called_off_at is not null as "isCalledOff",
       s.status as there
     from charges c left join sandbox_charges s on s.id = c.id where c.id = $1`,
    [chargeId],
  );
  return rows[0];
}

const paymentOf = async (id: string) => (await app.test.get(`/v0/payments/${id}`)).body.data.payment;
const pass = (ms: number) => advance(app, app.test.scope, ms);
const lost = () => Promise.reject(new Error('the process died'));

async function begin(fields: Record<string, unknown> = {}) {
  const { status, body } = await buy(app.test, { offersIds: [offerId], ...fields });
  expect(status).toBe(200);
  const { id, status: paymentStatus, charges } = body.data.payment;
  return { id, status: paymentStatus, chargeId: charges[0].id };
}

describe('P05 a purchase by a kind that prepares', () => {
  it('is paid by the object that its row names', async () => {
    const { id, chargeId } = await begin();
    expect(await paymentOf(id)).toMatchObject({ status: 'PAID' });
    expect(await readRow(chargeId)).toMatchObject({ status: 'succeeded', there: 'succeeded' });
  });

  it('is refunded by it', async () => {
    const { body } = await buy(app.test, { offersIds: [offerId] });
    const refund = await app.test.post(`/v0/orders/${body.data.order.id}/refunds`, {});
    expect(refund.body.data.refund).toMatchObject({ status: 'succeeded' });
  });

  it('whose process dies before the object is named takes no money, and may be tried again', async () => {
    faults.prepare = async (real) => {
      await real();
      return lost();
    };
    const { id, status, chargeId } = await begin();
    expect(status).toBe('PENDING');
    expect(await readRow(chargeId)).toMatchObject({ processorId: null });
    faults = {};
    await pass(MINUTE_MS);
    expect(await paymentOf(id)).toMatchObject({ status: 'FAILED' });
    // Nobody was asked: the row says that none is to be named.
    expect(await readRow(chargeId)).toMatchObject({ isCalledOff: true, there: null });
  });

  it('whose process dies once it is named takes no money, and the object is cancelled', async () => {
    faults.charge = lost;
    const { id, chargeId } = await begin();
    faults = {};
    await pass(MINUTE_MS);
    expect(await paymentOf(id)).toMatchObject({ status: 'FAILED' });
    expect(await readRow(chargeId)).toMatchObject({
      processorId: toObject({ chargeId }),
      there: 'cancelled',
    });
  });

  it('whose answer is lost after the money was taken is PAID by one taking', async () => {
    faults.charge = async (real) => {
      await real();
      return lost();
    };
    const { id, chargeId } = await begin();
    expect(await paymentOf(id)).toMatchObject({ status: 'PENDING' });
    await pass(MINUTE_MS);
    expect(await paymentOf(id)).toMatchObject({ status: 'PAID' });
    expect(await readRow(chargeId)).toMatchObject({ there: 'succeeded' });
  });

  it('that was called off while its object was being made asks for no money', async () => {
    let release: () => void = () => {};
    const stalled = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isBegun: () => void = () => {};
    const begun = new Promise<void>((resolve) => {
      isBegun = resolve;
    });
    faults.prepare = async (real) => {
      isBegun();
      await stalled;
      return real();
    };
    faults.charge = () => {
      throw new Error('money was asked for');
    };
    const bought = begin();
    await begun;
    await pass(MINUTE_MS);
    release();
    const { id, chargeId } = await bought;
    expect(await paymentOf(id)).toMatchObject({ status: 'FAILED' });
    expect(await readRow(chargeId)).toMatchObject({ processorId: null, there: 'cancelled' });
  });

  it('P24 that is sent too late is not sent', async () => {
    faults.prepare = async (real) => {
      const fromMs = Date.now();
      realNowMs = () => fromMs + app.service.config.processorSendWithinMs + 1;
      return real();
    };
    const { id, chargeId } = await begin();
    realNowMs = () => Date.now();
    faults = {};
    expect(await readRow(chargeId)).toMatchObject({ processorId: toObject({ chargeId }), there: null });
    await pass(MINUTE_MS);
    expect(await paymentOf(id)).toMatchObject({ status: 'FAILED' });
  });
});

describe('a renewal by a kind that prepares', () => {
  it.each(['before the object is named', 'once it is named', 'after the money was taken'])(
    'whose worker dies %s is paid once, by the same charge',
    async (moment) => {
      const planId = await makePlanOffer(app.test, { price: 1000 });
      const { id } = await subscribe(app, planId);
      const fails = { isLeft: true };
      const once = async <T>(before: () => Promise<T>, real: () => Promise<T>) => {
        if (!fails.isLeft) return real();
        fails.isLeft = false;
        return before();
      };
      if (moment.startsWith('before')) faults.prepare = (real) => once(lost, real);
      else if (moment.startsWith('once')) faults.charge = (real) => once(lost, real);
      else {
        const after = (real: () => Charged) => real().then(lost);
        faults.charge = (real) => once(() => after(real), real);
      }
      await pass(32 * DAY_MS);
      const { rows } = await app.service.pool.query(
        `select p.status, count(c.id)::int as charges, count(s.id) filter (where s.status = 'succeeded')::int as taken
         from payments p join charges c on c.payment_id = p.id left join sandbox_charges s on s.id = c.id
         where p.subscription_id = $1 and p.type = 'subscription_interval' group by p.id, p.status`,
        [id],
      );
      expect(fails.isLeft).toBe(false);
      expect(rows).toEqual([{ status: 'PAID', charges: 1, taken: 1 }]);
    },
  );
});
