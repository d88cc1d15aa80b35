/** A machine that asks for keys, as its person lets it in by the page. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount } from '../support/browser.ts';
import { button, type SignedIn, signIn } from './support/member.ts';
import { openShop, type Shop } from './support/shop.ts';

const EMAIL = 'ada@first.example';
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
let shop: Shop;
let ada: SignedIn;
beforeAll(async () => {
  shop = await openShop();
  await makeAccount(shop.app, { email: EMAIL, name: 'Ada' });
  ada = await signIn(shop, EMAIL);
});
afterAll(async () => {
  await ada?.leave();
  await shop?.close();
});

async function post(path: string, fields: Record<string, string>) {
  const answer = await fetch(`${shop.origin}${path}`, { method: 'POST', body: new URLSearchParams(fields) });
  return (await answer.json()) as Record<string, string>;
}
const ask = () => post('/oauth/device_authorization', { client_id: 'CLI on ada-laptop' });
const redeem = (device: Record<string, string>) =>
  post('/oauth/token', {
    grant_type: GRANT,
    device_code: device.device_code ?? '',
    client_id: 'CLI on ada-laptop',
  });

async function type(code: string): Promise<void> {
  await ada.page.goto(`${shop.origin}/dashboard/device`);
  await ada.page.getByLabel('Code', { exact: true }).fill(code);
  await button(ada.page, 'Continue').click();
}

test('X17 of two machines one is allowed and one denied, each by its own code', async () => {
  const [first, second] = [await ask(), await ask()];
  // An empty one would be asked for at another address.
  for (const none of ['', 'XLXW', 'XLXW-CHHZ-W', '1234-5678']) {
    await type(none);
    await ada.page.getByText('The code has eight letters, such as BCDF-GHJK.').waitFor();
  }
  await type('ZZZZ-ZZZZ');
  await ada.page.getByText('No machine shows this code now.').waitFor();
  const code = first.user_code ?? '';
  await type(` ${code.toLowerCase().replace('-', '')}`);
  // As the machine shows it: the two are compared by eye.
  await ada.page.getByText(code, { exact: true }).waitFor();
  await button(ada.page, 'Allow').click();
  await ada.page.getByText('The device is allowed').waitFor();
  await type(second.user_code ?? '');
  await button(ada.page, 'Deny').click();
  await expect.poll(async () => (await redeem(second)).error).toBe('access_denied');
  const told = await redeem(first);
  expect(told.error).toBeUndefined();
  expect(JSON.stringify(told)).toContain('pub_test_');
  await type(code);
  await ada.page.getByText('No machine shows this code now.').waitFor();
});
