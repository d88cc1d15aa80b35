/** Subscriptions as their buyer sees them. */
import { type Static, Type } from 'typebox';
import { currencyDecimals } from '../../domain/money/currency.ts';
import { CANCEL_REASONS } from '../../domain/settings-blocks.ts';
import { pageAnswer, pageQuery } from '../paging.ts';
import {
  Answer,
  Body,
  Component,
  Currency,
  IdOrNumber,
  Lines,
  Minor,
  Ms,
  Nullable,
  StringEnum,
  TimeInput,
  Uuid,
} from '../shapes.ts';
import type { Subscription } from '../subscriptions/subscriptions.schema.ts';
import { PortalLine, PortalPayment, PortalUpcomingPayment, subscriptionFields } from './for-buyers.schema.ts';
import type { PlanOffer } from './plans.queries.ts';

export const ACTIONS = ['change', 'cancel', 'keep', 'pause', 'resume', 'pay', 'subscribe_again'] as const;
export type BuyerAction = (typeof ACTIONS)[number];

const beside = {
  owed: Nullable(Answer(null, { amount: Minor(), payUrl: Type.String() })),
  actions: Type.Array(StringEnum(ACTIONS), { description: 'What the buyer may do now.' }),
  actionUrl: Nullable(Type.String({ description: 'Where a payment under way waits to be authenticated.' })),
  cardUrl: Nullable(
    Type.String({ description: 'Where another method of payment is given; null once it has ended.' }),
  ),
  againUrl: Nullable(Type.String({ description: 'The checkout of the same offer, of one that ended.' })),
  currencyDecimals: Type.Integer(),
  stayOffer: Nullable(Type.String({ description: 'What is offered to whoever is about to leave.' })),
};

export const BuyerSubscription = Answer('BuyerSubscription', { ...subscriptionFields, ...beside });

/** A subscription of the API, with what is shown beside it. */
export type ShownSubscription = Static<typeof Subscription> & {
  owed: { amount: number; payUrl: string } | null;
  actions: BuyerAction[];
  actionUrl: string | null;
  cardUrl: string | null;
  againUrl: string | null;
  currencyDecimals: number;
  stayOffer: string | null;
};

/** Its fields are cut from the API's, so that their types are not known by name. */
const Shown = Type.Unsafe<ShownSubscription>({ $ref: 'BuyerSubscription#' });

export const OwnSubscriptionParams = Type.Object({ subscriptionId: IdOrNumber() });
export const ListOwnSubscriptions = Type.Object(pageQuery);
export const OwnSubscriptionsData = Answer(null, { subscriptions: Type.Array(Shown), ...pageAnswer });
export const OwnSubscriptionData = Answer(null, { subscription: Shown });
export const OwnUpcomingData = Answer(null, {
  upcomingPayment: Nullable(Component(PortalUpcomingPayment)),
});

export const PortalPlan = Answer('PortalPlan', {
  object: StringEnum(['plan']),
  offerId: Uuid(),
  name: Type.String(),
  price: Minor(),
  currency: Currency(),
  currencyDecimals: Type.Integer(),
  recurringInterval: StringEnum(['day', 'week', 'month', 'year']),
  recurringIntervalCount: Type.Integer(),
  features: Type.Array(Type.String()),
  current: Type.Boolean(),
});
export const PlansData = Answer(null, {
  plans: Type.Array(Component(PortalPlan)),
  quantity: Nullable(Type.Integer({ description: 'Of the plan that runs.' })),
  quantityChange: Type.Boolean(),
});

export function toPortalPlan(row: PlanOffer, currentId: string | null): Static<typeof PortalPlan> {
  return {
    object: 'plan',
    offerId: row.offerId,
    name: row.name ?? row.variantName ?? row.productName,
    price: Number(row.price),
    // A currency of the list: checked on the way in.
    currency: row.currency as Static<typeof PortalPlan>['currency'],
    currencyDecimals: currencyDecimals(row.currency),
    recurringInterval: row.recurringInterval ?? 'month',
    recurringIntervalCount: row.recurringIntervalCount ?? 1,
    features: (row.features ?? []).map(({ value }) => value),
    current: row.offerId === currentId,
  };
}

const change = {
  offerId: Uuid(),
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
};
export const PreviewChange = Body(change);
export const MakeChange = Body({
  ...change,
  prorationDate: TimeInput(),
  fingerprint: Type.String({ pattern: '^[\\w.-]{1,100}$' }),
});

export const ChangePreview = Answer('ChangePreview', {
  object: StringEnum(['change_preview']),
  lines: Type.Array(Component(PortalLine)),
  amountDue: Minor({ description: 'What is paid now.' }),
  amountReturned: Minor(),
  returns: Type.Array(Answer(null, { paymentId: Uuid(), amount: Minor(), tax: Minor() })),
  currency: Currency(),
  currencyDecimals: Type.Integer(),
  nextPayment: Nullable(Component(PortalUpcomingPayment)),
  prorationDate: Ms(),
  fingerprint: Type.String(),
});
export const ChangePreviewData = Answer(null, { preview: Component(ChangePreview) });
export const ChangedData = Answer(null, {
  subscription: Shown,
  payment: Nullable(Component(PortalPayment)),
  action: Nullable(Answer(null, { url: Type.String({ description: 'Where the bank asks the buyer.' }) })),
});

export const CancelOwn = Body({
  timing: Type.Optional(StringEnum(['endInterval', 'immediately'])),
  reason: Type.Optional(StringEnum(CANCEL_REASONS)),
  comment: Type.Optional(Lines(1000)),
});
export const KeepOwn = Body({ acceptOffer: Type.Optional(Type.Boolean()) });
export const PauseOwn = Body({ resumeAt: Type.Optional(TimeInput()) });
