/** Creating and changing discounts: the rules that a schema cannot say. */
import type { Static } from 'typebox';
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { violatedKey } from '../../db/transaction.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { isVisibleCode, toCodeNormal } from '../../domain/pricing/discount-code.ts';
import { requireWords } from '../../domain/require-words.ts';
import { chooseSpelling } from '../../domain/spellings.ts';
import { isTimeZone, parseLocalTime } from '../../domain/time-zone.ts';
import { insertDiscount, lockDiscount, updateDiscount } from '../../resources/discounts/discounts.queries.ts';
import {
  type CreateDiscount,
  toAmount,
  type UpdateDiscount,
} from '../../resources/discounts/discounts.schema.ts';
import { listMissingOffers } from '../../resources/offers/offers.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';

type CreateInput = Static<typeof CreateDiscount>;
type UpdateInput = Static<typeof UpdateDiscount>;
/** A whole discount as a body would say it: what the rules are checked on. */
type Whole = Omit<CreateInput, 'currency' | 'status' | Aliases | 'type'> & {
  type: 'code' | 'sale';
  currency: string | null;
};
/** Names that other APIs have for what is ours by another. */
type Aliases = 'code' | 'expiresAt';

export async function createDiscount(ctx: Step, scope: Scope, { tx, input }: { tx: Tx; input: CreateInput }) {
  requireWords({ name: input.name });
  const store = await getStore(tx, scope);
  const given = toOneSpelling(input, 'UTC');
  // Who names neither knows of no offers to name.
  const isForAll = given.includesAllOffers === undefined && given.includedOffers === undefined;
  const whole: Whole = {
    ...input,
    ...given,
    type: toType(input.type),
    includesAllOffers: given.includesAllOffers ?? isForAll,
    currency: input.currency ?? store.currency,
  };
  checkWhole(whole);
  await checkOffers(tx, scope, whole);
  return explainConflict(() =>
    insertDiscount(tx, scope, {
      id: ctx.ids.next(ctx.nowMs),
      ...toColumns(whole),
      status: input.status ?? 'active',
      archivedAt: null,
      createdAt: ctx.nowMs,
      updatedAt: ctx.nowMs,
    }),
  );
}

/** Missing fields stay as they are; what is said is checked together with what stays. */
export async function changeDiscount(
  ctx: Step,
  scope: Scope,
  { tx, id, input }: { tx: Tx; id: string; input: UpdateInput },
): Promise<{ before: Row<'discounts'>; after: Row<'discounts'> }> {
  requireWords({ name: input.name });
  const before = await lockDiscount(tx, scope, id);
  if (!before) throw new Refusal('not_found');
  const { id: _id, ...changes } = toOneSpelling(input, before.timezone);
  const { currency = before.currency } = changes;
  const whole: Whole = { ...toWhole(before), ...changes, currency };
  checkWhole(whole);
  await checkOffers(tx, scope, whole);
  const after = await explainConflict(() =>
    updateDiscount(tx, scope, {
      id,
      ...toColumns(whole),
      status: input.status ?? before.status,
      updatedAt: ctx.nowMs,
    }),
  );
  return { before, after };
}

export async function archiveDiscount(
  ctx: Step,
  scope: Scope,
  { tx, id, archive }: { tx: Tx; id: string; archive: boolean },
): Promise<{ before: Row<'discounts'>; after: Row<'discounts'> }> {
  const before = await lockDiscount(tx, scope, id);
  if (!before) throw new Refusal('not_found');
  const archivedAt = archive ? (before.archivedAt ?? ctx.nowMs) : null;
  const after = await explainConflict(() =>
    updateDiscount(tx, scope, { id, archivedAt, updatedAt: ctx.nowMs }),
  );
  return { before, after };
}

/** The input under our own names alone. Throws invalid_input where two spellings of a field differ. */
function toOneSpelling({ code, expiresAt: said, type, ...input }: UpdateInput, zoneBefore: string) {
  const expiresAt = toExpiry(said, input.timezone ?? zoneBefore);
  const discountCode = chooseSpelling(['discountCode', input.discountCode], ['code', code]);
  const validUntil = chooseSpelling(['validUntil', input.validUntil], ['expiresAt', expiresAt]);
  return {
    ...input,
    ...(type === undefined ? {} : { type: toType(type) }),
    ...(discountCode === undefined ? {} : { discountCode }),
    ...(validUntil === undefined ? {} : { validUntil }),
  };
}

/** The door has made a number of what names its zone; all else is a time of the discount's. */
function toExpiry(said: UpdateInput['expiresAt'], zone: string): number | null | undefined {
  if (typeof said !== 'string') return said;
  // What is no zone is refused where the whole is checked.
  const ms = parseLocalTime(said, isTimeZone(zone) ? zone : 'UTC');
  if (ms === null) throw invalidField('expiresAt', 'must be ms or an ISO 8601 date');
  return ms;
}

const toType = (type: CreateInput['type']) => (type === 'coupon' ? 'code' : type);

function toWhole(row: Row<'discounts'>): Whole {
  return { ...row, amount: toAmount(row), currency: row.currency } as Whole;
}

function toColumns(whole: Whole) {
  return {
    type: whole.type,
    amountType: whole.amountType,
    amount: BigInt(whole.amountType === 'percentage' ? Math.round(whole.amount * 100) : whole.amount),
    currency: whole.currency,
    timezone: whole.timezone ?? 'UTC',
    name: whole.name ?? null,
    discountCode: whole.discountCode ?? null,
    codeNormal: whole.discountCode == null ? null : toCodeNormal(whole.discountCode),
    validFrom: whole.validFrom ?? null,
    validUntil: whole.validUntil ?? null,
    purchaseLimit: whole.purchaseLimit ?? null,
    limitPerUser: whole.limitPerUser ?? null,
    includesAllOffers: whole.includesAllOffers ?? false,
    includedOffers: whole.includedOffers ?? [],
    excludedOffers: whole.excludedOffers ?? [],
    duration: whole.duration ?? ('once' as const),
    durationIntervals: whole.durationIntervals ?? null,
  };
}

function checkWhole(whole: Whole): void {
  if (whole.timezone && !isTimeZone(whole.timezone))
    throw invalidField('timezone', 'must be an IANA time zone or an offset such as +02:00');
  if (whole.discountCode && !isVisibleCode(whole.discountCode))
    throw invalidField('discountCode', 'must not contain characters that nobody can see');
  if (whole.type === 'code' && !whole.discountCode)
    throw invalidField('discountCode', 'is required for type code');
  if (whole.type === 'sale' && whole.discountCode)
    throw invalidField('discountCode', 'is not possible for type sale');
  if (whole.amountType === 'fixed') {
    if (!Number.isInteger(whole.amount)) throw invalidField('amount', 'must be an integer of minor units');
    if (!whole.currency) throw invalidField('currency', 'is required for a fixed amount');
  } else {
    if (whole.amount > 100) throw invalidField('amount', 'must be at most 100 percent');
    if (!hasTwoDecimals(whole.amount)) throw invalidField('amount', 'must have at most two decimals');
  }
  const { validFrom, validUntil } = whole;
  if (validFrom != null && validUntil != null && validFrom >= validUntil) {
    throw invalidField('validUntil', 'must be after validFrom');
  }
  if (whole.duration === 'repeating' && !whole.durationIntervals) {
    throw invalidField('durationIntervals', 'is required for duration repeating');
  }
  if (whole.duration !== 'repeating' && whole.durationIntervals) {
    throw invalidField('durationIntervals', 'is only possible for duration repeating');
  }
}

/** Tells 12.34 from 12.345 although neither is exact in binary. */
function hasTwoDecimals(percent: number): boolean {
  const hundredths = Math.round(percent * 100);
  return hundredths >= 1 && Math.abs(percent * 100 - hundredths) < 1e-9;
}

async function checkOffers(tx: Tx, scope: Scope, { includedOffers, excludedOffers }: Whole): Promise<void> {
  for (const [path, ids] of Object.entries({ includedOffers, excludedOffers })) {
    const missing = ids?.length ? await listMissingOffers(tx, scope, ids) : [];
    if (missing.length > 0) {
      throw new Refusal('unknown_reference', {
        message: `${path} names an offer that does not exist: ${missing[0]}`,
        details: [{ path, message: `no offer ${missing[0]}` }],
      });
    }
  }
}

async function explainConflict<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedKey(error) === 'discounts_code')
      throw new Refusal('discount_code_taken', {
        ...{ cause: error, details: [{ path: 'discountCode', message: 'is taken' }] },
      });
    throw error;
  }
}
