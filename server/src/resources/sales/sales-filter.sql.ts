/** The filters and sorts that the lists of orders and of payments share. */

import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { type Archived, onlyArchived, type Sort } from '../../db/list.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { FULFILMENTS, type Fulfilment } from '../../domain/checkout/fulfilment.ts';
import { usersOfTerm } from '../users/emails.sql.ts';
import { toNumber } from './orders-of-term.sql.ts';

export interface SalesFilter {
  orderBy?: 'createdAt' | 'orderNumber' | 'value';
  orderDirection?: 'ASC' | 'DESC';
  valueFrom?: number;
  valueTo?: number;
  createdFrom?: number;
  createdTo?: number;
  paidFrom?: number;
  paidTo?: number;
  number?: string;
  checkoutIds?: string[];
  /** Values by field key: all must be found in one item of the order. */
  customFields?: Record<string, string>;
  statuses?: string[];
  types?: string[];
  currencies?: string[];
  countries?: string[];
  ids?: string[];
  userId?: string;
  /** Number of the subscription. */
  subscriptionId?: string;
  reference?: string;
  productIds?: string[];
  offerIds?: string[];
  discountId?: string;
  /** Of the order. */
  fulfilment?: Fulfilment[];
  /** Whether the buyer's bank disputes a payment of it now. */
  disputed?: boolean;
  /** Whether a charge of it waits for a person. */
  held?: boolean;
  term?: string;
  archived: Archived;
}

type SalesTable = 'orders' | 'payments';

export function toSalesSort(table: SalesTable, filter: SalesFilter): Sort {
  const column = { createdAt: 'createdAt', orderNumber: 'number', value: 'value' }[
    filter.orderBy ?? 'createdAt'
  ];
  const direction = filter.orderDirection === 'ASC' ? 'asc' : 'desc';
  return { by: `${table}.${column}`, id: `${table}.id`, direction };
}

/**
 * Adds every filter that is given, to a query of the table alone: a page is found by the indexes of its own
 * table before anything is joined to its rows.
 */
export function filterSales<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  scope: Scope,
  { table, filter }: { table: SalesTable; filter: SalesFilter },
): SelectQueryBuilder<DB, TB, O> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  let filtered = onlyArchived(query, filter.archived, `${table}.archivedAt`);
  const and = (condition: ReturnType<typeof sql<SqlBool>>) => {
    filtered = filtered.where(condition);
  };
  for (const [name, values] of Object.entries(anyOf(filter))) {
    // One value keeps the order of its index; several are gathered and sorted.
    if (values?.length === 1) and(sql`${column(name)} = ${values[0]}`);
    else if (values) and(sql`${column(name)} = any(${values})`);
  }
  for (const [name, operator, value] of bounds(filter)) {
    if (value !== undefined) and(sql`${column(name)} ${sql.raw(operator)} ${value}`);
  }
  if (filter.number) and(sql`${column('number')} = ${filter.number}`);
  if (filter.userId) and(sql`${column('userId')} = ${filter.userId}`);
  if (filter.subscriptionId) {
    and(sql`${column('subscriptionId')} = (
      select s.id from subscriptions s where s.workspace_id = ${scope.workspaceId}
        and s.test_mode = ${scope.testMode} and s.number = ${filter.subscriptionId})`);
  }
  if (filter.reference) and(hasReference(scope, table, filter.reference));
  if (filter.customFields) and(hasCustomFields(scope, table, filter.customFields));
  for (const condition of ofItems(scope, table, filter)) and(condition);
  if (filter.discountId) and(hasDiscount(table, filter.discountId));
  if (filter.disputed !== undefined) and(isOrNot(filter.disputed, isDisputed(scope, table)));
  if (filter.held !== undefined) and(isOrNot(filter.held, isHeld(scope, table)));
  if (filter.term) and(matchesTerm(scope, table, filter.term));
  return filtered;
}

function anyOf(filter: SalesFilter): Record<string, string[] | undefined> {
  return {
    id: filter.ids,
    status: filter.statuses,
    type: filter.types,
    currency: filter.currencies,
    country: filter.countries,
    checkoutId: filter.checkoutIds,
  };
}

function bounds(filter: SalesFilter): Array<[string, string, number | undefined]> {
  return [
    ['value', '>=', filter.valueFrom],
    ['value', '<=', filter.valueTo],
    ['createdAt', '>=', filter.createdFrom],
    ['createdAt', '<=', filter.createdTo],
    ['paidAt', '>=', filter.paidFrom],
    ['paidAt', '<=', filter.paidTo],
  ];
}

function isOrNot(wanted: boolean, condition: RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  return wanted ? condition : sql<SqlBool>`not ${condition}`;
}

/** What is asked of an order's items, of whichever table the list is. */
function ofItems(scope: Scope, table: SalesTable, filter: SalesFilter): RawBuilder<SqlBool>[] {
  const { productIds, offerIds, fulfilment } = filter;
  const orderId = sql.ref(table === 'orders' ? 'orders.id' : 'payments.orderId');
  const hasItem = (condition: RawBuilder<SqlBool>) => sql<SqlBool>`exists (
    select from order_items i
    where ${inScope(scope, 'i')}
      and i.order_id = ${orderId} and ${condition})`;
  return [
    ...(productIds ? [hasItem(sql`i.product_id = any(${productIds}::uuid[])`)] : []),
    ...(offerIds ? [hasItem(sql`i.offer_id = any(${offerIds}::uuid[])`)] : []),
    ...(fulfilment ? [isFulfilled(fulfilment, hasItem)] : []),
  ];
}

/** One item has the word, and none has a word that comes before it. */
function isFulfilled(
  wanted: readonly Fulfilment[],
  hasItem: (condition: RawBuilder<SqlBool>) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  const ways = wanted.map((word) => {
    const earlier = FULFILMENTS.slice(0, FULFILMENTS.indexOf(word));
    const has = hasItem(sql`i.fulfilment = ${word}`);
    return earlier.length === 0
      ? has
      : sql<SqlBool>`(${has} and not ${hasItem(sql`i.fulfilment = any(${earlier})`)})`;
  });
  return sql<SqlBool>`(${sql.join(ways, sql` or `)})`;
}

function hasDiscount(table: SalesTable, discountId: string): RawBuilder<SqlBool> {
  if (table === 'orders') return sql<SqlBool>`orders.discount_id = ${discountId}`;
  // The partial index holds those that have one.
  return sql<SqlBool>`(payments.discount is not null and payments.discount ->> 'id' = ${discountId})`;
}

function isDisputed(scope: Scope, table: SalesTable): RawBuilder<SqlBool> {
  const same =
    table === 'orders'
      ? sql`d.order_id = orders.id`
      : sql`d.order_id = payments.order_id and d.payment_id = payments.id`;
  return sql<SqlBool>`exists (
    select from disputes d
    where ${inScope(scope, 'd')}
      and d.status = 'open' and ${same})`;
}

/** Few charges wait at any time: they are gathered once. */
function isHeld({ workspaceId, testMode }: Scope, table: SalesTable): RawBuilder<SqlBool> {
  const held = sql`c.workspace_id = ${workspaceId} and c.test_mode = ${testMode} and c.hold is not null
    and c.status = 'pending'`;
  if (table === 'payments')
    return sql<SqlBool>`(payments.id = any(array(select c.payment_id from charges c where ${held})))`;
  return sql<SqlBool>`(orders.id = any(array(
    select p.order_id from charges c join payments p on p.workspace_id = c.workspace_id
      and p.workspace_id = ${workspaceId} and p.test_mode = c.test_mode and p.id = c.payment_id where ${held})))`;
}

/** A payment has that of its order. */
function hasReference(scope: Scope, table: SalesTable, reference: string) {
  if (table === 'orders') return sql<SqlBool>`orders.reference = ${reference}`;
  return sql<SqlBool>`payments.order_id in (
    select o.id from orders o where o.workspace_id = payments.workspace_id and o.test_mode = payments.test_mode
      and o.workspace_id = ${scope.workspaceId} and o.reference = ${reference})`;
}

function hasCustomFields(scope: Scope, table: SalesTable, fields: Record<string, string>) {
  const orderId = sql.ref(table === 'orders' ? 'orders.id' : 'payments.orderId');
  return sql<SqlBool>`exists (
    select from order_items i
    where ${inScope(scope, 'i')}
      and i.order_id = ${orderId} and i.custom_fields @> ${JSON.stringify(fields)}::jsonb)`;
}

/**
 * A number, an e-mail (a part of it, where the words are nothing else as a whole) or the processor's id of a charge. Each is
 * looked up once by an index of its own, whatever the size of the list.
 */
function matchesTerm(scope: Scope, table: SalesTable, term: string) {
  const { workspaceId } = scope;
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const ofCharges = sql`${inScope(scope, 'c')} and c.processor_id = ${term}`;
  const charged =
    table === 'payments'
      ? sql`select c.payment_id from charges c where ${ofCharges}`
      : sql`select p.order_id from charges c join payments p on p.workspace_id = c.workspace_id
          and p.workspace_id = ${workspaceId} and p.test_mode = c.test_mode and p.id = c.payment_id where ${ofCharges}`;
  const numbered = sql`select from ${sql.table(table)} n where ${inScope(scope, 'n')} and n.number = ${toNumber(term)}`;
  return sql<SqlBool>`(
    ${column('number')} = ${toNumber(term)}
    or ${column('userId')} = any(${usersOfTerm(scope, term, [numbered, charged])})
    or ${column('id')} = any(array(${charged})))`;
}
