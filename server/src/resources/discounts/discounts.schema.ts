/** Discounts in the API: bodies, answers and the way from a row to an answer. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { computeDiscountState, type DiscountTerms } from '../../domain/pricing/discount.ts';
import { pageAnswer, pageQuery, statusQuery } from '../paging.ts';
import {
  Answer,
  Body,
  Component,
  Currency,
  CurrencyInput,
  Ms,
  Nullable,
  StringEnum,
  Text,
  TimeInput,
  TimeOrTextInput,
  Uuid,
  Version,
} from '../shapes.ts';

const DiscountType = StringEnum(['code', 'sale']);
/** `coupon` is what other APIs call a code. */
const GivenType = StringEnum(['code', 'sale', 'coupon']);
export const AmountType = StringEnum(['fixed', 'percentage']);
export const Duration = StringEnum(['once', 'repeating', 'forever']);

export const Discount = Answer('Discount', {
  object: StringEnum(['discount']),
  id: Uuid(),
  type: DiscountType,
  amount: Type.Number({ description: 'Minor units of a fixed discount, percent of a percentage.' }),
  amountType: AmountType,
  status: StringEnum(['active', 'inactive']),
  state: StringEnum(['active', 'scheduled', 'expired', 'exhausted', 'inactive', 'archived']),
  currency: Nullable(Currency()),
  name: Nullable(Type.String()),
  discountCode: Nullable(Type.String()),
  validFrom: Nullable(Ms()),
  validUntil: Nullable(Ms()),
  timezone: Type.String({ description: 'IANA name or offset; the window is shown in it.' }),
  purchaseLimit: Nullable(Type.Integer()),
  limitPerUser: Nullable(Type.Integer()),
  timesUsed: Type.Integer(),
  includesAllOffers: Type.Boolean(),
  includedOffers: Type.Array(Uuid()),
  excludedOffers: Type.Array(Uuid()),
  duration: Duration,
  durationIntervals: Nullable(Type.Integer()),
  version: Version(),
  archivedAt: Nullable(Ms()),
  createdAt: Ms(),
});

const Count = (options = {}) => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, ...options });
const OfferIds = Type.Array(Uuid(), { maxItems: 1000 });

const Code = (options = {}) => Text(64, { pattern: '^[^\\s\\p{Cc}]+$', ...options });

const fields = {
  status: Type.Optional(StringEnum(['active', 'inactive'])),
  currency: Type.Optional(Nullable(CurrencyInput())),
  name: Type.Optional(Nullable(Text(150))),
  discountCode: Type.Optional(Nullable(Code())),
  code: Type.Optional(Nullable(Code({ description: 'The same as `discountCode`.' }))),
  validFrom: Type.Optional(Nullable(TimeInput())),
  validUntil: Type.Optional(Nullable(TimeInput())),
  expiresAt: Type.Optional(
    Nullable(
      TimeOrTextInput({
        description:
          'The same as `validUntil`; an ISO 8601 date or time, too: one that names no zone is of `timezone`.',
      }),
    ),
  ),
  timezone: Type.Optional(Text(64, { description: 'IANA name, or an offset such as +02:00.' })),
  purchaseLimit: Type.Optional(Nullable(Count())),
  limitPerUser: Type.Optional(Nullable(Count())),
  includesAllOffers: Type.Optional(
    Type.Boolean({
      description: 'On create true where neither it nor `includedOffers` is given, else false.',
    }),
  ),
  includedOffers: Type.Optional(OfferIds),
  excludedOffers: Type.Optional(OfferIds),
  duration: Type.Optional(Duration),
  durationIntervals: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 1200 }))),
};

const Amount = Type.Number({
  exclusiveMinimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  'x-price': 'fixed',
});

export const CreateDiscount = Body({ type: GivenType, amount: Amount, amountType: AmountType, ...fields });
export const UpdateDiscount = Body({
  id: Type.Optional(Uuid()),
  type: Type.Optional(GivenType),
  amount: Type.Optional(Amount),
  amountType: Type.Optional(AmountType),
  ...fields,
});
export const ArchiveDiscount = Body({ id: Type.Optional(Uuid()) });
export const DiscountParams = Type.Object({ discountId: Uuid() });
export const ListDiscounts = Type.Object({
  ...pageQuery,
  type: Type.Optional(DiscountType),
  ...statusQuery(['active', 'inactive', 'archived']),
  term: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name or of the code.' })),
  ids: Type.Optional(Type.Array(Uuid(), { maxItems: 100 })),
  archived: Type.Optional(Type.Boolean()),
  withArchived: Type.Optional(Type.Boolean()),
});

export const DiscountData = Answer(null, { discount: Component(Discount) });
export const DiscountsData = Answer(null, { discounts: Type.Array(Component(Discount)), ...pageAnswer });

/** Hundredths of a percent or minor units → the API's number. */
export function toAmount(row: Pick<Row<'discounts'>, 'amount' | 'amountType'>): number {
  return row.amountType === 'percentage' ? Number(row.amount) / 100 : Number(row.amount);
}

/** The domain's value of a row. */
export function toTerms(row: Row<'discounts'>): DiscountTerms {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    discountCode: row.discountCode,
    amount: row.amount,
    amountType: row.amountType,
    currency: row.amountType === 'fixed' ? row.currency : null,
    status: row.status,
    archived: row.archivedAt !== null,
    validFromMs: row.validFrom,
    validUntilMs: row.validUntil,
    purchaseLimit: row.purchaseLimit,
    heldCount: row.heldCount,
    usedCount: row.usedCount,
    limitPerUser: row.limitPerUser,
    includesAllOffers: row.includesAllOffers,
    includedOffers: row.includedOffers,
    excludedOffers: row.excludedOffers,
    duration: row.duration,
    durationIntervals: row.durationIntervals,
  };
}

export function toDiscount(row: Row<'discounts'>, nowMs: number): Static<typeof Discount> {
  return {
    object: 'discount',
    id: row.id,
    type: row.type,
    amount: toAmount(row),
    amountType: row.amountType,
    status: row.status,
    state: computeDiscountState(toTerms(row), nowMs),
    // A currency of the seed's list: checked on the way in.
    currency: row.currency as Static<typeof Discount>['currency'],
    name: row.name,
    discountCode: row.discountCode,
    validFrom: row.validFrom,
    validUntil: row.validUntil,
    timezone: row.timezone,
    purchaseLimit: row.purchaseLimit,
    limitPerUser: row.limitPerUser,
    timesUsed: row.usedCount,
    includesAllOffers: row.includesAllOffers,
    includedOffers: row.includedOffers,
    excludedOffers: row.excludedOffers,
    duration: row.duration,
    durationIntervals: row.durationIntervals,
    version: row.version,
    archivedAt: row.archivedAt,
    createdAt: row.createdAt,
  };
}
