/** Purchases that were begun and not finished: one mail, where the shop wants it, and nothing for who misuses it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { card, openPage, readState } from '../support/buying.ts';
import { DECLINED } from '../support/cards.ts';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { LIMITED, newEmail } from '../support/stranger.ts';

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test, { name: 'Rocket', price: 4900 });
});
beforeEach(() => set({ reminder: 'always', reminderMinutes: 60, reminderDiscountId: null }));
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
});

const set = (checkout: object) => app.test.patch('/v0/settings/update', { checkout });

interface Mail {
  to: string;
  status: string;
  language: string;
  subject: string;
  text: string;
}

async function listReminders(to: string, of: TestApp = app): Promise<Mail[]> {
  const query = { recipient: to, kinds: 'checkout_reminder' };
  const { mails } = (await of.test.get('/v0/mails/list', { query })).body.data;
  return mails;
}

const linkOf = ({ text }: Mail, part: string): string =>
  new RegExp(`https?://\\S*${part}\\S*`).exec(text)?.[0] ?? '';

const pathOf = (link: string): string => link.slice(new URL(link).origin.length);

/** Begins a purchase, and leaves it. */
async function begin(email: string, fields: object = {}, link = `/checkout/${offerId}`) {
  const page = await openPage(app, link);
  expect((await page.quote({ email, ...fields })).status).toBe(200);
  return page;
}

const wait = (minutes: number) => advance(app, app.test.scope, minutes * MINUTE_MS);

describe('S46 a purchase that was not finished', () => {
  it('S46 is brought to mind once, and gone on with as it was typed', async () => {
    const email = newEmail();
    await begin(email, { city: 'Berlin', address: 'Unter den Linden 1' });
    await wait(59);
    expect(await listReminders(email)).toEqual([]);
    await wait(2);
    const [mail, ...others] = await listReminders(email);
    expect(others).toEqual([]);
    expect(mail?.text).toContain('Rocket');
    const link = pathOf(linkOf(mail as Mail, 'svc-resume'));
    const resumed = await openPage(app, link);
    expect((await app.app.inject({ method: 'GET', url: link })).statusCode).toBe(303);
    const state = readState(
      (await app.app.inject({ method: 'GET', url: `${resumed.pagePath}?${link.split('?')[1]}` })).payload,
    );
    expect(state.form).toMatchObject({ email, city: 'Berlin', address: 'Unter den Linden 1' });
    await wait(2 * 60);
    expect(await listReminders(email)).toHaveLength(1);
  });

  it('S46 leads to a session of its own: whoever typed the address does not look on', async () => {
    const email = newEmail();
    const stranger = await begin(email);
    await wait(61);
    const [mail] = await listReminders(email);
    const resumed = await openPage(app, pathOf(linkOf(mail as Mail, 'svc-resume')));
    expect(resumed.token).not.toBe(stranger.token);
    expect((await resumed.submit({ email, lastName: 'Lovelace' })).body.data.checkout.status).toBe('paid');
    expect((await stranger.show()).body.data.checkout).toMatchObject({
      status: 'open',
      form: { lastName: '' },
    });
  });

  it('S46 is not brought to mind once it is bought, on this page or on another', async () => {
    const [here, elsewhere, declined] = [newEmail(), newEmail(), newEmail()];
    await (await begin(here)).submit({ email: here });
    await begin(elsewhere);
    await (await openPage(app, `/checkout/${offerId}`)).submit({ email: elsewhere });
    await (await begin(declined)).submit({ email: declined, card: card(DECLINED) });
    await wait(61);
    expect(await listReminders(here)).toEqual([]);
    expect(await listReminders(elsewhere)).toEqual([]);
    expect(await listReminders(declined)).toHaveLength(1);
  });

  it('S46 is put off by whatever is typed', async () => {
    const email = newEmail();
    const page = await begin(email);
    await wait(40);
    await page.quote({ email, city: 'Bonn' });
    await wait(40);
    expect(await listReminders(email)).toEqual([]);
    await wait(21);
    expect(await listReminders(email)).toHaveLength(1);
  });

  it('S46 asks, and reminds of what was ticked alone', async () => {
    await set({ reminder: 'ask' });
    const [ticked, not, back] = [newEmail(), newEmail(), newEmail()];
    const page = await begin(ticked, { remind: true });
    expect((await page.show()).body.data.checkout).toMatchObject({
      asksReminder: true,
      form: { remind: true },
    });
    await begin(not);
    await (await begin(back, { remind: true })).quote({ email: back, remind: false });
    await wait(61);
    expect(await listReminders(ticked)).toHaveLength(1);
    expect(await listReminders(not)).toEqual([]);
    expect(await listReminders(back)).toEqual([]);
  });

  it('S46 is nothing where the shop does not want it, or does no more', async () => {
    const [before, after] = [newEmail(), newEmail()];
    await begin(before);
    await set({ reminder: 'off' });
    await begin(after);
    await wait(61);
    expect([...(await listReminders(before)), ...(await listReminders(after))]).toEqual([]);
  });

  it('S46 brings a discount along, which is filled in', async () => {
    const discount = { type: 'code', discountCode: 'COME-BACK', amount: 10, amountType: 'percentage' };
    const { id } = (await app.test.post('/v0/discounts/create', discount)).body.data.discount;
    await set({ reminderDiscountId: id });
    const email = newEmail();
    await begin(email);
    await wait(61);
    const [mail] = await listReminders(email);
    const link = pathOf(linkOf(mail as Mail, 'svc-resume'));
    const location = String((await app.app.inject({ method: 'GET', url: link })).headers.location);
    const state = readState((await app.app.inject({ method: 'GET', url: location })).payload);
    expect(state).toMatchObject({ form: { discountCode: 'COME-BACK', email }, quote: { discount: 490 } });
  });

  it('S46 is written in the language of the page, and of a plan too', async () => {
    const email = newEmail();
    const plan = await makePlanOffer(app.test, { price: 900 });
    const page = await openPage(app, `/checkout/${plan}`, { 'accept-language': 'de' });
    await page.quote({ email });
    await wait(61);
    expect((await listReminders(email))[0]?.subject).toMatch(/Ihr Einkauf bei /);
  });
});

describe('S46 an address', () => {
  it('S46 is reminded once in seven days, whatever is begun with it', async () => {
    const email = newEmail();
    await begin(email);
    await begin(email.toUpperCase());
    await wait(61);
    expect(await listReminders(email)).toHaveLength(1);
    await advance(app, app.test.scope, 6 * DAY_MS);
    await begin(email);
    await wait(61);
    expect(await listReminders(email)).toHaveLength(1);
    await advance(app, app.test.scope, DAY_MS);
    await begin(email);
    await wait(61);
    expect(await listReminders(email)).toHaveLength(2);
  });

  it('S46 is left alone for good by one press, and by no link that is only opened', async () => {
    const email = newEmail();
    await begin(email);
    await wait(61);
    const [mail] = await listReminders(email);
    const stop = pathOf(linkOf(mail as Mail, '/reminders/stop/'));
    const open = await app.app.inject({ method: 'GET', url: stop });
    expect(readState(open.payload)).toMatchObject({ kind: 'stop', state: 'open' });
    // As mailboxes do it by themselves.
    const pressed = await app.app.inject({
      method: 'POST',
      url: stop,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    });
    expect(pressed.statusCode).toBe(200);
    expect(readState((await app.app.inject({ method: 'GET', url: stop })).payload).state).toBe('done');
    await advance(app, app.test.scope, 8 * DAY_MS);
    await begin(email);
    await wait(61);
    expect(await listReminders(email)).toHaveLength(1);
    const forged = await app.app.inject({ method: 'POST', url: stop.replace(/.{6}$/, 'xxxxxx') });
    expect(forged.statusCode).toBe(404);
  });

  it('S46 of many that one stranger types few are written to', async () => {
    const limited = await createTestApp(LIMITED);
    try {
      await limited.test.patch('/v0/settings/update', { checkout: { reminder: 'always' } });
      const offer = await makeOffer(limited.test);
      for (let count = 0; count < 14; count += 1) {
        const page = await openPage(limited, `/checkout/${offer}`, { 'x-forwarded-for': '198.51.100.7' });
        expect((await page.quote({ email: newEmail() })).status).toBe(200);
      }
      await advance(limited, limited.test.scope, 61 * MINUTE_MS);
      const { mails } = (
        await limited.test.get('/v0/mails/list', { query: { kinds: 'checkout_reminder', take: '50' } })
      ).body.data;
      expect(mails).toHaveLength(10);
    } finally {
      await limited.close();
    }
  });
});

describe('S49 a session that has ended', () => {
  it('S49 leads to a new one of the same cart, with all that was typed', async () => {
    const email = newEmail();
    await set({ reminder: 'off' });
    const page = await begin(email, { city: 'Köln' });
    await advance(app, app.test.scope, DAY_MS + MINUTE_MS);
    const { status, againUrl } = (await page.show()).body.data.checkout;
    expect(status).toBe('expired');
    const { location } = (await app.app.inject({ method: 'GET', url: againUrl })).headers;
    const state = readState((await app.app.inject({ method: 'GET', url: String(location) })).payload);
    expect(state).toMatchObject({ status: 'open', form: { email, city: 'Köln' } });
    // Of another cart nothing is taken over.
    const other = await makeOffer(app.test);
    const elsewhere = againUrl.replace(offerId, other);
    const led = (await app.app.inject({ method: 'GET', url: elsewhere })).headers.location;
    expect(String(led)).not.toContain('svc-resume');
  });

  it('S49 keeps the answers to custom fields, except for what its link answers anew', async () => {
    const ask = async (key: string) => {
      const field = { key, label: key, type: 'text', required: false };
      const made = await app.test.post('/v0/custom-fields/create', field);
      return String(made.body.data.customField.id);
    };
    const ids = [await ask('nick'), await ask('clan')];
    const page = await begin(newEmail(), { customFields: { nick: 'ada', clan: 'red' } });
    await advance(app, app.test.scope, DAY_MS + MINUTE_MS);
    const { againUrl } = (await page.show()).body.data.checkout;
    const follow = async (url: string) => {
      const { location } = (await app.app.inject({ method: 'GET', url })).headers;
      return readState((await app.app.inject({ method: 'GET', url: String(location) })).payload).form;
    };
    expect((await follow(againUrl)).customFields).toEqual({ nick: 'ada', clan: 'red' });
    expect((await follow(`${againUrl}&clan=blue`)).customFields).toEqual({ nick: 'ada', clan: 'blue' });
    for (const id of ids) await app.test.patch(`/v0/custom-fields/${id}/archive`);
  });
});
