/** What consumers have stated: withdrawals and cancellation notices, which wait for the merchant's word. */
import { numberOf, type Row, textOf } from '../api/objects.ts';
import { codeColumn, cutColumn, nameColumn, statusColumn, Time, timeColumn } from '../ui/cells.tsx';
import type { Column, Filter, ListDeclaration, RowAction } from './types.ts';

const DECIDE_WITHIN_MS = 14 * 86_400_000;

/** Until when the merchant has to have decided; null = it is decided. */
export function dueOf(row: Row): number | null {
  const received = numberOf(row, 'receivedAt');
  return isOpen(row) && received !== null ? received + DECIDE_WITHIN_MS : null;
}

export const isOpen = (row: Row): boolean => ['received', 'unmatched'].includes(textOf(row, 'status'));
/** A part of what was bought, where it was ticked or told in words. */
export const kindOf = (row: Row): 'whole' | 'part' =>
  row.items === null && textOf(row, 'part') === '' ? 'whole' : 'part';

const due: Column = {
  id: 'due',
  label: 'column.due',
  draw: (row, tools) => <Time ms={dueOf(row)} tools={tools} isDay />,
};

const filtersOf = (statuses: readonly string[]): readonly Filter[] => [
  {
    parameter: 'statuses',
    label: 'column.status',
    kind: 'choices',
    options: statuses,
    names: 'status.',
  },
  { parameter: 'dueFrom', label: 'filter.dueFrom', kind: 'day' },
  { parameter: 'dueTo', label: 'filter.dueTo', kind: 'dayEnd' },
];

/** Of what names nothing of its sender's the merchant says first what it is about. */
const actionsOf = (what: 'withdrawal' | 'notice'): readonly RowAction[] => [
  {
    id: 'accept',
    label: 'action.accept',
    area: 'withdrawals',
    dialog: `accept-${what}`,
    fits: (row) => textOf(row, 'status') === 'received',
  },
  {
    id: 'match',
    label: 'action.accept',
    area: 'withdrawals',
    dialog: `match-${what}`,
    fits: (row) => textOf(row, 'status') === 'unmatched',
  },
  {
    id: 'refuse',
    label: 'action.refuse',
    area: 'withdrawals',
    dialog: `refuse-${what}`,
    isDanger: true,
    fits: isOpen,
  },
];

export const withdrawals: ListDeclaration = {
  name: 'withdrawals',
  resource: 'withdrawals',
  object: 'withdrawal',
  area: 'withdrawals',
  operation: '/v0/withdrawals/list',
  rowsIn: 'withdrawals',
  search: 'term',
  columns: [
    codeColumn('number', 'column.number'),
    {
      id: 'kind',
      label: 'column.kind',
      draw: (row, { locale }) => locale.tName('withdrawalOf.', kindOf(row)),
    },
    cutColumn('email', 'column.customer'),
    codeColumn('orderNumber', 'column.order'),
    timeColumn('receivedAt', 'column.received'),
    due,
    statusColumn(),
    nameColumn('reason', 'column.reason', 'withdrawalReason.', { isExtra: true }),
  ],
  filters: filtersOf(['received', 'unmatched', 'stopped', 'refunded', 'refused']),
  actions: actionsOf('withdrawal'),
  nameOf: (row) => textOf(row, 'number'),
  hrefOf: (row) => `/orders/withdrawals/${textOf(row, 'id')}`,
};

export const cancellationNotices: ListDeclaration = {
  name: 'cancellation-notices',
  resource: 'cancellation-notices',
  object: 'cancellation_notice',
  area: 'withdrawals',
  operation: '/v0/cancellation-notices/list',
  rowsIn: 'notices',
  search: 'term',
  columns: [
    codeColumn('number', 'column.number'),
    nameColumn('type', 'column.kind', 'noticeType.'),
    cutColumn('email', 'column.customer'),
    codeColumn('contractNumber', 'column.contract'),
    timeColumn('receivedAt', 'column.received'),
    due,
    statusColumn(),
  ],
  filters: [
    ...filtersOf(['received', 'unmatched', 'done', 'refused']),
    {
      parameter: 'types',
      label: 'column.kind',
      kind: 'choices',
      options: ['ordinary', 'cause'],
      names: 'noticeType.',
    },
  ],
  actions: actionsOf('notice'),
  nameOf: (row) => textOf(row, 'number'),
  hrefOf: (row) => `/orders/cancellation-notices/${textOf(row, 'id')}`,
};
