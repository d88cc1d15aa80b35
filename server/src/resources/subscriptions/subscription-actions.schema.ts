/** What is asked of subscriptions in the API, beside their plans and prices. */
import { type Static, Type } from 'typebox';
import { invalidField } from '../../domain/errors.ts';
import { pageAnswer, pageQuery, statusQuery, TAKE_MAX } from '../paging.ts';
import { Payment, SUBSCRIPTION_STATUSES } from '../payments/payments.schema.ts';
import {
  Answer,
  Body,
  Component,
  Currency,
  IdOrNumber,
  Lines,
  Minor,
  Nullable,
  StringEnum,
  TimeBound,
  TimeBoundTo,
  TimeInput,
  Uuid,
} from '../shapes.ts';
import { User } from '../users/users.schema.ts';
import { ListedSubscription, Subscription, SubscriptionItem } from './subscriptions.schema.ts';

export const SubscriptionParams = Type.Object({
  subscriptionId: IdOrNumber({ description: "The initial order's number." }),
});

export const ListSubscriptions = Type.Object({
  ...pageQuery,
  take: Type.Optional(Type.Integer({ minimum: 1, maximum: TAKE_MAX })),
  ...statusQuery(['all', ...SUBSCRIPTION_STATUSES]),
  userId: Type.Optional(Uuid()),
  createdFrom: Type.Optional(TimeBound()),
  createdTo: Type.Optional(TimeBoundTo()),
  term: Type.Optional(
    Type.String({ maxLength: 320, description: 'The number, or part of the user’s e-mail.' }),
  ),
  offerIds: Type.Optional(Type.Array(Uuid(), { maxItems: 100, description: 'Of which an item is now.' })),
  productIds: Type.Optional(Type.Array(Uuid(), { maxItems: 100, description: 'Of which an item is now.' })),
  cancelAtIntervalEnd: Type.Optional(Type.Boolean()),
  renewsFrom: Type.Optional(
    TimeInput({ description: 'Its interval ends at this moment or later, and it goes on then.' }),
  ),
  renewsTo: Type.Optional(TimeInput({ description: 'Its interval ends at this moment or earlier.' })),
  waitingOf: Type.Optional(Uuid({ description: 'The import that brought it; it waits for its activation.' })),
  orderBy: Type.Optional(
    StringEnum(['createdAt', 'currentIntervalEnd', 'value'], {
      description: 'By `currentIntervalEnd` those that never began are left out.',
    }),
  ),
  orderDirection: Type.Optional(StringEnum(['ASC', 'DESC'])),
  returnCount: Type.Optional(Type.Boolean()),
});

export const SubscriptionsData = Answer(null, {
  subscriptions: Type.Array(Component(ListedSubscription)),
  ...pageAnswer,
});

export const WholeSubscriptionData = Answer(null, {
  subscription: Component(Subscription),
  items: Type.Array(SubscriptionItem),
  lastPayment: Nullable(Component(Payment)),
  user: Component(User),
});

export const SubscriptionChangedData = Answer(null, {
  success: Type.Boolean(),
  subscription: Component(Subscription),
});

export const TrialEndedData = Answer(null, {
  subscription: Component(Subscription),
  payment: Nullable(Component(Payment)),
});

export const CancelSubscription = Body({
  cancelAtIntervalEnd: Type.Optional(
    Type.Boolean({
      description:
        'Whether it ends with the running interval; false or left out: now. A cancellation is taken back by an update.',
    }),
  ),
  cancelOption: Type.Optional(
    StringEnum(['immediately', 'endInterval'], {
      description: 'The same as `cancelAtIntervalEnd`, as a word.',
    }),
  ),
  immediately: Type.Optional(Type.Boolean({ description: 'The contrary of `cancelAtIntervalEnd`.' })),
  refund: Type.Optional(
    Type.Boolean({
      description: 'With an immediate end: gives back what was paid for the time that is left.',
    }),
  ),
  reason: Type.Optional(Nullable(Lines(500, { minLength: 1 }))),
});

/** Whether it ends with its interval. Its three spellings must not contradict each other. */
export function isAtIntervalEnd(body: Static<typeof CancelSubscription>): boolean {
  const { cancelAtIntervalEnd, cancelOption, immediately } = body;
  const asked = [
    cancelAtIntervalEnd,
    cancelOption === undefined ? undefined : cancelOption === 'endInterval',
    immediately === undefined ? undefined : !immediately,
  ].filter((value) => value !== undefined);
  const [first = false] = asked;
  if (asked.some((value) => value !== first)) {
    throw invalidField('cancelOption', 'contradicts cancelAtIntervalEnd or immediately');
  }
  if (first && body.refund) throw invalidField('refund', 'needs an immediate end');
  return first;
}

export const CancelPreviewData = Answer(null, {
  cancelPreview: Answer(null, {
    object: StringEnum(['cancel_preview']),
    amount: Minor({ description: 'What an end at this moment, with `refund`, gives back.' }),
    currency: Currency(),
  }),
});

export const toCancelPreview = (currency: string, amountMinor: bigint) => ({
  object: 'cancel_preview' as const,
  amount: Number(amountMinor),
  // A currency of the seed's list: checked where it came in.
  currency: currency as Static<typeof Subscription>['currency'],
});

export const PauseSubscription = Body({
  invoicingBehavior: Type.Optional(
    StringEnum(['void', 'keep_as_draft', 'mark_uncollectible'], {
      description:
        'What each interval that passes leaves: no payment, an unpaid one, or one that is given up.',
    }),
  ),
  resumeAt: Type.Optional(Nullable(TimeInput())),
});

export const ResumeSubscription = Body({
  resumeAt: Type.Optional(
    Nullable(TimeInput({ description: 'A later moment at which it resumes by itself; missing = now.' })),
  ),
});

export const EndTrial = Body({});
