/** Subscriptions as their buyer sees them. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { toWholeName } from '../../domain/item-note.ts';
import { currencyDecimals } from '../../domain/money/currency.ts';
import { CANCEL_REASONS } from '../../domain/settings-blocks.ts';
import { AmountType, type Discount, Duration } from '../discounts/discounts.schema.ts';
import { pageAnswer, pageQuery } from '../paging.ts';
import {
  Answer,
  Body,
  Component,
  Currency,
  Described,
  IdOrNumber,
  Lines,
  Minor,
  Ms,
  Nullable,
  StringEnum,
  TimeInput,
  Uuid,
} from '../shapes.ts';
import type { SubscriptionItemRow } from '../subscriptions/subscriptions.queries.ts';
import type { Subscription } from '../subscriptions/subscriptions.schema.ts';
import { PortalLine, PortalPayment, PortalUpcomingPayment, subscriptionFields } from './for-buyers.schema.ts';
import type { PlanOffer } from './plans.queries.ts';

export const ACTIONS = ['change', 'cancel', 'keep', 'pause', 'resume', 'pay', 'subscribe_again'] as const;
export type BuyerAction = (typeof ACTIONS)[number];

const beside = {
  owed: Described(
    Nullable(Answer(null, { amount: Minor(), payUrl: Type.String({ description: 'The page to pay on.' }) })),
    'What is to be paid now; null: nothing.',
  ),
  actions: Type.Array(StringEnum(ACTIONS), { description: 'What the buyer may do now.' }),
  actionUrl: Nullable(Type.String({ description: 'Where a payment under way waits to be authenticated.' })),
  cardUrl: Nullable(
    Type.String({ description: 'Where another method of payment is given; null once it has ended.' }),
  ),
  againUrl: Nullable(Type.String({ description: 'The checkout of the same offer, of one that ended.' })),
  currencyDecimals: Type.Integer(),
  stayOffer: Nullable(Type.String({ description: 'What is offered to whoever is about to leave.' })),
  stayTerms: Described(
    Nullable(
      Answer(null, {
        amount: Type.Number({ description: 'Minor units of a fixed discount, percent of a percentage.' }),
        amountType: AmountType,
        duration: Duration,
        durationIntervals: Nullable(Type.Integer()),
      }),
    ),
    'What it takes off, and of how many payments; null: nothing is offered.',
  ),
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
  stayTerms: StayTerms | null;
};

export type StayTerms = Pick<
  Static<typeof Discount>,
  'amount' | 'amountType' | 'duration' | 'durationIntervals'
>;

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
  current: Type.Boolean({ description: 'Whether it is the plan that runs.' }),
});
export const PlansData = Answer(null, {
  plans: Type.Array(Component(PortalPlan), {
    description: 'What can be changed to, beside the plan that runs; none where nothing can be changed.',
  }),
  quantity: Nullable(Type.Integer({ description: 'Of the plan that runs.' })),
  quantityChange: Type.Boolean(),
});

/** `item`: what is subscribed to, which keeps the price that it was sold at. */
export function toPortalPlan(row: PlanOffer, item: SubscriptionItemRow | null): Static<typeof PortalPlan> {
  const running = row.offerId === item?.offerId ? item : null;
  return {
    object: 'plan',
    offerId: row.offerId,
    name: namePlan(row, item),
    price: Number(running?.unitPrice ?? row.price),
    // A currency of the list: checked on the way in.
    currency: row.currency as Static<typeof PortalPlan>['currency'],
    currencyDecimals: currencyDecimals(row.currency),
    recurringInterval: row.recurringInterval ?? 'month',
    recurringIntervalCount: row.recurringIntervalCount ?? 1,
    // The plan's own, else the product's.
    features: (row.features?.length ? row.features : row.productFeatures).map(({ value }) => value),
    current: running !== null,
  };
}

/** By more than `Monthly` where that leaves open which plan it is: the product is said where it is another one. */
function namePlan(row: PlanOffer, item: SubscriptionItemRow | null): string {
  return toWholeName({
    name: row.name ?? row.variantName ?? row.productName,
    product: row.productId === item?.productId ? null : { name: row.productName },
    variant: { name: row.variantName },
  });
}

interface RunningPlan {
  item: SubscriptionItemRow & { offerId: string };
  subscription: Pick<Row<'subscriptions'>, 'currency' | 'recurringInterval' | 'recurringIntervalCount'>;
}

/** The plan that runs, as it was bought: it may not be for sale any more. */
export function toRunningPlan({ item, subscription }: RunningPlan): Static<typeof PortalPlan> {
  const { currency, recurringInterval, recurringIntervalCount } = subscription;
  return {
    object: 'plan',
    offerId: item.offerId,
    name: toWholeName({ ...item, product: null }),
    price: Number(item.unitPrice),
    // A currency of the list: checked on the way in.
    currency: currency as Static<typeof PortalPlan>['currency'],
    currencyDecimals: currencyDecimals(currency),
    ...{ recurringInterval, recurringIntervalCount },
    features: [],
    current: true,
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
  fingerprint: Type.String({
    pattern: '^[\\w.-]{1,100}$',
    description: 'Names the very sums of a preview: a change is given it.',
  }),
});

export const ChangePreview = Answer('ChangePreview', {
  object: StringEnum(['change_preview']),
  lines: Type.Array(Component(PortalLine)),
  amountDue: Minor({ description: 'What is paid now.' }),
  amountReturned: Minor({ description: 'What the change pays back, in minor units.' }),
  returns: Type.Array(Answer(null, { paymentId: Uuid(), amount: Minor(), tax: Minor() })),
  currency: Currency(),
  currencyDecimals: Type.Integer(),
  nextPayment: Nullable(Component(PortalUpcomingPayment)),
  prorationDate: Ms(),
  fingerprint: Type.String({ description: 'Names the very sums of a preview: a change is given it.' }),
});
export const ChangePreviewData = Answer(null, { preview: Component(ChangePreview) });
export const ChangedData = Answer(null, {
  subscription: Shown,
  payment: Nullable(Component(PortalPayment)),
  action: Nullable(Answer(null, { url: Type.String({ description: 'Where the bank asks the buyer.' }) })),
});

export const CancelOwn = Body({
  timing: Type.Optional(
    StringEnum(['endInterval', 'immediately'], {
      description: 'When it ends: with the interval, or at once.',
    }),
  ),
  reason: Type.Optional(StringEnum(CANCEL_REASONS)),
  comment: Type.Optional(Lines(1000, { description: 'What the buyer writes about it.' })),
});
export const KeepOwn = Body({
  acceptOffer: Type.Optional(
    Type.Boolean({ description: 'Whether the buyer takes what is given to whoever stays.' }),
  ),
});
export const PauseOwn = Body({ resumeAt: Type.Optional(TimeInput()) });
