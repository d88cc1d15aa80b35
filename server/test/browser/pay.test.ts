/** The page behind the link in a mail: what a subscription owes is shown, authenticated, and paid by another card. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAYS_ONCE } from '../support/cards.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { listPeriods, putToRest, type Subscribed, show, subscribe } from '../support/subscribing.ts';
import { findViolations, keepGrave } from './support/axe.ts';
import { type Buyer, type BuyerOptions, DESKTOP, PHONE, SMALL_PHONE } from './support/browser.ts';
import { CARDS, field, fillCard, payButton } from './support/checkout.ts';
import { openShop, type Shop } from './support/shop.ts';

const SUBSCRIPTIONS = 19;

let shop: Shop;
let overdue: Owing[];
beforeAll(async () => {
  shop = await openShop();
  await shop.changeSettings({ seller: { name: 'Nebula Games', email: 'help@nebula.example' } });
  overdue = await makeOverdue();
});
afterAll(async () => {
  if (shop) await expectInvariants(shop.app);
  await shop?.close();
});

interface Owing {
  subscribed: Subscribed;
  email: string;
  url: string;
}

/** Weekly subscriptions that owe two periods each: the card declines renewals. */
async function makeOverdue(): Promise<Owing[]> {
  const offerId = await makePlanOffer(shop.store, { name: 'Cloud', price: 500, recurringInterval: 'week' });
  const subscriptions: Subscribed[] = [];
  for (let index = 0; index < SUBSCRIPTIONS; index++)
    subscriptions.push(
      await subscribe(shop.app, offerId, { card: PAYS_ONCE, userEmail: `owing-${index}@example.com` }),
    );
  await advance(shop.app, shop.store.scope, 15 * DAY_MS);
  await putToRest(shop.app);
  const toOwing = async (subscribed: Subscribed, index: number) => {
    const { payUrl } = (await shop.store.get(`/v0/payments/${subscribed.number}-1`)).body.data.payment;
    return { subscribed, email: `owing-${index}@example.com`, url: String(payUrl) };
  };
  return Promise.all(subscriptions.map(toOwing));
}

function takeOverdue(): Owing {
  const owing = overdue.pop();
  if (!owing) throw new Error(`the tests need more than ${SUBSCRIPTIONS} subscriptions`);
  return owing;
}

/** Opens the page of a subscription that owes two periods; whatever the pages did wrong fails the test. */
async function asOwing(
  options: Omit<BuyerOptions, 'origin'>,
  work: (page: Page, owing: Owing, buyer: Buyer) => Promise<void>,
): Promise<void> {
  const buyer = await shop.openBuyer(options);
  const page = await buyer.newTab();
  const owing = takeOverdue();
  await page.goto(owing.url);
  await work(page, owing, buyer);
  expect(buyer.problems).toEqual([]);
  await buyer.context.close();
}

const statusesOf = async ({ subscribed }: Owing) =>
  (await listPeriods(shop.app, subscribed)).map(({ status }) => status);
/** The subscription's status, and the card that its renewals are charged to. */
async function standingOf({ subscribed }: Owing) {
  const { details } = await shop.app.service.db
    .selectFrom('subscriptions')
    .innerJoin('paymentMethods', 'paymentMethods.id', 'subscriptions.paymentMethodId')
    .select('paymentMethods.details')
    .where('subscriptions.id', '=', subscribed.id)
    .executeTakeFirstOrThrow();
  return { status: (await show(shop.app, subscribed)).status, last4: (details as { last4: string }).last4 };
}
const paid = (page: Page) => page.getByRole('heading', { level: 1, name: 'This is paid' });
const approve = (page: Page) => page.getByRole('button', { name: 'Complete authentication' });

describe('the page of what is owed', () => {
  it('lists each period with its amount, and says why the last try came to nothing', () =>
    asOwing({}, async (page, { subscribed }) => {
      const rows = page.getByRole('list', { name: 'Open payments' }).getByRole('listitem');
      await expect.poll(() => rows.count()).toBe(2);
      expect(await rows.locator('.amount').allTextContents()).toEqual(['€5.95', '€5.95']);
      expect(new Set(await rows.locator('.line-note').allTextContents()).size).toBe(2);
      await page.getByText('2 payments for Club · Cloud are open').waitFor();
      await page.getByRole('alert').getByText('The card was declined.').waitFor();
      await page.getByText(`Order ${subscribed.number}`).waitFor();
      // The week of grace after the first failure is over.
      await page.getByText('Your access is off until this is paid.').waitFor();
      await page.getByText('Nebula Games').waitFor();
      await page.getByText('Test mode', { exact: true }).waitFor();
      expect(await payButton(page).textContent()).toBe('Pay €11.90');
    }));

  it('keeps a name of one long word within a small phone', () =>
    asOwing({ viewport: SMALL_PHONE }, async (page, { subscribed }) => {
      const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
      await shop.app.service.db
        .updateTable('subscriptionItems')
        .set({ name })
        .where('subscriptionId', '=', subscribed.id)
        .execute();
      await shop.app.service.db
        .updateTable('paymentLines')
        .set({ name })
        .where('subscriptionId', '=', subscribed.id)
        .execute();
      await page.reload();
      await page.getByText(`2 payments for Club · ${name} are open`).waitFor();
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(SMALL_PHONE.width);
    }));

  it('takes a new card for all of it and keeps it for the renewals', () =>
    asOwing({}, async (page, owing) => {
      await expect.poll(() => page.getByRole('checkbox', { name: /renewals/ }).isChecked()).toBe(true);
      await fillCard(page);
      await field(page, 'Name on card').fill('Ada Lovelace');
      await payButton(page).dblclick();
      await paid(page).waitFor();
      await expect.poll(() => page.title()).toBe('This is paid · Nebula Games');
      expect(await statusesOf(owing)).toEqual(['PAID', 'PAID']);
      expect(await standingOf(owing)).toEqual({ status: 'active', last4: '4242' });
      // The way on, and back for whoever came from the portal by their bank: it asks who they are.
      const manage = await page.getByRole('link', { name: 'Manage this purchase' }).getAttribute('href');
      expect(manage).toContain(`/test/subscriptions/${owing.subscribed.number}`);
      // Whoever else is given the link sees no invoice, no card and no name.
      await page.reload();
      await paid(page).waitFor();
      expect(await page.getByRole('link', { name: /invoice/i }).count()).toBe(0);
    }));

  it('leaves the kept card alone where the buyer wants it so', () =>
    asOwing({}, async (page, owing) => {
      await page.getByRole('checkbox', { name: /renewals/ }).uncheck();
      await fillCard(page);
      await payButton(page).click();
      await paid(page).waitFor();
      expect(await standingOf(owing)).toEqual({ status: 'active', last4: '0341' });
    }));

  it('tells of every decline in words and keeps what was typed', () =>
    asOwing({}, async (page, owing) => {
      await fillCard(page, { card: '4000000000009995' });
      await payButton(page).click();
      await page.getByRole('alert').getByText('The card has insufficient funds.').waitFor();
      expect(await field(page, 'Card number').inputValue()).toBe('4000 0000 0000 9995');
      expect(await statusesOf(owing)).toEqual(['FAILED', 'UNPAID']);
    }));

  it('marks what is missing or cannot be, and takes the buyer to the first of it', () =>
    asOwing({}, async (page) => {
      await payButton(page).click();
      await page.getByText('Enter the number on your card.').waitFor();
      // The message is there before the focus has moved.
      await page.locator('[name="cardNumber"]:focus').waitFor();
      await expect.poll(() => page.locator('[aria-invalid="true"]').count()).toBe(3);
      await fillCard(page, { card: '4242424242424241', expiry: '12/20' });
      await expect.poll(() => page.locator('[aria-invalid="true"]').count()).toBe(0);
      await payButton(page).click();
      await page.getByText('This is not a card number. Please check the digits.').waitFor();
      await page.getByText('This card has expired.').waitFor();
    }));

  it('tells a buyer whose connection broke that pressing again is safe, and then charges once', () =>
    asOwing({}, async (page, owing) => {
      await fillCard(page);
      await page.route('**/pay', async (route) => {
        // The request arrives; its answer does not.
        await route.fetch();
        await route.abort();
      });
      await payButton(page).click();
      await page.getByRole('alert').getByText('safe to press the button again').waitFor();
      // The button was pressed by the keyboard, perhaps: it keeps its place there.
      await page.locator('button.primary:focus').waitFor();
      await page.unroute('**/pay');
      await payButton(page).click();
      await paid(page).waitFor();
      expect(await statusesOf(owing)).toEqual(['PAID', 'PAID']);
    }));

  it('says that a link leads nowhere when it does', async () => {
    const buyer = await shop.openBuyer();
    const page = await buyer.newTab();
    await page.goto(`${shop.origin}/pay/nothing`);
    await page.getByRole('heading', { level: 1, name: 'This link leads nowhere' }).waitFor();
    expect(await page.title()).toBe('This link leads nowhere');
    await buyer.context.close();
  });
});

/** The newest link that was mailed to whoever owes. */
async function findMailedUrl({ subscribed }: Owing): Promise<string> {
  await shop.app.wired.worker.runDue();
  const { email } = await shop.app.service.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', subscribed.userId)
    .executeTakeFirstOrThrow();
  const query = { recipient: email ?? '', kinds: 'payer_proof' };
  const { body } = await shop.store.get('/v0/mails/list', { query });
  return /http:\/\/\S+\/prove\/\S+/.exec(body.data.mails[0].text)?.[0] ?? '';
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

describe('Y15 the stored card', () => {
  it('Y15 is shown and charged once its owner has come back by the link in their mailbox', () =>
    asOwing({}, async (page, owing) => {
      await setStoredCard(owing, CARDS.visa);
      await button(page, 'Send me a link').click();
      await page.getByRole('status').getByText('Look into that mailbox').waitFor();
      expect(await page.getByText('0341').count()).toBe(0);
      const url = await findMailedUrl(owing);
      await page.goto(url);
      await button(page, 'Use my stored card').click();
      await button(page, 'Pay €11.90 with Visa ending in 0341').waitFor();
      expect(page.url()).toBe(owing.url);
      // A reload finds the browser still proved; the link is used.
      await page.reload();
      await button(page, 'Pay €11.90 with Visa ending in 0341').click();
      await paid(page).waitFor();
      expect(await statusesOf(owing)).toEqual(['PAID', 'PAID']);
      await page.goto(url);
      await paid(page).waitFor();
    }));

  it('Y15 is refused when the half hour is over, or the link was used, and a new link is offered', () =>
    asOwing({}, async (page, owing) => {
      await button(page, 'Send me a link').click();
      await page.getByText('Look into that mailbox').waitFor();
      const url = await findMailedUrl(owing);
      await page.goto(url);
      await button(page, 'Use my stored card').click();
      await button(page, /^Pay .* with Visa/).waitFor();
      await shop.app.service.db.updateTable('payerProofs').set({ endsAt: 0 }).execute();
      await button(page, /^Pay .* with Visa/).click();
      await page.getByRole('alert').getByText('can be used by its owner alone').waitFor();
      await button(page, 'Send me a link').waitFor();
      await page.goto(url);
      await page.getByRole('alert').getByText('This link was used before').waitFor();
      await button(page, 'Send me a link').waitFor();
      expect(await statusesOf(owing)).toEqual(['FAILED', 'UNPAID']);
    }));

  it('Y15 that is declined says so beside it', () =>
    asOwing({}, async (page, owing) => {
      await button(page, 'Send me a link').click();
      await page.getByText('Look into that mailbox').waitFor();
      await page.goto(await findMailedUrl(owing));
      await button(page, 'Use my stored card').click();
      await button(page, /^Pay .* with Visa/).click();
      await page.locator('.pay-stored').getByRole('alert').getByText('The card was declined.').waitFor();
    }));
});

/** The card that renewals are charged to, which declined them, would be charged now as this one. */
async function setStoredCard({ subscribed }: Owing, number: string): Promise<void> {
  await shop.app.service.db
    .updateTable('paymentMethods')
    .set({ reference: `card_${number}` })
    .where('userId', '=', subscribed.userId)
    .execute();
}

describe('authentication', () => {
  it('pays everything once the buyer approves, even after leaving the bank’s page once', () =>
    asOwing({}, async (page, owing) => {
      await fillCard(page, { card: CARDS.authenticates });
      await payButton(page).click();
      await approve(page).waitFor();
      await page.goto(owing.url);
      await page.getByRole('link', { name: 'Continue to your bank' }).click();
      await approve(page).click();
      await paid(page).waitFor();
      expect(await statusesOf(owing)).toEqual(['PAID', 'PAID']);
      expect((await show(shop.app, owing.subscribed)).status).toBe('active');
    }));

  it('lets a buyer who rejects pay by another card', () =>
    asOwing({}, async (page, owing) => {
      await fillCard(page, { card: CARDS.authenticates });
      await payButton(page).click();
      await page.getByRole('button', { name: 'Fail authentication' }).click();
      await page.getByRole('alert').getByText('The payment was not authenticated.').waitFor();
      await fillCard(page);
      await payButton(page).click();
      await paid(page).waitFor();
      expect(await statusesOf(owing)).toEqual(['PAID', 'PAID']);
    }));
});

describe('an outcome that the bank does not tell', () => {
  it('is waited for without a second payment, and says so once it is known', () =>
    asOwing({}, async (page, owing) => {
      await fillCard(page, { card: CARDS.unknownFirst });
      await payButton(page).click();
      await page.getByRole('heading', { name: 'Your bank has not answered yet' }).waitFor();
      expect(await payButton(page).count()).toBe(0);
      await shop.moveClock(3 * 60_000);
      // The card takes as long for the second period.
      await expect.poll(() => statusesOf(owing), { timeout: 180_000 }).toEqual(['PAID', 'PENDING']);
      await shop.moveClock(3 * 60_000);
      await paid(page).waitFor();
      expect(await statusesOf(owing)).toEqual(['PAID', 'PAID']);
    }));
});

it('is told in the portal, where a card says by name what it pays', async () => {
  const { email } = takeOverdue();
  const offerId = await makePlanOffer(shop.store, { name: 'Solo', price: 700 });
  await subscribe(shop.app, offerId, { userEmail: email });
  const session = await shop.store.post('/v0/portal-sessions/create', { email });
  const buyer = await shop.openBuyer({});
  const page = await buyer.newTab();
  await page.goto(session.body.data.portalSession.url);
  await page.getByText('€11.90 is owed.').waitFor();
  await page.getByText('€7.00 every month').waitFor();
  await page.getByRole('link', { name: 'Payment methods' }).click();
  // By its name: a number says nothing to a buyer.
  await page.getByText('Pays Club · Cloud').waitFor();
  expect(buyer.problems).toEqual([]);
  await buyer.context.close();
});

/** Goes through what the page can look like, and has each looked at. */
async function visitAll(page: Page, owing: Owing, look: (name: string) => Promise<void>): Promise<void> {
  await payButton(page).waitFor();
  await look('owed');
  await page.getByText('Cards to test with').click();
  await payButton(page).click();
  await page.getByText('Enter the number on your card.').waitFor();
  await look('with errors');
  await button(page, 'Send me a link').click();
  await page.getByText('Look into that mailbox').waitFor();
  await look('link sent');
  const mailed = await findMailedUrl(owing);
  await page.goto(mailed);
  await button(page, 'Use my stored card').waitFor();
  await look('come by the link');
  await button(page, 'Use my stored card').click();
  await button(page, /^Pay .* with Visa/).waitFor();
  await look('proved');
  await page.context().clearCookies();
  await page.goto(mailed);
  await page.getByText('This link was used before').waitFor();
  await look('link used');
  await page.goto(owing.url);
  await fillCard(page, { card: CARDS.authenticates });
  await payButton(page).click();
  await approve(page).waitFor();
  await page.goto(owing.url);
  await page.getByRole('link', { name: 'Continue to your bank' }).waitFor();
  await look('waiting for the buyer');
  await page.getByRole('link', { name: 'Continue to your bank' }).click();
  await approve(page).click();
  await paid(page).waitFor();
  await look('paid');
}

async function findGraveFindings(page: Page) {
  return keepGrave(await findViolations(page));
}

describe('how it looks', () => {
  it.each([
    ['a desktop, light', { viewport: DESKTOP, colorScheme: 'light' }],
    ['a desktop, dark', { viewport: DESKTOP, colorScheme: 'dark' }],
    ['a phone, light', { viewport: PHONE, colorScheme: 'light' }],
    ['the smallest phone, dark', { viewport: SMALL_PHONE, colorScheme: 'dark' }],
  ] as const)('has no serious axe finding and does not scroll sideways on %s', (_name, options) =>
    asOwing(options, (page, owing) =>
      visitAll(page, owing, async (name) => {
        expect([name, await findGraveFindings(page)]).toEqual([name, []]);
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect([name, width]).toEqual([name, options.viewport.width]);
      }),
    ),
  );

  it('is German for a German browser', () =>
    asOwing({ locale: 'de-DE' }, async (page) => {
      await page.getByText('2 Zahlungen für Club · Cloud sind offen.').waitFor();
      await page.getByRole('alert').getByText('Die Karte wurde abgelehnt.').waitFor();
      await field(page, 'Kartennummer').fill(CARDS.visa);
      expect(await field(page, 'Gültig bis').getAttribute('placeholder')).toBe('MM/JJ');
      await field(page, 'Gültig bis').fill('12/35');
      await field(page, 'Prüfziffer').fill('123');
      await page.getByRole('button', { name: /bezahlen$/ }).click();
      await page.getByRole('heading', { level: 1, name: 'Das ist bezahlt' }).waitFor();
    }));
});
