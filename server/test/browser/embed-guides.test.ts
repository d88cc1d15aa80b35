/** The guides' code as it stands, in pages of a shop. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { field, fillIn, pay } from './support/checkout.ts';
import { openSellingSite } from './support/selling-site.ts';
import { listOrders } from './support/shop.ts';
import { checkoutIn, until, waitForEvent } from './support/shop-page.ts';

const at = openSellingSite();

/** The code blocks of a guide, with the addresses of this test in place of the examples'. */
async function readBlocks(guide: string, kind: string): Promise<string[]> {
  const text = await readFile(new URL(`../../../docs/guides/${guide}.md`, import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/```(\w*)[^\n]*\n([\s\S]*?)```/g)].filter(([, name]) => name === kind);
  return blocks.map(([, , code = '']) =>
    code.replaceAll('https://pay.example', at.shop.origin).replaceAll('OFFER', at.offerId),
  );
}

it.each(['checkout-in-your-page', 'checkout-in-wordpress'])(
  '%s opens over the page and within it',
  async (guide) => {
    const [link = '', container = ''] = await readBlocks(guide, 'html');
    const [policy = ''] = await readBlocks('checkout-in-your-page', 'text');
    const headers = { 'content-security-policy': policy.replace('script-src', "script-src 'self'").trim() };
    const buyer = await at.shop.openBuyer();
    const page = await buyer.newTab();
    const script = `<script src="${at.shop.origin}/embed/v1.js" async></script>`;
    for (const body of [link, script + container]) {
      const html = `<!doctype html><meta charset="utf-8"><script src="/events.js"></script>${body}`;
      await page.goto(at.site.show(`/${guide}`, html, headers));
      await until(page, 'window.Counterfoil !== undefined');
      if (body === link) await page.getByRole('link', { name: 'Buy' }).click();
      await waitForEvent(page, 'loaded');
      await field(checkoutIn(page), 'Email').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(body === link ? 1 : 0);
      expect(await page.evaluate('window.violations')).toEqual([]);
    }
    await buyer.context.close();
  },
);

it('the calls of the guide for scripts open the checkout and listen', async () => {
  const [code = ''] = await readBlocks('checkout-in-your-page', 'js');
  const buyer = await at.shop.openBuyer();
  const page = await buyer.newTab();
  at.site.show('/guide.js', `addEventListener('load', () => { ${code} });`);
  const scripts = `<script src="/events.js"></script><script src="${at.shop.origin}/embed/v1.js"></script>`;
  await page.goto(at.site.show('/calls', `<!doctype html>${scripts}<body><script src="/guide.js"></script>`));
  await waitForEvent(page, 'loaded');
  await expect.poll(() => page.getByRole('dialog', { name: 'Checkout' }).count()).toBe(1);
  await buyer.context.close();
});

it('the address of the guide for WooCommerce brings its order’s number to ours and back', async () => {
  await at.shop.changeSettings({ authorizedDomains: ['https://shop.example'] });
  const [address = ''] = await readBlocks('checkout-in-woocommerce', 'text');
  const buyer = await at.shop.openBuyer();
  const page = await buyer.newTab();
  await page.route('https://shop.example/**', (route) => route.abort());
  await page.goto(address.trim());
  await fillIn(page);
  await pay(page);
  const back = page.getByRole('link', { name: 'Continue to shop.example' });
  const { origin, pathname, searchParams } = new URL((await back.getAttribute('href')) ?? '');
  expect([origin + pathname, searchParams.get('svc-reference')]).toEqual([
    'https://shop.example/checkout/order-received/1042',
    '1042',
  ]);
  expect(await listOrders(at.shop, 'ada@example.com')).toMatchObject([{ status: 'PAID', reference: '1042' }]);
  await buyer.context.close();
});
