/** The filters and sorts that the lists of orders and of payments share. */
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { type Archived, containing, onlyArchived, type Sort } from './list.ts';

export interface SalesFilter {
  orderBy?: 'createdAt' | 'orderNumber' | 'value';
  orderDirection?: 'ASC' | 'DESC';
  valueFrom?: number;
  valueTo?: number;
  createdFrom?: number;
  createdTo?: number;
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

/** Adds every filter that is given; expects users joined as `users`, subscriptions as `subscriptions`. */
export function filterSales<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  table: SalesTable,
  filter: SalesFilter,
): SelectQueryBuilder<DB, TB, O> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  let filtered = onlyArchived(query, filter.archived, `${table}.archivedAt`);
  const and = (condition: ReturnType<typeof sql<SqlBool>>) => {
    filtered = filtered.where(condition);
  };
  for (const [name, values] of Object.entries(anyOf(filter))) {
    if (values) and(sql`${column(name)} = any(${values})`);
  }
  for (const [name, operator, value] of bounds(filter)) {
    if (value !== undefined) and(sql`${column(name)} ${sql.raw(operator)} ${value}`);
  }
  if (filter.number) and(sql`${column('number')} = ${filter.number}`);
  if (filter.userId) and(sql`${column('userId')} = ${filter.userId}`);
  if (filter.subscriptionId) and(sql`${sql.ref('subscriptions.number')} = ${filter.subscriptionId}`);
  if (filter.customFields) and(hasCustomFields(table, filter.customFields));
  if (filter.term) and(matchesTerm(table, filter.term));
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
  ];
}

function hasCustomFields(table: SalesTable, fields: Record<string, string>) {
  const orderId = sql.ref(table === 'orders' ? 'orders.id' : 'payments.orderId');
  return sql<SqlBool>`exists (
    select from order_items i
    where i.workspace_id = ${sql.ref(`${table}.workspaceId`)} and i.test_mode = ${sql.ref(`${table}.testMode`)}
      and i.order_id = ${orderId} and i.custom_fields @> ${JSON.stringify(fields)}::jsonb)`;
}

/** A number, an e-mail (part of it will do) or the processor's id of a charge. */
function matchesTerm(table: SalesTable, term: string) {
  const payment =
    table === 'orders' ? sql`p.order_id = ${sql.ref('orders.id')}` : sql`p.id = ${sql.ref('payments.id')}`;
  return sql<SqlBool>`(
    ${sql.ref(`${table}.number`)} = ${term.replace(/^#/, '').toUpperCase()}
    or ${sql.ref('users.emailNormal')} like ${containing(term.toLowerCase())}
    or exists (
      select from payments p
      join charges c on c.workspace_id = p.workspace_id and c.test_mode = p.test_mode and c.payment_id = p.id
      where p.workspace_id = ${sql.ref(`${table}.workspaceId`)} and p.test_mode = ${sql.ref(`${table}.testMode`)}
        and ${payment} and c.processor_id = ${term}))`;
}
