/** Events: what happened, kept as a list and sent to the webhook endpoints that ask for it. */
import type Stripe from 'stripe';
import { API_VERSION } from '../objects/blank.ts';
import { type Account, insert, listRows } from '../world/rows.ts';
import type { World } from '../world/world.ts';

export interface Delivery {
  id: string;
  event: string;
  endpoint: string;
  account: string;
  order: number;
  tries: number;
  state: 'failed' | 'sent' | 'waiting';
}

/** Writes the event with the object as it is now. */
export function emit(
  world: World,
  account: Account,
  type: Stripe.Event['type'] | string,
  object: object,
  previous?: object,
): void {
  const data = { object: structuredClone(object), ...(previous ? { previous_attributes: previous } : {}) };
  const endpoints = listRows(world, 'webhook_endpoint', account).filter(({ data: endpoint }) =>
    isAsked(endpoint, type),
  );
  const event = {
    id: world.id('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: world.now,
    data,
    livemode: account.isLive,
    pending_webhooks: endpoints.length,
    request: { id: null, idempotency_key: null },
    type,
  } as unknown as Stripe.Event;
  insert(world, 'event', account, event);
  for (const endpoint of endpoints.reverse()) {
    const order = world.count('deliveries');
    const id = `del_${order}`;
    world.store.put<Delivery>('delivery', id, {
      id,
      event: event.id,
      endpoint: endpoint.data.id,
      account: account.id,
      order,
      tries: 0,
      state: 'waiting',
    });
    world.onDelivery(id);
  }
}

function isAsked(endpoint: Stripe.WebhookEndpoint, type: string): boolean {
  if (endpoint.status !== 'enabled') return false;
  return endpoint.enabled_events.includes('*') || endpoint.enabled_events.includes(type);
}
