import { afterAll, beforeAll, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectEn16931 } from '../support/expect-en16931.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { readPdf } from '../support/read-pdf.ts';
import { subscribe } from '../support/subscribing.ts';

const TAX = 'ApplicableHeaderTradeSettlement/ApplicableTradeTax';
const SUMS = 'ApplicableHeaderTradeSettlement/SpecifiedTradeSettlementHeaderMonetarySummation';
const LINE = 'IncludedSupplyChainTradeLineItem';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  const answer = await app.test.patch('/v0/settings/update', {
    sellerCountry: 'DE',
    seller: { name: 'Acme & Söhne GmbH', taxNumber: 'DE136695976' },
  });
  expect(answer.status).toBe(200);
});
afterAll(() => app.close());

/** What lies in the PDF behind a link. */
async function openXml(url: string) {
  const { rawPayload } = await app.app.inject({ method: 'GET', url: new URL(url).pathname });
  return (await readPdf(rawPayload)).attachments['factur-x.xml'];
}

async function read(url: string) {
  return expectEn16931((await openXml(url)) ?? '');
}

async function buyOne(offer: Record<string, unknown>, body: Record<string, unknown> = {}) {
  const answer = await buy(app.test, { offersIds: [await makeOffer(app.test, offer)], ...body });
  expect(answer.text).toContain('"PAID"');
  return answer.body.data.payment;
}

it('lies in the invoice of a sale, and in the note of a refund of it', async () => {
  const payment = await buyOne({ price: 4999, currency: 'EUR' });
  const { text } = await read(payment.invoiceUrl);
  expect(text(`${TAX}/RateApplicablePercent`)).toBe('19');
  expect(text(`${SUMS}/GrandTotalAmount`)).toBe((payment.value / 100).toFixed(2));
  const refunded = await app.test.post(`/v0/orders/${payment.orderId}/refunds`, { amount: 1234 });
  const note = await read(refunded.body.data.refund.creditNoteUrl);
  expect(note.text(`${SUMS}/GrandTotalAmount`)).toBe('12.34');
  expect(note.text('ApplicableHeaderTradeSettlement/InvoiceReferencedDocument/IssuerAssignedID')).toBe(
    payment.invoiceNumber,
  );
});

it('says the reverse charge of a company elsewhere in the EU', async () => {
  const billingDetails = {
    countryCode: 'FR',
    type: 'company',
    companyName: 'Exemple SARL',
    taxNumber: 'FR40303265045',
  };
  const payment = await buyOne({ price: 4999 }, { billingDetails, userEmail: 'company@example.com' });
  const { text } = await read(payment.invoiceUrl);
  expect(text(`${TAX}/CategoryCode`)).toBe('AE');
  expect(text(`${TAX}/ExemptionReasonCode`)).toBe('VATEX-EU-AE');
});

it('of the first payment of a subscription says the period, as a renewal does', async () => {
  const bought = await buyOne({}, { offersIds: [await makePlanOffer(app.test, { price: 1000 })] });
  const { texts } = await read(bought.invoiceUrl);
  const period = `${LINE}/SpecifiedLineTradeSettlement/BillingSpecifiedPeriod`;
  const days = (part: string) => texts(`${period}/${part}/DateTimeString`);
  expect([days('StartDateTime'), days('EndDateTime')].flat()).toHaveLength(2);
  expect(days('EndDateTime')[0]).not.toBe(days('StartDateTime')[0]);
  const sold = await read((await buyOne({})).invoiceUrl);
  expect(sold.texts(period)).toHaveLength(0);
});

it('of a renewal says its period, and of a change of plan what is credited', async () => {
  const small = await makePlanOffer(app.test, { price: 1000 });
  const large = await makePlanOffer(app.test, { price: 3000 });
  const { number } = await subscribe(app, small);
  await advance(app, app.test.scope, 32 * DAY_MS);
  const list = await app.test.get('/v0/payments/list', { query: { subscriptionId: number } });
  const renewal = await read(list.body.data.payments[0].invoiceUrl);
  expect(renewal.texts(`${LINE}/SpecifiedLineTradeSettlement/BillingSpecifiedPeriod`)).toHaveLength(1);
  const changed = await app.test.patch(`/v0/subscriptions/${number}/update`, {
    items: [{ offerId: large }],
    prorationBehavior: 'always_invoice',
  });
  const update = await read(changed.body.data.payment.invoiceUrl);
  const quantities = update.texts(`${LINE}/SpecifiedLineTradeDelivery/BilledQuantity`);
  expect(quantities.map(Number).filter((quantity) => quantity < 0)).toHaveLength(1);
});

it('is left out of the documents of a shop that has not said who it is', async () => {
  const answer = await buy(app.other, { offersIds: [await makeOffer(app.other)] });
  expect(await openXml(answer.body.data.payment.invoiceUrl)).toBeUndefined();
});
