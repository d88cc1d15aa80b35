/** What the dashboard shows in frames: mails, and the checkout before it is saved. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { type SignedIn, signIn } from './support/member.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@first.example';
const SCRIPT = '<script>top.hit=1</script><img src=http://evil.example/a.png onerror="top.hit=1">';

let shop: Shop;
let base: string;
let offerId: string;
beforeAll(async () => {
  shop = await openShop();
  await makeAccount(shop.app, { email: EMAIL, name: 'Ada' });
  base = `${shop.origin}/dashboard/${shop.store.scope.workspaceId}/test`;
  offerId = await makeOffer(shop.store, { name: `Lantern ${SCRIPT}` });
  await shop.store.post('/v0/test-purchases/create', {
    offersIds: [offerId],
    userEmail: 'buyer@example.com',
    billingDetails: { countryCode: 'DE' },
  });
  await shop.app.service.clock.advance(shop.store.scope, Date.now() + 120_000);
});
afterAll(() => shop?.close());

async function asMember(work: (of: SignedIn) => Promise<void>) {
  const signedIn = await signIn(shop, EMAIL);
  await work(signedIn);
  await signedIn.leave();
}

const findMailId = async (): Promise<string> =>
  (await shop.store.get('/v0/mails/list')).body.data.mails.find(
    ({ to }: { to: string }) => to === 'buyer@example.com',
  ).id;

test('D37 a mail with script in a name is shown as its reader sees it, and nothing runs or leaves', () =>
  asMember(async ({ page }) => {
    await page.goto(`${base}/mail/${await findMailId()}`);
    const frame = page.frameLocator('iframe[title="As its reader sees it"]');
    await frame.getByText('Lantern <script>').first().waitFor();
    // The plain twin stands below.
    await page.locator('.mail-text', { hasText: 'Lantern <script>' }).waitFor();
    expect(await page.evaluate('window.hit')).toBeUndefined();
  }));

test('D37 what got into a mail as it is does not run either', async () => {
  const id = await findMailId();
  const html = `<!doctype html><html><body><p>Raw</p>${SCRIPT}<form action="http://evil.example/"></form></body></html>`;
  await shop.app.service.db.updateTable('mails').set({ letter: null, html }).where('id', '=', id).execute();
  const { page, problems } = await signIn(shop, EMAIL);
  const ends: string[] = [];
  page.on('requestfailed', (request) => {
    if (request.url().includes('evil.example')) ends.push(request.failure()?.errorText ?? '');
  });
  page.on('requestfinished', (request) => {
    if (request.url().includes('evil.example')) ends.push('finished');
  });
  await page.goto(`${base}/mail/${id}`);
  await page.frameLocator('.mail-frame').getByText('Raw').waitFor();
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate('window.hit')).toBeUndefined();
  // The browser says itself that it let nothing through.
  expect(ends).toEqual(['csp']);
  expect(problems.some((problem) => problem.includes('Blocked script execution'))).toBe(true);
  await page.context().close();
});

/** The colour of the button to pay, as it is drawn. */
const COLOUR = "getComputedStyle(document.querySelector('.submit button')).backgroundColor";
const countSessions = async () =>
  (await shop.app.service.db.selectFrom('checkoutSessions').select('id').execute()).length;

test('D33 the preview shows an accent that was not saved, and writes no session', () =>
  asMember(async ({ page }) => {
    const before = await countSessions();
    await page.goto(`${base}/settings/branding`);
    const accent = page.getByRole('textbox', { name: /^Accent/ });
    const pay = page.frameLocator('iframe[title="Checkout preview"]').locator('.submit button');
    await pay.waitFor();
    await accent.fill('#7a1f5c');
    const frame = page.frames().find((one) => one.url().includes('/checkout-preview/'));
    await expect.poll(() => frame?.evaluate(COLOUR)).toBe('rgb(122, 31, 92)');
    expect(await frame?.evaluate("document.querySelectorAll('[inert]').length")).toBe(1);
    expect(await countSessions()).toBe(before);
    // What cannot be read is refused at its field.
    await accent.fill('#ffee00');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The accent cannot be read on white').waitFor();
    const { body } = await shop.store.get('/v0/settings');
    expect(body.data.settings.branding.accent).toBeNull();
  }));

test('D33 the preview asks for nothing and stays at its top, wherever its browser is', async () => {
  const { page, leave } = await signIn(shop, EMAIL, { timezoneId: 'Europe/Berlin' });
  const posted: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.frame() !== page.mainFrame()) posted.push(request.url());
  });
  await page.goto(`${base}/settings/branding`);
  const frame = page.frameLocator('iframe[title="Checkout preview"]');
  await frame.locator('.submit button[aria-busy="false"]').waitFor();
  await page.waitForLoadState('networkidle');
  const shown = page.frames().find((one) => one.url().includes('/checkout-preview/'));
  expect([posted, await shown?.evaluate('scrollY')]).toEqual([[], 0]);
  expect(await frame.locator('select[name="countryCode"]').inputValue()).not.toBe('');
  await leave();
});

test('D33 a checkout has the code to copy and its preview', () =>
  asMember(async ({ page }) => {
    const { body } = await shop.store.post('/v0/elements/checkout/create', { offersIds: [offerId] });
    const { id, url } = body.data.checkoutElement;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${base}/catalogue/checkouts/${id}`);
    await page.getByRole('button', { name: 'Copy code' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`<a href="${url}">Buy</a>`);
    await page.frameLocator('iframe[title="Checkout preview"]').locator('.submit button').waitFor();
  }));

test('the checkout bears the look of its shop, in light and in dark', async () => {
  await shop.changeSettings({
    branding: {
      logo: null,
      icon: null,
      accent: '#7a1f5c',
      theme: 'dark',
      termsUrl: 'https://shop.example/terms',
      privacyUrl: null,
      imprintUrl: 'https://shop.example/imprint',
      websiteUrl: null,
    },
  });
  const { context, problems, newTab } = await shop.openBuyer({ colorScheme: 'light' });
  const page = await newTab();
  await page.goto(`${shop.origin}/checkout/${offerId}`);
  await page.locator('.submit button').waitFor();
  expect(await page.evaluate("document.documentElement.dataset['theme']")).toBe('dark');
  const colour = String(await page.evaluate(COLOUR));
  expect(colour).not.toBe('rgb(122, 31, 92)');
  const footer = page.getByRole('contentinfo');
  expect(await footer.getByRole('link', { name: 'Terms' }).getAttribute('href')).toBe(
    'https://shop.example/terms',
  );
  await footer.getByRole('link', { name: 'Imprint' }).waitFor();
  expect(await footer.getByRole('link', { name: 'Privacy' }).count()).toBe(0);
  expect(problems).toEqual([]);
  await context.close();
});
