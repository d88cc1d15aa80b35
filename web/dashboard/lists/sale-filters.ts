/** What orders and payments are filtered by: the parameters of both operations. */
import { created } from './created.ts';
import type { Filter } from './types.ts';

const ORDER_STATUSES = [
  'PENDING',
  'PAID',
  'FAILED',
  'UNPAID',
  'CANCELLED',
  'REFUNDED',
  'PARTIALLY_REFUNDED',
  'EXPIRED',
  'archived',
] as const;
const TYPES = [
  'one_time',
  'subscription_initial',
  'subscription_update',
  'subscription_interval',
  'subscription_extra',
  'claim_free',
] as const;
const FULFILMENTS = ['awaiting_stock', 'waiting', 'delivered', 'revoked', 'none'] as const;

export const saleFilters: readonly Filter[] = [
  {
    parameter: 'statuses',
    label: 'column.status',
    kind: 'choices',
    options: ORDER_STATUSES,
    names: 'status.',
  },
  { parameter: 'types', label: 'column.type', kind: 'choices', options: TYPES, names: 'type.' },
  ...created,
  { parameter: 'paidFrom', label: 'filter.paidFrom', kind: 'day' },
  { parameter: 'paidTo', label: 'filter.paidTo', kind: 'dayEnd' },
  { parameter: 'valueFrom', label: 'filter.valueFrom', kind: 'money' },
  { parameter: 'valueTo', label: 'filter.valueTo', kind: 'money' },
  { parameter: 'countries', label: 'column.country', kind: 'country' },
  { parameter: 'currencies', label: 'column.currency', kind: 'text' },
  { parameter: 'number', label: 'column.number', kind: 'text' },
  { parameter: 'reference', label: 'column.reference', kind: 'text' },
  { parameter: 'userId', label: 'filter.userId', kind: 'text' },
  { parameter: 'subscriptionId', label: 'filter.subscriptionId', kind: 'text' },
  { parameter: 'checkoutIds', label: 'filter.checkoutIds', kind: 'text' },
  { parameter: 'productIds', label: 'filter.productIds', kind: 'text' },
  { parameter: 'offerIds', label: 'filter.offerIds', kind: 'text' },
  { parameter: 'discountId', label: 'filter.discountId', kind: 'text' },
  {
    parameter: 'fulfilment',
    label: 'filter.fulfilment',
    kind: 'choice',
    options: FULFILMENTS,
    names: 'fulfilment.',
  },
  { parameter: 'disputed', label: 'filter.disputed', kind: 'yes' },
  { parameter: 'held', label: 'filter.held', kind: 'yes' },
  { parameter: 'withArchived', label: 'filter.withArchived', kind: 'yes' },
  {
    parameter: 'orderBy',
    label: 'filter.orderBy',
    kind: 'choice',
    options: ['createdAt', 'orderNumber', 'value'],
    names: 'orderBy.',
  },
  {
    parameter: 'orderDirection',
    label: 'filter.orderDirection',
    kind: 'choice',
    options: ['DESC', 'ASC'],
    names: 'direction.',
  },
];
