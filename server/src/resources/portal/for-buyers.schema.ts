/** Objects of the API as the portal answers them: without what the shop keeps for itself. */
import { type Static, type TSchema, Type } from 'typebox';
import { HIDDEN_FROM_BUYERS } from '../../domain/portal/buyer-view.ts';
import { Item, ListedOrder, Order } from '../orders/orders.schema.ts';
import { Charge, Payment } from '../payments/payments.schema.ts';
import { Refund } from '../refunds/refunds.schema.ts';
import { PaymentLine, UpcomingPayment } from '../subscriptions/subscription-billing.schema.ts';
import { Subscription } from '../subscriptions/subscriptions.schema.ts';
import { User } from '../users/users.schema.ts';

/** Named as the object with `Portal` before it. What points to another object points to its form for buyers. */
function forBuyers<T extends TSchema>(schema: T) {
  const { $id } = schema as { $id?: string };
  // A schema is plain JSON. What is left out of an answer on its way is left out of its type nowhere: handlers give all.
  return Type.Unsafe<Static<T>>({ ...(cut(schema) as object), $id: `Portal${$id}` });
}

/** The fields of an object as buyers see it, for one that has more. */
export function fieldsForBuyers(schema: TSchema): Record<string, TSchema> {
  // Cut from an object of ours, whose fields are schemas.
  return (cut(schema) as { properties: Record<string, TSchema> }).properties;
}

export const subscriptionFields = fieldsForBuyers(Subscription);

function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cut);
  if (typeof value !== 'object' || value === null) return value;
  const schema = { ...value } as Record<string, unknown>;
  if (typeof schema.$ref === 'string') return { ...schema, $ref: toPortalRef(schema.$ref) };
  const { properties, required, ...rest } = schema;
  const kept = Object.fromEntries(Object.entries(rest).map(([name, one]) => [name, cut(one)]));
  if (typeof properties !== 'object' || properties === null) return kept;
  const shown = Object.entries(properties).filter(([name]) => !HIDDEN_FROM_BUYERS.has(name));
  const needed = Array.isArray(required)
    ? required.filter((name) => !HIDDEN_FROM_BUYERS.has(name))
    : undefined;
  return {
    ...kept,
    properties: Object.fromEntries(shown.map(([name, one]) => [name, cut(one)])),
    ...(needed ? { required: needed } : {}),
  };
}

/** Those that other shapes point to. */
const SHOWN_IDS = [
  'Order',
  'Item',
  'Payment',
  'Charge',
  'Refund',
  'Subscription',
  'PaymentLine',
  'UpcomingPayment',
];

function toPortalRef(ref: string): string {
  return SHOWN_IDS.includes(ref.replace(/#$/, '')) ? `Portal${ref}` : ref;
}

export const PortalOrder = forBuyers(Order);
export const PortalListedOrder = forBuyers(ListedOrder);
export const PortalItem = forBuyers(Item);
export const PortalPayment = forBuyers(Payment);
export const PortalCharge = forBuyers(Charge);
export const PortalRefund = forBuyers(Refund);
export const PortalLine = forBuyers(PaymentLine);
export const PortalUpcomingPayment = forBuyers(UpcomingPayment);
export const PortalUser = forBuyers(User);

/** Shared shapes of the portal's operations. */
export const buyerComponents: readonly TSchema[] = [
  PortalOrder,
  PortalListedOrder,
  PortalItem,
  PortalPayment,
  PortalCharge,
  PortalRefund,
  PortalUser,
  PortalLine,
  PortalUpcomingPayment,
];
