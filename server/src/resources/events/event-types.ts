/** What is told to the outside: the types of events and the form of their payload. */
import { Type } from 'typebox';

export const EVENT_TYPES = [
  'payment_success',
  'payment_refunded',
  'payment_failed',
  'subscription_created',
  'subscription_interval',
  'subscription_updated',
  'subscription_cancelled',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** Whether it tells of a subscription itself, and not of a payment. */
export const isOfSubscription = (type: string) => type.startsWith('subscription_');

/**
 * A snapshot is answered as it was stored, so that the event of last year keeps the fields of last year:
 * its inner objects are open.
 */
const Snapshot = (description: string) => Type.Object({}, { additionalProperties: true, description });

export const EventData = Type.Object(
  {
    items: Type.Array(
      Snapshot('An item with product, variant and offer in short form; keys as id and last4.'),
      {
        description:
          'Of `subscription_*` events what the subscription consists of, of the others what the payment paid for.',
      },
    ),
    customFields: Type.Optional(Snapshot('The custom fields of all items as one.')),
    order: Snapshot('The order.'),
    payment: Snapshot('The payment that the event is about, or the latest one.'),
    customer: Snapshot('The user who bought.'),
    user: Snapshot('The same as `customer`.'),
    subscription: Type.Optional(Snapshot('The subscription, when one is involved.')),
    lastPayment: Type.Optional(Snapshot("The subscription's latest payment.")),
  },
  { additionalProperties: true },
);
