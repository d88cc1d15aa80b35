/** The service's API as a bench asks it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Asks with a key pair; of an answer that is not 200 it throws. Answers its `data`. */
export function createApi(origin, keys) {
  const headers = toHeaders(keys);
  return async (method, target, body) => {
    const answer = await fetch(origin + target, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const parsed = await answer.json();
    if (answer.status !== 200) throw new Error(`${method} ${target}: ${JSON.stringify(parsed)}`);
    return parsed.data;
  };
}

export function toHeaders({ publicKey, secretKey }) {
  return {
    'x-svc-public-key': publicKey,
    'x-svc-secret-key': secretKey,
    'content-type': 'application/json',
  };
}

/** A buyer of whom nobody has heard; in a round of load `$n` is another number in each. */
export function toPurchase(offerId, userEmail = 'buyer-$n@example.com') {
  const billingDetails = { countryCode: 'DE', postalCode: '10115' };
  return { path: '/v0/test-purchases/create', body: { offersIds: [offerId], userEmail, billingDetails } };
}

/** A game that is sold for 24.99 USD; answers the id of its offer. */
export async function createOffer(api) {
  const body = { type: 'Game', name: 'Game', offers: [{ price: 2499, currency: 'USD' }] };
  return (await api('POST', '/v0/products/create', body)).offers[0].id;
}

/** An offer with its first sales, in the test store whose keys lie in the folder of the service. */
export async function createShop(origin, dataDir, { sales = 20 } = {}) {
  const { test } = JSON.parse(readFileSync(path.join(dataDir, 'credentials.json'), 'utf8'));
  const api = createApi(origin, test);
  const offerId = await createOffer(api);
  const paymentIds = [];
  for (let count = 0; count < sales; count += 1) {
    const { path: target, body } = toPurchase(offerId, `first-${count}@example.com`);
    paymentIds.push((await api('POST', target, body)).payment.id);
  }
  return { test, api, offerId, paymentIds };
}
