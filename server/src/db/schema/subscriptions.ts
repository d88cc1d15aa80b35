import type { SubscriptionStatus } from '../../domain/states/subscription.ts';
import type { Defaulted, Json, JsonDefault, Scoped } from './columns.ts';
import type { IntervalUnit } from './offers.ts';
import type { BillingDetailsJson } from './users.ts';

export interface SubscriptionTables {
  subscriptions: SubscriptionsTable;
  subscriptionItems: SubscriptionItemsTable;
}

export interface SubscriptionsTable extends Scoped {
  id: string;
  number: string;
  orderId: string;
  userId: string;
  status: SubscriptionStatus;
  currency: string;
  value: bigint;
  recurringInterval: IntervalUnit;
  recurringIntervalCount: number;
  anchorAt: number | null;
  currentIntervalStart: number | null;
  currentIntervalEnd: number | null;
  trialStart: number | null;
  trialEnd: number | null;
  cancelAtIntervalEnd: Defaulted<boolean>;
  canceledAt: number | null;
  endedAt: number | null;
  pausedAt: number | null;
  resumeAt: number | null;
  cancelReason: string | null;
  /** By which it is billed and taxed, whatever its user's are; null = none. */
  billingDetails: Json<BillingDetailsJson> | null;
  paymentMethodId: string | null;
  discount: Json<unknown> | null;
  discountUses: Defaulted<number>;
  discountSince: number | null;
  discountBefore: Json<unknown> | null;
  pendingChange: Json<unknown> | null;
  pendingPaymentId: string | null;
  scheduledChange: Json<unknown> | null;
  skipNotifications: Defaulted<boolean>;
  dunningStartedAt: number | null;
  dunningFailures: Defaulted<number>;
  dunningErrors: Defaulted<number>;
  dunningHard: Defaulted<boolean>;
  retryAt: number | null;
  /** What tells the card of its trial from others: a keyed hash. */
  trialCard: string | null;
  /** Until when its workspace was archived last: periods that began before went by unpaid. */
  stoodStillUntil: number | null;
  pauseBehavior: 'void' | 'keep_as_draft' | 'mark_uncollectible' | null;
  lastPaymentId: string | null;
  /** The import that made it; null = it began here. */
  broughtBy: string | null;
  /** It is here, and nothing is done for it until it is activated. */
  waiting: Defaulted<boolean>;
  version: Defaulted<number>;
  createdAt: number;
}

export interface SubscriptionItemsTable extends Scoped {
  id: string;
  subscriptionId: string;
  position: number;
  offerId: string | null;
  productId: string | null;
  variantId: string | null;
  name: string;
  internalId: string | null;
  unitPrice: bigint;
  quantity: number;
  currency: string;
  inclusive: boolean;
  taxReason: string;
  taxRates: JsonDefault<unknown[]>;
  product: Json<unknown> | null;
  variant: Json<unknown> | null;
  offer: Json<unknown> | null;
  customFields: JsonDefault<Record<string, string>>;
  createdAt: number;
}
