/** Run as it stands by every runtime: it lists, is refused, signs and verifies, with nothing but the package. */
import { Counterfoil, hasCode } from '@counterfoil/sdk';
import { signWebhook, verifyWebhook } from '@counterfoil/sdk/webhooks';

export async function probe(options) {
  const shop = new Counterfoil(options);
  const { product } = await shop.products.create({ type: 'Game', name: 'Chess' });
  const names = [];
  for await (const one of shop.products.list()) names.push(one.name);
  const refused = await shop.products.get('01890000-0000-7000-8000-000000000000').catch((error) => error);
  const secret = 'whsec_Y291bnRlcmZvaWwtc2hhcmVkLXZlY3Rvcg==';
  const body = JSON.stringify({ id: 'e1', type: 'payment_success', data: {} });
  const headers = await signWebhook({ body, secret, id: 'e1', timestampS: Math.floor(Date.now() / 1000) });
  const event = await verifyWebhook({ body, headers, secret });
  return [product.name, names.includes('Chess'), hasCode(refused, 'not_found'), event.type].join(' ');
}
