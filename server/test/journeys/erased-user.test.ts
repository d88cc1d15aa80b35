import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepPortalRows } from '../../src/worker/sweeps.ts';
import { buy, card, openPage } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { readMails, signIn } from '../support/portal.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';

const EMAIL = 'vera.secret@example.com';
const DETAILS = {
  ...{ firstName: 'Veronika', lastName: 'Zwetschge', companyName: 'Zwetschge & Co', type: 'company' },
  ...{
    address: '7 Hidden Lane',
    city: 'Bonn',
    postalCode: '53111',
    countryCode: 'DE',
    phoneNumber: '0228123',
  },
};
/** What must not be found any more, but in what the books keep. */
const WORDS = [
  ...[EMAIL, 'Veronika', 'Zwetschge', '7 Hidden Lane', '0228123', 'vera-in-crm', 'nick-of-vera'],
  ...['answer-of-vera', 'rang at noon', encodeURIComponent(EMAIL)],
];
/** Orders keep the address that they were billed to, and so do documents; the ledger names nobody. */
const KEEPING = new Set(['orders', 'invoices', 'ledger_entries', 'members']);

let app: TestApp;
let receiver: Receiver;
let offerId: string;
let planId: string;
beforeAll(async () => {
  receiver = await createReceiver();
  app = await createTestApp({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  offerId = await makeOffer(app.test, { price: 1000, name: 'Zwetschge plan' });
  planId = await makePlanOffer(app.test, { price: 1000, recurringInterval: 'month' });
});
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
  await receiver.close();
});

const accept = (id: string) => app.test.post(`/v0/users/${id}/deletion/accept`, {});

/** A user with all that a store learns of one; the subscription has ended. */
async function makeVera() {
  const { body } = await app.test.post(
    '/v0/users/create',
    {
      ...{ email: EMAIL, username: 'nick-of-vera', internalId: 'vera-in-crm', password: 'Correct-Horse-9' },
      ...{ billingDetails: DETAILS, paymentData: { sandboxCustomerId: 'card_4242424242424242' } },
    },
    { headers: { 'idempotency-key': 'made-vera' } },
  );
  const { id } = body.data.user as { id: string };
  const field = { key: 'handle', label: 'Handle', type: 'text', required: false };
  const made = await app.test.post('/v0/custom-fields/create', field);
  const bought = await buy(app.test, {
    ...{ offersIds: [offerId], userEmail: EMAIL, billingDetails: DETAILS },
    customFields: { handle: 'answer-of-vera' },
  });
  await app.test.patch(`/v0/custom-fields/${made.body.data.customField.id}/archive`, {});
  await writeOf(id, bought.body.data.order.id);
  const page = await openPage(app, `/checkout/${offerId}`);
  await page.submit({
    email: EMAIL,
    firstName: 'Veronika',
    countryCode: 'DE',
    card: card('4242424242424242'),
  });
  await (await openPage(app, `/checkout/${offerId}`)).quote({ email: EMAIL, firstName: 'Veronika' });
  const subscribed = await buy(app.test, { offersIds: [planId], userEmail: EMAIL, billingDetails: DETAILS });
  await app.test.patch(`/v0/orders/${bought.body.data.order.id}/cancel`, {});
  await app.wired.worker.runDue();
  return { id, orderId: bought.body.data.order.id, subscriptionId: subscribed.body.data.subscription.id };
}

/** What a merchant writes about somebody, in places that are about what they bought. */
async function writeOf(userId: string, orderId: string): Promise<void> {
  for (const [object, objectId] of [
    ['user', userId],
    ['order', orderId],
  ]) {
    const { status } = await app.test.post('/v0/notes/create', { object, objectId, text: 'rang at noon' });
    expect(status).toBe(200);
  }
  const note = 'Veronika was unhappy';
  const { body } = await app.test.post(`/v0/orders/${orderId}/refunds`, { amount: 100, note });
  expect(body.data.refund.note).toBe(note);
}

/** How somebody looks at lists; the word in the last is a product's, too. */
const VIEWS = [
  { name: `Of ${EMAIL}`, query: `statuses=PAID&term=${encodeURIComponent(EMAIL.toUpperCase())}` },
  { name: 'By an answer', query: `customFields=${encodeURIComponent(JSON.stringify({ handle: EMAIL }))}` },
  { name: 'Of the plan', query: 'orderBy=value&term=plan' },
];
async function keepViews(): Promise<void> {
  for (const view of VIEWS) {
    const { status } = await app.test.post('/v0/views/create', { resource: 'orders', ...view });
    expect(status).toBe(200);
  }
}

async function findWords(words = WORDS): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`.execute(
    app.service.db,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    if (KEEPING.has(name)) continue;
    const { rows } = await sql<{
      text: string;
    }>`select to_jsonb(t)::text as text from ${sql.table(name)} t`.execute(app.service.db);
    const text = rows.map((row) => row.text.toLowerCase()).join('\n');
    found.push(
      ...words.filter((word) => text.includes(word.toLowerCase())).map((word) => `${word} in ${name}`),
    );
  }
  // What is sold may be called as somebody is.
  return found.filter(
    (one) => !/^Zwetschge in (offers|order_items|events|audit_log|mails|products|request_log)$/.test(one),
  );
}

describe('a user who is erased', () => {
  it('Y27 goes out of every row but the books, and nothing else does', async () => {
    await app.test.post('/v0/webhooks/create', { url: receiver.url, events: ['payment_success'] });
    // A receiver that says what it was told.
    receiver.script({ status: 200, body: `thanks, VERONIKA zwetschge <${EMAIL.toUpperCase()}>` });
    const vera = await makeVera();
    await keepViews();
    const other = await buy(app.test, { offersIds: [offerId], userEmail: 'else@example.com' });
    await expectRefusal(accept(vera.id), 409, 'subscription_running');
    const reason = 'Frau Zwetschge moved away';
    await app.test.patch(`/v0/subscriptions/${vera.subscriptionId}/cancel`, { reason });
    await app.wired.requestLog.flush();
    expect((await findWords()).length).toBeGreaterThan(8);
    const accepted = await accept(vera.id);
    const { deletion } = accepted.body.data;
    expect(deletion).toMatchObject({ object: 'user_deletion', userId: vera.id, status: 'accepted' });
    expect(deletion.dueAt - deletion.requestedAt).toBe(14 * DAY_MS);
    // Asked again nothing changes, and until the day the user is there.
    expect((await accept(vera.id)).body.data.deletion).toEqual(deletion);
    await advance(app, app.test.scope, 13 * DAY_MS);
    expect((await app.test.get(`/v0/users/${vera.id}`)).body.data.user.email).toBe(EMAIL);
    await advance(app, app.test.scope, DAY_MS);
    expect(await findWords()).toEqual([]);
    await expectBooks(vera);
    const { views } = (await app.test.get('/v0/views/list')).body.data;
    const word = `erased-${vera.id}`;
    expect(views.map(({ name, query }: { name: string; query: string }) => [name, query]).reverse()).toEqual([
      [`Of ${word}`, `statuses=PAID&term=${word}`],
      ['By an answer', `customFields=${encodeURIComponent(JSON.stringify({ handle: word }))}`],
      ['Of the plan', 'orderBy=value&term=plan'],
    ]);
    const { body } = await app.test.get(`/v0/users/${other.body.data.order.userId}`);
    expect(body.data.user.email).toBe('else@example.com');
  });

  async function expectBooks(vera: { id: string; orderId: string }): Promise<void> {
    const { body } = await app.test.get(`/v0/users/${vera.id}`);
    expect(body.data).toMatchObject({
      user: { email: null, username: null, internalId: null, archivedAt: expect.any(Number) },
      paymentMethods: [],
    });
    expect((await accept(vera.id)).body.data.deletion.status).toBe('erased');
    // What was written of them now would never go again.
    await expectRefusal(app.test.patch(`/v0/users/${vera.id}/update`, { email: EMAIL }), 409, 'archived');
    await expectRefusal(app.test.patch(`/v0/users/${vera.id}/unarchive`, {}), 409, 'archived');
    const order = await app.service.db
      .selectFrom('orders')
      .select('billingDetails')
      .where('id', '=', vera.orderId)
      .executeTakeFirstOrThrow();
    expect(order.billingDetails).toMatchObject({ firstName: 'Veronika', companyName: 'Zwetschge & Co' });
    const { rows } = await sql<{
      text: string;
    }>`select string_agg(snapshot, '') as text from invoices`.execute(app.service.db);
    expect(rows[0]?.text).toContain('Zwetschge & Co');
  }

  it('Y27 is called by one word in what stays, and such an event is not sent again', async () => {
    const { body } = await app.test.get('/v0/events/list', {
      query: { take: '100', types: 'payment_success' },
    });
    const told = body.data.events.filter(({ data }: { data: { customer: { email: string } } }) =>
      data.customer.email.startsWith('erased-'),
    );
    expect(told.length).toBeGreaterThan(1);
    const [event] = told;
    expect(event.data.customer).toMatchObject({
      email: `erased-${event.data.customer.id}`,
      details: { firstName: `erased-${event.data.customer.id}`, address: null, countryCode: 'DE' },
    });
    // What was sold stays, also where it bears a name.
    expect(
      told.some(
        ({ data }: { data: { items: Array<{ name: string }> } }) => data.items[0]?.name === 'Zwetschge plan',
      ),
    ).toBe(true);
    await expectRefusal(app.test.post(`/v0/events/${event.id}/resend`, {}), 409, 'event_erased');
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from webhook_attempts where response_text like 'thanks, erased-%'`.execute(
      app.service.db,
    );
    expect(rows[0]?.count).toBe(1);
  });

  it('Y27 takes what a subscription asked, what was said at its end and where somebody was with them', async () => {
    const field = { key: 'pet', label: 'Pet', type: 'text', required: false };
    const { customField } = (await app.test.post('/v0/custom-fields/create', field)).body.data;
    const page = await openPage(app, `/checkout/${planId}`);
    const userEmail = 'leaves@example.com';
    const billing = { countryCode: 'DE', firstName: 'Leni', address: '9 Quiet Close' };
    const paid = await page.submit({
      ...{ ...billing, email: userEmail, customFields: { pet: 'a newt of hers' } },
      card: card('4242424242424242'),
    });
    expect(paid.body.data.checkout.receipt).not.toBeNull();
    await app.test.patch(`/v0/custom-fields/${customField.id}/archive`, {});
    const { body } = await app.test.get('/v0/users/list', { query: { email: userEmail } });
    const userId = body.data.users[0].id as string;
    const { subscriptions } = (await app.test.get('/v0/subscriptions/list', { query: { userId } })).body.data;
    const extra = { amount: 500, currency: 'EUR', description: 'Two hours with Leni at 9 Quiet Close' };
    const charged = await app.test.post(`/v0/subscriptions/${subscriptions[0].id}/charge`, extra);
    expect(charged.body.data.payment.status).toBe('PAID');
    const ended = { reason: 'too_expensive: the one of 9 Quiet Close, call 0301234' };
    await app.test.patch(`/v0/subscriptions/${subscriptions[0].id}/cancel`, ended);
    const find = async () => {
      const { rows } = await sql<{ text: string }>`
        select (select string_agg(to_jsonb(i)::text, '') from subscription_items i) ||
          (select string_agg(to_jsonb(s)::text, '') from subscriptions s) ||
          (select string_agg(coalesce(c.ip_address, ''), '') from charges c join payments p on p.id = c.payment_id
            where p.user_id = ${userId}::uuid) ||
          (select string_agg(o.location_evidence::text, '') from orders o where o.user_id = ${userId}::uuid) ||
          (select string_agg(e.body, '') from events e join orders o on o.id = e.order_id
            where o.user_id = ${userId}::uuid) ||
          (select string_agg(to_jsonb(a)::text, '') from audit_log a) as text`.execute(app.service.db);
      const words = ['newt', '9 Quiet Close', '0301234', '127.0.0.1', 'hours with Leni'];
      return words.filter((word) => rows[0]?.text.includes(word));
    };
    expect(await find()).toEqual(['newt', '9 Quiet Close', '0301234', '127.0.0.1', 'hours with Leni']);
    await accept(userId);
    await advance(app, app.test.scope, 14 * DAY_MS);
    // Typed by the merchant: what is theirs in it goes, and a number that is nowhere else cannot be known.
    expect(await find()).toEqual(['0301234']);
    const after = await app.test.get(`/v0/subscriptions/${subscriptions[0].id}`);
    expect(after.body.data.subscription.cancelReason).toBe(`too_expensive: erased-${userId}`);
  });

  it('Y27 forgets addresses that were given up or only asked for, and leaves them to whoever has them now', async () => {
    const [was, is] = ['was@example.com', 'is@example.com'];
    const made = await app.test.post('/v0/users/create', { email: was, username: 'Formerly' });
    const { id } = made.body.data.user as { id: string };
    const buyer = await signIn(app, was);
    await buyer.post('/email/request', { email: 'never@example.com' });
    await buyer.post('/email/request', { email: is });
    await app.wired.worker.runDue();
    const mail = (await readMails(app, is)).find(({ kind }) => kind === 'email_change_code');
    const [code] = /\b\d{8}\b/.exec(mail?.text ?? '') ?? [];
    expect((await buyer.post('/email/confirm', { code })).status).toBe(200);
    const next = await buy(app.test, { offersIds: [offerId], userEmail: was });
    await app.wired.worker.runDue();
    await app.service.db.updateTable('portalEmailChanges').set({ endsAt: 0 }).execute();
    await sweepPortalRows(app.service.db, new AbortController().signal);
    await accept(id);
    await advance(app, app.test.scope, 14 * DAY_MS);
    const { rows } = await sql<{ of: string; text: string }>`
      select 'mail' as of, to_jsonb(m)::text as text from mails m
      union all select 'audit', to_jsonb(a)::text from audit_log a where a.object_id = ${id}`.execute(
      app.service.db,
    );
    const telling = (word: string) => rows.filter(({ text }) => text.includes(word)).map(({ of }) => of);
    expect(telling('never@example.com')).toEqual([]);
    expect(telling(`"${is}`)).toEqual([]);
    // The receipt of whoever has the address now.
    expect(telling(was).every((of) => of === 'mail')).toBe(true);
    expect(telling(was).length).toBeGreaterThan(0);
    const { user } = (await app.test.get(`/v0/users/${next.body.data.order.userId}`)).body.data;
    expect(user.email).toBe(was);
  });

  it('Y27 finds an address that is written otherwise, and names that a receiver wrote in its own way', async () => {
    const [written, asAscii] = ['Zoë+x@Bücher-Amt.example', 'zoë+x@xn--bcher-amt-q9a.example'];
    const details = { firstName: 'Zoë-Łucja', lastName: "O'Brïen", countryCode: 'DE' };
    const { body } = await app.test.post('/v0/users/create', { email: written, billingDetails: details });
    const { id } = body.data.user as { id: string };
    const escaped = JSON.stringify({ hello: ['Zoë-Łucja'] }).replace(
      /[^ -~]/g,
      (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    const asBase64 = Buffer.from('hello Zoë-Łucja').toString('base64');
    const spellings = [written, asAscii, written.toUpperCase()];
    const answers = [
      ...[escaped, `<p>O&#39;Br&#239;en</p>`, `name=${encodeURIComponent('Zoë-Łucja')}`],
      ...['<p>O&apos;Br&iuml;en</p>', JSON.stringify({ seen: asBase64 }), `seen ${asBase64}`],
    ];
    for (const answer of answers) receiver.script({ status: 200, body: answer });
    for (const userEmail of [...spellings, ...spellings]) {
      const bought = await buy(app.test, { offersIds: [offerId], userEmail, billingDetails: details });
      expect(bought.body.data.order.userId).toBe(id);
      await app.wired.worker.runDue();
    }
    await app.test.post('/v0/checkout-sessions/create', { offersIds: [offerId], email: asAscii });
    const reference = `for ${asAscii}`;
    const toName = `name=${encodeURIComponent('Zoë-Łucja')}#${encodeURIComponent('Zoë-Łucja')}`;
    const path = `of/${encodeURIComponent('Zoë-Łucja')}/thanks`;
    const redirectUrl = `https://shop.example/${path}?to=${encodeURIComponent(asAscii)}&${toName}`;
    const prepared = { offersIds: [offerId], userId: id, reference, redirectUrl, cancelUrl: redirectUrl };
    expect((await app.test.post('/v0/checkout-sessions/create', prepared)).status).toBe(200);
    const opening = { userId: id, returnUrl: redirectUrl };
    expect((await app.test.post('/v0/portal-sessions/create', opening)).status).toBe(200);
    await (await openPage(app, `/checkout/${offerId}`)).quote({ email: asAscii, firstName: 'Zoë-Łucja' });
    await app.test.get('/v0/orders/list', { query: { term: asAscii } });
    // The log knows who is called so by the domain alone.
    await expectRefusal(app.test.post('/v0/users/create', { email: asAscii }), 409, 'email_taken');
    await expectRefusal(
      app.test.post('/v0/users/create', { email: `${written}.au`, id: 1 }),
      400,
      'invalid_input',
    );
    await app.wired.requestLog.flush();
    const words = [
      ...[written, asAscii, 'Zoë-Łucja', "O'Brïen", 'u0142ucja', '&#239;en', '%c5%81ucja'],
      ...[encodeURIComponent(asAscii), '&iuml;en', asBase64],
      ...['••••@bücher-amt.example"', '••••@xn--bcher-amt-q9a.example"'],
    ];
    const found = await findWords(words);
    expect(found.length).toBeGreaterThan(14);
    for (const word of words.slice(-4)) expect(found.some((one) => one.startsWith(word))).toBe(true);
    await accept(id);
    await advance(app, app.test.scope, 14 * DAY_MS);
    expect(await findWords(words)).toEqual([]);
    // Somebody else's, at a domain that begins the same.
    expect(await findWords(['••••@bücher-amt.example.au'])).toHaveLength(1);
  });

  it('Y27 waits until a subscription has ended that was begun meanwhile', async () => {
    const userEmail = 'comes.back@example.com';
    const { body } = await buy(app.test, { offersIds: [offerId], userEmail });
    const { userId } = body.data.order;
    await accept(userId);
    const again = await buy(app.test, { offersIds: [planId], userEmail });
    await advance(app, app.test.scope, 16 * DAY_MS);
    expect((await app.test.get(`/v0/users/${userId}`)).body.data.user.email).toBe(userEmail);
    await app.test.patch(`/v0/subscriptions/${again.body.data.subscription.id}/cancel`, {});
    await advance(app, app.test.scope, 2 * DAY_MS);
    expect((await app.test.get(`/v0/users/${userId}`)).body.data.user.email).toBeNull();
  });
});

describe('append-only tables', () => {
  const refused = (query: ReturnType<typeof sql>) =>
    expect(query.execute(app.service.db)).rejects.toThrow(/never changed|only ever added to/);

  it('Y27 let nobody change or empty them', async () => {
    await refused(sql`update audit_log set after = '{}'`);
    await refused(sql`delete from audit_log`);
    await refused(sql`truncate audit_log`);
    await refused(sql`update ledger_entries set amount = -amount`);
    await refused(sql`delete from invoices`);
  });

  it('Y27 let a transaction blank audit rows that says whose they are, and blank them alone', async () => {
    const { workspaceId } = app.test.scope;
    const inTransaction = (workspace: string, statement: string) =>
      app.service.db.transaction().execute(async (tx) => {
        await sql`select set_config('counterfoil.erasure', ${workspace}, true)`.execute(tx);
        await sql.raw(statement).execute(tx);
      });
    const own = `where workspace_id = '${workspaceId}'`;
    await inTransaction(workspaceId, `update audit_log set after = after ${own}`);
    for (const [workspace, statement] of [
      [app.other.scope.workspaceId, `update audit_log set after = '{}' ${own}`],
      [workspaceId, `update audit_log set actor = 'nobody' ${own}`],
      [workspaceId, `delete from audit_log ${own}`],
      [workspaceId, `update ledger_entries set amount = amount ${own}`],
    ] as const) {
      await expect(inTransaction(workspace, statement)).rejects.toThrow();
    }
    // The word holds for its transaction alone.
    await refused(sql`update audit_log set after = '{}'`);
  });
});
