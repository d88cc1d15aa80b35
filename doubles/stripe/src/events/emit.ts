/** Events: what happened, kept as a list and sent to the webhook endpoints that ask for it. */
import type Stripe from 'stripe';
import { addDelivery } from '../../../core/deliver.ts';
import type { World } from '../../../core/world.ts';
import { API_VERSION } from '../objects/blank.ts';
import { type Account, insert, listRows } from '../world/rows.ts';

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
  for (const endpoint of endpoints.reverse()) addDelivery(world, account.id, event.id, endpoint.data.id);
}

function isAsked(endpoint: Stripe.WebhookEndpoint, type: string): boolean {
  if (endpoint.status !== 'enabled') return false;
  return endpoint.enabled_events.includes('*') || endpoint.enabled_events.includes(type);
}
