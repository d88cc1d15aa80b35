/** Events: what happened, kept as a list and sent to the webhooks that ask for it. */
import { addDelivery } from '../../../core/deliver.ts';
import type { World } from '../../../core/world.ts';
import { type Account, insert, listRows, toId, toLink, type WebhookEvent } from '../world/rows.ts';

const VERSIONS: Readonly<Record<string, string>> = {
  capture: '2.0',
  'checkout-order': '2.0',
  dispute: '1.0',
  payment_token: '3.0',
  refund: '2.0',
};

/** Writes the event with the object as it is now. */
export function emit(
  world: World,
  account: Account,
  type: string,
  resourceType: string,
  resource: object,
  summary: string,
): void {
  const id = `WH-${toId(world)}-${toId(world)}`;
  const path = `/v1/notifications/webhooks-events/${id}`;
  const event: WebhookEvent = {
    id,
    event_version: '1.0',
    create_time: new Date(world.nowMs).toISOString(),
    resource_type: resourceType,
    resource_version: VERSIONS[resourceType] ?? '1.0',
    event_type: type,
    summary,
    resource: structuredClone(resource),
    links: [toLink(world, path, 'self'), toLink(world, `${path}/resend`, 'resend', 'POST')],
  };
  insert(world, 'event', account, id, event);
  const asking = listRows(world, 'webhook', account).filter(({ data }) =>
    data.event_types.some(({ name }) => name === '*' || name === type),
  );
  for (const webhook of asking.reverse()) addDelivery(world, account.id, id, webhook.id);
}
