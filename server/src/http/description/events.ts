/** R3: events with their fields, told apart by their type, in answers and as what a webhook gets. */
import { EVENT_TYPES, isOfSubscription } from '../../resources/events/event-types.ts';
import { type Description, refTo, type Schema } from './document.ts';

/** The union of what is delivered; events whose body is gone stand beside it, and are answered alone. */
const UNION = 'WebhookEvent';
const OTHER = 'OtherEvent';

export function describeEvents(description: Description): void {
  const { schemas } = description.components;
  const { WebhookEvent: plain, Payment: payment, User: user, Item: item } = schemas;
  // The pieces of other descriptions, as tests make them, are none of ours.
  if (!plain?.properties || !payment?.properties || !user?.properties || !item?.properties) return;
  const { data: _open, ...envelope } = plain.properties;
  const { paymentData: _left, ...details } = user.properties;
  const amount = { type: 'integer', description: 'Minor units that this refund gave back.' };
  Object.assign(schemas, {
    EventPayment: closed({ ...payment.properties, refundAmount: amount }, ['refundAmount']),
    EventUser: closed(details),
    EventItem: closed({ ...item.properties, keys: { type: 'array', items: closed(KEY) } }),
    PaymentEventData: toData('EventItem'),
    SubscriptionEventData: toData('SubscriptionItem'),
    [OTHER]: closed(
      {
        ...envelope,
        type: { type: 'string', not: { enum: [...EVENT_TYPES] }, description: 'A type of a later version.' },
        data: { type: 'object', additionalProperties: true, description: 'What the type says.' },
      },
      FROM_A_RESTORE,
    ),
  });
  for (const type of EVENT_TYPES) {
    const data = isOfSubscription(type) ? 'SubscriptionEventData' : 'PaymentEventData';
    const word = { type: 'string', enum: [type], description: 'Of what happened.' };
    schemas[toEventName(type)] = closed(
      {
        ...envelope,
        type: word,
        data: { ...refTo(data), description: 'What it is about, as it was then.' },
      },
      FROM_A_RESTORE,
    );
  }
  schemas[UNION] = {
    description: 'What a webhook gets, told apart by `type`; types may be added.',
    anyOf: [...EVENT_TYPES.map((type) => refTo(toEventName(type))), refTo(OTHER)],
  };
  nameListed(schemas);
  description.webhooks = Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: toWebhook(type) }]));
}

/** `payment_success` is a `PaymentSuccessEvent`. */
export const toEventName = (type: string) =>
  `${type.replace(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase())}Event`;

const KEY: Record<string, Schema> = {
  id: { type: 'string', format: 'uuid', description: 'Of the key.' },
  last4: { type: ['string', 'null'], description: 'Its last 4 characters; null of a key of 8 or fewer.' },
};

/** What an envelope has from a restore on alone. */
const FROM_A_RESTORE = ['epoch'];

function closed(properties: Record<string, Schema>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', required, properties, additionalProperties: true };
}

function toData(item: string): Schema {
  return closed(
    {
      items: {
        type: 'array',
        items: refTo(item),
        description:
          'Of `subscription_*` events what the subscription consists of, of others what the payment paid for.',
      },
      customFields: {
        type: 'object',
        additionalProperties: true,
        description: 'The custom fields of all items as one.',
      },
      order: { ...refTo('Order'), description: 'The order.' },
      payment: {
        ...refTo('EventPayment'),
        description: 'The payment that the event is about, or the latest one; without a link that pays.',
      },
      customer: { ...refTo('EventUser'), description: 'The user who bought.' },
      user: { ...refTo('EventUser'), description: 'The same as `customer`.' },
      refund: { ...refTo('Refund'), description: 'Of `payment_refunded`: what was given back.' },
      subscription: { ...refTo('Subscription'), description: 'The subscription, when one is involved.' },
      lastPayment: {
        anyOf: [refTo('PaymentLabel'), { type: 'null' }],
        description: 'The subscription’s latest payment; null before the first.',
      },
    },
    ['customFields', 'refund', 'subscription', 'lastPayment'],
  );
}

/** A row of the list is an event, and how far it was delivered. */
function nameListed(schemas: Record<string, Schema>): void {
  const { ListedEvent: listed } = schemas;
  if (!listed?.properties) return;
  listed.properties.data = {
    type: 'object',
    additionalProperties: true,
    description: 'As in the event of this type.',
  };
}

function toWebhook(type: string) {
  return {
    operationId: `on${toEventName(type)}`,
    summary: `Told to webhooks that hear ${type}`,
    tags: ['webhooks'],
    security: [],
    parameters: HEADERS.map(([name, text]) => ({
      ...{ name, in: 'header', required: true, description: text },
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema: refTo(toEventName(type)) } } },
    responses: {
      '2XX': { description: 'Taken; all else is tried again, for some 2 days.' },
      '4XX': { description: 'Not taken: tried again, but after 410.' },
    },
  };
}

const HEADERS: ReadonlyArray<[string, string]> = [
  ['webhook-id', 'The event’s id, the same at every try.'],
  ['webhook-timestamp', 'When it was sent, in s since 1970.'],
  ['webhook-signature', '`v1,<base64>` by Standard Webhooks; two during a rotation, with a space between.'],
  ['x-svc-signature', '`sha256_<hex>`: HMAC-SHA256 of the raw body with the secret.'],
  ['x-svc-event', 'The type.'],
  ['x-svc-attempt', 'The number of the try, from 0.'],
];
