/** Users in the API. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { ACCESS_STATUSES, type Access } from '../../domain/subscriptions/access.ts';
import { DELETION_STATUSES, toDeletionDueMs, toDeletionStatus } from '../../domain/user-deletion.ts';
import { Item, toItem } from '../orders/orders.schema.ts';
import { pageAnswer, statusQuery } from '../paging.ts';
import { PaymentMethod } from '../payment-methods/payment-methods.schema.ts';
import { ProductType } from '../products/products.schema.ts';
import {
  Answer,
  Body,
  Component,
  Described,
  Ms,
  Nullable,
  StringEnum,
  Sum,
  Text,
  TimeBound,
  TimeBoundTo,
  TimeInput,
  Uuid,
  Version,
} from '../shapes.ts';
import type { SubscriptionItemRow } from '../subscriptions/subscriptions.queries.ts';
import { SubscriptionItem, toSubscriptionItem } from '../subscriptions/subscriptions.schema.ts';
import { BillingDetails, Details, toDetails } from './billing-details.schema.ts';
import type { InventoryRow } from './inventory.queries.ts';
import type { ListedUserRow } from './users.queries.ts';

const text = () => Nullable(Type.String());

export const User = Answer('User', {
  object: StringEnum(['user']),
  id: Uuid(),
  email: text(),
  username: text(),
  internalId: text(),
  language: Nullable(
    Type.String({
      description: 'Of the mails to the user, where they are written in it; null: the browser’s.',
    }),
  ),
  details: Details,
  paymentData: Answer(null, {
    stripeCustomerId: text(),
    paypalCustomerId: text(),
    sandboxCustomerId: Described(
      text(),
      'Test mode: `card_<brand>_<last four digits>` of the stored card; null without.',
    ),
  }),
  version: Version(),
  createdAt: Ms(),
  archivedAt: Nullable(Ms()),
});

const optional = (max: number) => Type.Optional(Nullable(Text(max)));

/** Ids of an existing customer at a processor: only to migrate users or to link customers. */
const PaymentData = Type.Object(
  {
    stripeCustomerId: optional(255),
    paypalCustomerId: optional(255),
    connectionId: Type.Optional(
      Uuid({
        description:
          'The connected processor that knows the customer, where there are several of a kind; missing: the first by priority.',
      }),
    ),
    sandboxCustomerId: Type.Optional(
      Nullable(
        Text(64, {
          description:
            'Test mode only: `card_<sandbox card number>` gives the user that stored card. Answered as `card_<brand>_<last four digits>`, which changes nothing when it is sent back.',
        }),
      ),
    ),
  },
  { additionalProperties: false },
);

const LANGUAGE = '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$';

const fields = {
  password: Type.Optional(
    Nullable(
      Type.String({
        minLength: 8,
        maxLength: 72,
        description: 'With at least one special character, one digit and one upper-case letter.',
      }),
    ),
  ),
  username: optional(255),
  name: Type.Optional(Nullable(Text(255, { description: 'The same as `username`.' }))),
  language: Type.Optional(
    Nullable(Type.String({ pattern: LANGUAGE, description: 'A BCP 47 tag, such as de or pt-BR.' })),
  ),
  internalId: optional(255),
  externalId: optional(255),
  billingDetails: Type.Optional(BillingDetails),
  paymentData: Type.Optional(PaymentData),
};

export const CreateUser = Body({ email: Text(320), ...fields });
export const UpdateUser = Body({
  id: Type.Optional(Uuid()),
  email: Type.Optional(Nullable(Text(320))),
  ...fields,
});
export const ArchiveUser = Body({ id: Type.Optional(Uuid()) });
export const UserParams = Type.Object({ userId: Uuid() });

/** Paging form B: `page` and `limit`. */
const pageNumber = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Which page of `limit` rows, from 1.',
  }),
);
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '10 when missing.' }));
const bookQuery = { page: pageNumber, limit };

export const ListUsers = Type.Object({
  ...bookQuery,
  skip: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  take: limit,
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
  email: Type.Optional(Type.String({ maxLength: 320, description: 'The whole e-mail, without case.' })),
  term: Type.Optional(
    Type.String({ maxLength: 200, description: 'Part of the e-mail, username or internalId.' }),
  ),
  createdAfter: Type.Optional(TimeBound({ description: 'This moment or later.' })),
  createdBefore: Type.Optional(TimeBoundTo({ description: 'This moment or earlier.' })),
  countries: Type.Optional(
    Type.Array(Type.String({ pattern: '^[A-Z]{2}$', 'x-upper-case': true }), {
      maxItems: 100,
      description: 'Of the billing details.',
    }),
  ),
  hasSubscription: Type.Optional(Type.Boolean({ description: 'Whether a subscription of theirs runs.' })),
  deletion: Type.Optional(
    StringEnum(['requested', 'accepted'], { description: 'Who asked to be erased, and is not yet.' }),
  ),
  ...statusQuery(['active', 'archived']),
  archived: Type.Optional(Type.Boolean()),
  withArchived: Type.Optional(Type.Boolean()),
});

const bookAnswer = {
  ...pageAnswer,
  count: Type.Integer({ description: 'Number of matches.' }),
  pages: Type.Integer({ description: 'Number of pages of `limit` rows.' }),
};

export const UserData = Answer(null, { user: Component(User) });
export const Deletion = Answer('UserDeletion', {
  object: StringEnum(['user_deletion']),
  userId: Uuid(),
  status: StringEnum(DELETION_STATUSES),
  requestedAt: Ms(),
  dueAt: Ms({ description: 'When the user is erased; until then the request can be taken back.' }),
});
export const DeletionData = Answer(null, { deletion: Component(Deletion) });

/** Null where nobody has asked for it. */
export function toDeletion(row: Row<'users'>): Static<typeof Deletion> | null {
  const status = toDeletionStatus(row);
  const dueAt = toDeletionDueMs(row);
  if (status === null || dueAt === null || row.deletionRequestedAt === null) return null;
  return { object: 'user_deletion', userId: row.id, status, requestedAt: row.deletionRequestedAt, dueAt };
}

export const UserWithMethodsData = Answer(null, {
  user: Component(User),
  paymentMethods: Type.Union([Type.Array(Component(PaymentMethod)), Type.Null()], {
    description: 'Null where the secret key is not sent.',
  }),
  deletion: Nullable(Component(Deletion)),
});
/** A row of the list. */
export const ListedUser = Answer('ListedUser', {
  ...User.properties,
  spent: Nullable(
    Sum({
      description: 'What was paid and not given back, in the store’s currency. Null without the secret key.',
    }),
  ),
  subscriptionCount: Type.Integer({ description: 'Subscriptions that run.' }),
  deletion: Nullable(Component(Deletion)),
});
export const UsersData = Answer(null, { users: Type.Array(Component(ListedUser)), ...bookAnswer });

export const ListInventory = Type.Object({
  ...bookQuery,
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
  productType: Type.Optional(Described(ProductType, 'Bought of products of this type.')),
  expiresAfter: Type.Optional(
    TimeInput({
      description:
        'Leaves out what ends, or has ended, at this moment or before. Missing: now, so that all that is left is the user’s.',
    }),
  ),
});

/** A bought item, with where it comes from and until when it is the user's. */
export const InventoryItem = Answer('InventoryItem', {
  ...Item.properties,
  orderId: Uuid(),
  orderNumber: Type.String(),
  subscriptionId: Nullable(Type.String()),
  subscriptionItems: Nullable(
    Type.Array(SubscriptionItem, {
      description: 'What the subscription consists of now: after a change of plan not what was bought.',
    }),
  ),
  boughtAt: Ms(),
  status: StringEnum(ACCESS_STATUSES, {
    description:
      '`active`: the user’s. `frozen`: withheld while the buyer’s bank disputes a payment of it. `ended`: shown only where `expiresAfter` lies behind.',
  }),
  expiresAt: Nullable(
    Ms({
      description:
        'When it ends unless more is paid: with the paid period or trial, with the grace after a failed renewal. Of what is not active: when it ended or was frozen. Null: never.',
    }),
  ),
});

export const InventoryData = Answer(null, {
  inventory: Type.Array(Component(InventoryItem)),
  ...bookAnswer,
});

export function toInventoryItem(
  row: InventoryRow,
  {
    access,
    subscriptionItems,
    withKeys,
  }: { access: Access; subscriptionItems: SubscriptionItemRow[] | null; withKeys: boolean },
): Static<typeof InventoryItem> {
  const { orderId, orderNumber, subscriptionNumber, boughtAt } = row;
  return {
    ...toItem(row, { withKeys }),
    orderId,
    orderNumber,
    subscriptionId: subscriptionNumber,
    subscriptionItems: subscriptionItems?.map(toSubscriptionItem) ?? null,
    boughtAt,
    status: access.status,
    expiresAt: access.endsAtMs,
  };
}

export function toListedUser({ spent, subscriptionCount, ...row }: ListedUserRow): Static<typeof ListedUser> {
  return { ...toUser(row), spent: Number(spent), subscriptionCount, deletion: toDeletion(row) };
}

export function toUser(row: Row<'users'>): Static<typeof User> {
  const { billingDetails: details, paymentData } = row;
  return {
    object: 'user',
    id: row.id,
    email: row.email,
    username: row.username,
    internalId: row.internalId,
    language: row.language,
    details: toDetails(details),
    paymentData: {
      stripeCustomerId: paymentData.stripeCustomerId ?? null,
      paypalCustomerId: paymentData.paypalCustomerId ?? null,
      sandboxCustomerId: paymentData.sandboxCustomerId ?? null,
    },
    version: row.version,
    createdAt: row.createdAt,
    archivedAt: row.archivedAt,
  };
}
