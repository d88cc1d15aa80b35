/** How Stripe sends an event: signed, and again for three days. */
import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';
import { type Delivery, type DeliveryMode, type Post, post } from '../../../core/deliver.ts';
import type { World } from '../../../core/world.ts';
import type { Row } from '../world/rows.ts';

const OLD_S = 600;
const MINUTE_MS = 60_000;

export const POST: Post = {
  retriesMs: [1, 5, 30, 120, 300, 600, 720, 720, 720, 720].map((minutes) => minutes * MINUTE_MS),
  send,
  onTaken: (world, delivery) => {
    const event = world.store.get<Row<Stripe.Event>>('event', delivery.event);
    if (!event) return;
    event.data.pending_webhooks -= 1;
    world.store.put('event', event.data.id, event);
  },
};

function send(
  world: World,
  delivery: Delivery,
  signature: DeliveryMode['signature'],
): Promise<boolean> | null {
  const event = world.store.get<Row<Stripe.Event>>('event', delivery.event);
  const endpoint = world.store.get<Row<Stripe.WebhookEndpoint>>('webhook_endpoint', delivery.endpoint);
  if (!event || !endpoint) return null;
  const body = JSON.stringify(event.data, null, 2);
  return post(endpoint.data.url, body, {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': sign(body, endpoint.hidden.secret ?? '', signature),
    'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
  });
}

function sign(body: string, secret: string, how: DeliveryMode['signature']): string {
  const at = Math.floor(Date.now() / 1000) - (how === 'old' ? OLD_S : 0);
  const key = how === 'wrong' ? `${secret}x` : secret;
  return `t=${at},v1=${createHmac('sha256', key).update(`${at}.${body}`).digest('hex')}`;
}
