/** Why a line of an import cannot be brought in, beyond what its schema says: rules between lines, and between them and us. */
import type { Step } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { findDetailsIssues } from '../../domain/billing-details.ts';
import { isCountry } from '../../domain/countries.ts';
import { isEmail, toEmailNormal } from '../../domain/email.ts';
import type { Fault } from '../../domain/imports/decide.ts';
import type {
  CustomerLine,
  DiscountLine,
  ImportLine,
  OfferLine,
  SubscriptionLine,
} from '../../domain/imports/lines.ts';
import { isVisibleCode, toCodeNormal } from '../../domain/pricing/discount-code.ts';
import type { Interval } from '../../domain/subscriptions/period.ts';
import { type LineRow, listLinesByCode } from '../../resources/imports/import-rows.queries.ts';
import type { ImportRow } from '../../resources/imports/imports.queries.ts';
import {
  findConnection,
  listDiscountsById,
  listTakenCodes,
  listUsersByEmail,
  listUsersById,
} from '../../resources/imports/our-objects.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import type { KnownLines } from './known-lines.ts';
import { findOfferFacts } from './offer-facts.ts';

/** What is asked of the store once for a batch. */
export interface Facts {
  /** In which the store sells; null = in none yet. */
  currency: string | null;
  connectionId: string | null;
  findUser(email: string): Row<'users'> | undefined;
  usersById: ReadonlyMap<string, Row<'users'>>;
  discountsById: ReadonlyMap<string, Row<'discounts'>>;
  /** Which discount of ours has a code. */
  takenCodes: ReadonlyMap<string, string>;
  /** On which line of the file a code stands first. */
  codeLines: ReadonlyMap<string, number>;
  warnings(line: ImportLine): string[];
}

export async function loadFacts(
  db: Db,
  scope: Scope,
  { imported, rows, known }: { imported: ImportRow; rows: readonly LineRow[]; known: KnownLines },
): Promise<Facts> {
  const lines = rows.flatMap(({ body }) => (body === null ? [] : [body as ImportLine]));
  const buyers = lines.flatMap((line) =>
    'customerRef' in line ? (known.find('customer', line.customerRef).inFile?.body ?? []) : line,
  );
  const emails = buyers.flatMap((line) => (line.kind === 'customer' ? [toEmailNormal(line.email)] : []));
  const codes = lines.flatMap((line) =>
    line.kind === 'discount' && line.code ? [toCodeNormal(line.code)] : [],
  );
  const idsOf = (kind: 'customer' | 'discount', refs: readonly string[]) =>
    refs.flatMap((ref) => known.find(kind, ref).brought?.objectId ?? []);
  const customers = lines.flatMap((line) => ('customerRef' in line ? [line.customerRef] : []));
  const own = lines.flatMap((line) => (line.kind === 'customer' ? [line.ref] : []));
  const discounts = lines.flatMap((line) => ('discountRef' in line ? (line.discountRef ?? []) : []));
  const [store, connectionId, byEmail, byId, terms, takenCodes, byCode] = await Promise.all([
    getStore(db, scope),
    findConnection(db, scope, { kind: 'stripe', accountId: imported.account }),
    listUsersByEmail(db, scope, emails),
    listUsersById(db, scope, idsOf('customer', [...customers, ...own])),
    listDiscountsById(db, scope, idsOf('discount', discounts)),
    listTakenCodes(db, scope, codes),
    listLinesByCode(db, scope, { importId: imported.id, codes }),
  ]);
  const users = new Map(byEmail.map((user) => [user.emailNormal, user]));
  return {
    currency: store.currency ?? imported.currency,
    connectionId,
    findUser: (email) => users.get(toEmailNormal(email)),
    usersById: new Map(byId.map((user) => [user.id, user])),
    discountsById: new Map(terms.map((row) => [row.id, row])),
    takenCodes,
    codeLines: new Map(byCode.map(({ code, line }) => [code, line])),
    warnings: (line) => warn(line, connectionId),
  };
}

function warn(line: ImportLine, connectionId: string | null): string[] {
  if (line.kind === 'payment_method') return connectionId === null ? ['processor_not_connected'] : [];
  if (line.kind !== 'customer') return [];
  const { countryCode, postalCode } = line.billingDetails ?? {};
  if (countryCode == null) return ['no_country'];
  const issues = findDetailsIssues({ countryCode, ...(postalCode == null ? {} : { postalCode }) });
  return issues.length > 0 ? ['no_postal_code'] : [];
}

interface Asked {
  line: ImportLine;
  /** Where it stands in the file. */
  place: number;
  known: KnownLines;
  facts: Facts;
}

const fault = (code: string, path: string, message: string): Fault => ({ code, path, message });

export function findFault(_ctx: Step, { line, place, known, facts }: Asked): Fault | null {
  switch (line.kind) {
    case 'offer':
      return findOfferFault(line, known, facts);
    case 'discount':
      return findDiscountFault(line, facts) ?? findCodeFault(line, { place, known, facts });
    case 'customer':
      return findCustomerFault(line, known, facts);
    case 'key':
      if (line.state !== 'available' && line.purchaseRef == null)
        return fault(
          'purchase_required',
          'purchaseRef',
          'is missing: which purchase was the key given with?',
        );
      return findOfferFacts(known, line.offerRef)?.productType === 'Subscription'
        ? fault('keys_on_subscription', 'offerRef', 'is of a Subscription product, which has no keys')
        : null;
    case 'subscription':
      return findSubscriptionFault(line, known, facts);
    default:
      return null;
  }
}

function findOfferFault(line: OfferLine, known: KnownLines, { currency }: Facts): Fault | null {
  if (currency !== null && line.currency !== currency)
    return fault('currency_mismatch', 'currency', `is ${line.currency}, and the store sells in ${currency}`);
  const product = known.find('product', line.productRef).inFile?.body;
  const isSubscription = product?.kind === 'product' ? product.type === 'Subscription' : null;
  if (isSubscription === true && line.interval == null)
    return fault('interval_mismatch', 'interval', 'is missing for an offer of a Subscription product');
  if (isSubscription === false && line.interval != null)
    return fault('interval_mismatch', 'interval', 'is of offers of a Subscription product alone');
  if (isSubscription && line.price === 0) return fault('free_subscription', 'price', 'must be above 0');
  return null;
}

function findDiscountFault(line: DiscountLine, { currency }: Facts): Fault | null {
  if (line.amountType === 'percentage') {
    if (line.amount > 100 || !Number.isInteger(Math.round(line.amount * 1e6) / 1e4))
      return fault('invalid_line', 'amount', 'is at most 100 percent, with two decimals');
  } else {
    if (!Number.isInteger(line.amount)) return fault('invalid_line', 'amount', 'is in whole minor units');
    if (currency !== null && line.currency !== currency)
      return fault('currency_mismatch', 'currency', `must be ${currency}, in which the store sells`);
  }
  if (line.duration === 'repeating' && line.durationIntervals == null)
    return fault('invalid_line', 'durationIntervals', 'is missing for a repeating discount');
  if (line.code != null && !isVisibleCode(line.code)) return fault('invalid_line', 'code', 'cannot be typed');
  return null;
}

/** Two with one code are told apart by nobody: the one that is here has it, or else the first in the file. */
function findCodeFault(
  { ref, code }: DiscountLine,
  { place, known, facts }: Omit<Asked, 'line'>,
): Fault | null {
  if (code == null) return null;
  const owner = facts.takenCodes.get(toCodeNormal(code));
  if (owner !== undefined)
    return owner === known.find('discount', ref).brought?.objectId
      ? null
      : fault('discount_code_taken', 'code', 'is the code of a discount here');
  const first = facts.codeLines.get(toCodeNormal(code));
  return first !== undefined && first < place
    ? fault('discount_code_taken', 'code', `is the code of the discount on line ${first}`)
    : null;
}

/** Who is here under an e-mail already is the same buyer; but nobody who was brought in takes the e-mail of another. */
function findCustomerFault(line: CustomerLine, known: KnownLines, facts: Facts): Fault | null {
  if (!isEmail(line.email)) return fault('invalid_line', 'email', 'is not a valid e-mail address');
  const country = line.billingDetails?.countryCode;
  if (country != null && !isCountry(country))
    return fault('invalid_line', 'billingDetails.countryCode', 'is not a country');
  const { brought } = known.find('customer', line.ref);
  const owner = facts.findUser(line.email)?.id;
  return brought && owner !== undefined && owner !== brought.objectId
    ? fault('email_taken', 'email', 'is the e-mail of another customer here')
    : null;
}

const LIVING: ReadonlySet<string> = new Set(['active', 'trialing']);
const OWING: ReadonlySet<string> = new Set(['past_due', 'unpaid', 'incomplete']);

function findSubscriptionFault(line: SubscriptionLine, known: KnownLines, facts: Facts): Fault | null {
  if (OWING.has(line.status))
    return fault('past_due', 'status', `is ${line.status}: collect there what is owed, then bring it in`);
  if (!LIVING.has(line.status)) return fault('unsupported_status', 'status', `is ${line.status}`);
  if (facts.currency !== null && line.currency !== facts.currency)
    return fault(
      'currency_mismatch',
      'currency',
      `is ${line.currency}, and the store sells in ${facts.currency}`,
    );
  let interval: Interval | null = null;
  for (const [place, { offerRef }] of line.items.entries()) {
    const own = findOfferFacts(known, offerRef)?.interval ?? null;
    const path = `items.${place}.offerRef`;
    if (own === null) return fault('interval_mismatch', path, 'names an offer that does not recur');
    if (interval !== null && (interval.unit !== own.unit || interval.count !== own.count))
      return fault('interval_mismatch', path, 'has another interval than the other items');
    interval = own;
  }
  if (line.paidUntil <= line.createdAt) return fault('invalid_line', 'paidUntil', 'must be after createdAt');
  return null;
}
