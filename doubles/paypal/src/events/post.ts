/** How PayPal sends an event: signed over the bytes, and again up to 25 times in three days. */
import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Delivery, type DeliveryMode, type Post, post } from '../../../core/deliver.ts';
import type { World } from '../../../core/world.ts';
import type { Row, Webhook, WebhookEvent } from '../world/rows.ts';

const TRIES = 25;
const EVERY_MS = Math.floor((3 * 24 * 3_600_000) / TRIES);
const OLD_MS = 600_000;

export const POST: Post = { retriesMs: Array.from({ length: TRIES }, () => EVERY_MS), send };

export interface Transmission {
  id: string;
  time: string;
  webhookId: string;
  body: string;
}

function send(
  world: World,
  delivery: Delivery,
  signature: DeliveryMode['signature'],
): Promise<boolean> | null {
  const event = world.store.get<Row<WebhookEvent>>('event', delivery.event);
  const webhook = world.store.get<Row<Webhook>>('webhook', delivery.endpoint);
  if (!event || !webhook || webhook.hidden.isGone) return null;
  const body = JSON.stringify(event.data);
  const time = new Date(Date.now() - (signature === 'old' ? OLD_MS : 0)).toISOString();
  const id = world.digest(`transmission ${delivery.id} ${delivery.tries}`, 32).toLowerCase();
  const said = sign(world, { id, time, webhookId: webhook.id, body });
  return post(webhook.data.url, body, {
    'content-type': 'application/json',
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': signature === 'wrong' ? `x${said}` : said,
    'paypal-cert-url': `${world.publicUrl}/certs/CERT-360caa42`,
    'paypal-auth-algo': 'SHA256withRSA',
    'user-agent': 'PayPal/AUHD-214.0-58000000',
  });
}

/** Over id, time, webhook and the checksum of the bytes, as PayPal's certificate signs it. */
export function sign(world: World, { id, time, webhookId, body }: Transmission): string {
  const text = `${id}|${time}|${webhookId}|${crc32(body)}`;
  return createHmac('sha256', world.seed).update(text).digest('base64');
}
