/** Pages for frames of the dashboard: whoever may not see them gets none of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, makeAccount, openBrowser } from '../../test/support/browser.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';

let app: TestApp;
let workspaceId: string;
let mailId: string;
let offerId: string;
let admin: Browser;
let clerk: Browser;
let stranger: Browser;
beforeAll(async () => {
  app = await createTestApp();
  workspaceId = app.test.scope.workspaceId;
  offerId = await makeOffer(app.test, {});
  await app.test.post('/v0/test-purchases/create', {
    offersIds: [offerId],
    userEmail: 'buyer@example.com',
    billingDetails: { countryCode: 'DE' },
  });
  await app.service.clock.advance(app.test.scope, Date.now() + 120_000);
  const { body } = await app.test.get('/v0/mails/list');
  mailId = body.data.mails[0].id;
  await makeAccount(app, { email: 'admin@example.com' });
  const permissions = { orders: 'read' as const };
  await makeAccount(app, {
    email: 'clerk@example.com',
    member: { workspaceId, role: 'custom', permissions },
  });
  await makeAccount(app, { email: 'stranger@example.com', member: null });
  admin = openBrowser(app);
  clerk = openBrowser(app);
  stranger = openBrowser(app);
  await admin.signIn('admin@example.com');
  await clerk.signIn('clerk@example.com');
  await stranger.signIn('stranger@example.com');
});
afterAll(() => app?.close());

const mailPath = (mode = 'test', id = mailId) => `/dashboard/frames/mails/${workspaceId}/${mode}/${id}`;
const previewPath = () => `/checkout-preview/offer/${offerId}`;

describe('a mail in a frame', () => {
  it('D37 is sent under a policy that lets nothing run or leave', async () => {
    const { status, headers, text } = await admin.get(mailPath());
    expect(status).toBe(200);
    expect(text).toContain('<html');
    expect(headers['content-security-policy']).toBe(
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'",
    );
    expect(headers['x-frame-options']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it('says in its frame that what it is of is archived', async () => {
    const archived = await makeOffer(app.test);
    await app.test.patch(`/v0/offers/${archived}/archive`);
    const { status, headers, text } = await admin.get(`/checkout-preview/offer/${archived}`);
    expect(status).toBe(400);
    expect(text).toContain('"code":"offer_not_for_sale"');
    expect(String(headers['content-security-policy'])).toContain("frame-ancestors 'self'");
    expect(headers['x-frame-options']).toBeUndefined();
  });

  it('is nobody’s without a session, without the area, and of another workspace or mode', async () => {
    expect((await openBrowser(app).get(mailPath())).status).toBe(401);
    expect((await clerk.get(mailPath())).status).toBe(403);
    expect((await stranger.get(mailPath())).status).toBe(404);
    expect((await admin.get(mailPath('live'))).status).toBe(404);
    expect((await admin.get(mailPath('neither'))).status).toBe(404);
    expect((await admin.get(mailPath('test', 'x'))).status).toBe(404);
  });
});

describe('the preview of a checkout', () => {
  it('is shown to whoever reads products, in frames of our own pages alone', async () => {
    const { status, headers, text } = await admin.get(previewPath());
    expect(status).toBe(200);
    expect(String(headers['content-security-policy'])).toContain("frame-ancestors 'self'");
    expect(headers['x-frame-options']).toBeUndefined();
    expect(text).toContain('"apiUrl":""');
    const sessions = await app.service.db.selectFrom('checkoutSessions').select('id').execute();
    expect(sessions.length).toBe(1);
  });

  it('is nobody’s without a session, without the area, and of another workspace', async () => {
    expect((await openBrowser(app).get(previewPath())).status).toBe(401);
    expect((await clerk.get(previewPath())).status).toBe(403);
    expect((await stranger.get(previewPath())).status).toBe(404);
    expect((await admin.get('/checkout-preview/offer/x')).status).toBe(404);
    expect((await admin.get(previewPath().replace('offer', 'order'))).status).toBe(404);
  });
});

it('everything else is refused to all frames, in the words of old browsers too', async () => {
  const offers = await app.test.get('/v0/offers/list');
  for (const { headers } of [
    await admin.get('/dashboard'),
    await admin.get(`/checkout/${offerId}`),
    offers,
  ]) {
    expect(String(headers['content-security-policy'])).toContain("frame-ancestors 'none'");
    expect(headers['x-frame-options']).toBe('DENY');
  }
});
