/** Orders, payments, refunds, disputes. */
import { numberOf, type Row, rowOf, textOf } from '../api/objects.ts';
import {
  codeColumn,
  countryColumn,
  dayColumn,
  moneyColumn,
  Nothing,
  nameColumn,
  statusColumn,
  textColumn,
  timeColumn,
} from '../ui/cells.tsx';
import { created } from './created.ts';
import { saleFilters } from './sale-filters.ts';
import type { Column, ListDeclaration } from './types.ts';

/** The e-mail of whom the row is of, as soon as the API tells it with the row. */
const customer: Column = {
  id: 'userEmail',
  label: 'column.customer',
  draw: (row) => {
    const email = textOf(row, 'userEmail') || textOf(rowOf(row, 'user'), 'email');
    return email === '' ? <Nothing /> : <span className="cut">{email}</span>;
  },
};

const items: Column = {
  id: 'itemNames',
  label: 'column.items',
  draw: (row) => {
    const notes = Array.isArray(row.itemNotes) ? row.itemNotes : [];
    // An offer may be called "Monthly", which says little away from its product.
    const names = Array.isArray(row.itemNames)
      ? row.itemNames.map((name, at) => [notes[at], name].filter(Boolean).join(' · '))
      : [];
    const count = numberOf(row, 'totalItems');
    if (names.length > 0) return <span className="cut">{names.join(', ')}</span>;
    return count === null ? <Nothing /> : <span className="amount">{count}</span>;
  },
};

/** One that was paid and called off keeps its money. */
const hasMoney = (row: Row) =>
  ['PAID', 'PARTIALLY_REFUNDED'].includes(textOf(row, 'status')) ||
  (textOf(row, 'status') === 'CANCELLED' && numberOf(row, 'paidAt') !== null);
const CANCELLABLE = new Set(['PENDING', 'UNPAID', 'FAILED', 'EXPIRED', 'PAID', 'PARTIALLY_REFUNDED']);

export const orders: ListDeclaration = {
  name: 'orders',
  resource: 'orders',
  object: 'order',
  area: 'orders',
  operation: '/v0/orders/list',
  rowsIn: 'orders',
  search: 'term',
  columns: [
    codeColumn('number', 'column.number'),
    statusColumn(),
    customer,
    items,
    moneyColumn('value', 'column.value'),
    moneyColumn('refundedValue', 'column.refunded'),
    countryColumn('country', 'column.country'),
    dayColumn('paidAt', 'column.paid'),
    dayColumn('createdAt', 'column.created'),
    nameColumn('type', 'column.type', 'type.', { isExtra: true }),
    moneyColumn('tax', 'column.tax', { isExtra: true }),
    textColumn('reference', 'column.reference', { isExtra: true }),
  ],
  filters: saleFilters,
  actions: [
    {
      id: 'refund',
      label: 'action.refund',
      area: 'refunds',
      dialog: 'refund',
      fits: hasMoney,
    },
    {
      id: 'cancel',
      label: 'action.cancel',
      area: 'orders',
      dialog: 'cancel-order',
      isDanger: true,
      fits: (row) => CANCELLABLE.has(textOf(row, 'status')),
    },
    {
      id: 'copy',
      label: 'copy.link',
      area: 'orders',
      copies: (row) => `${window.location.origin}${window.location.pathname}/${textOf(row, 'number')}`,
    },
  ],
  create: { label: 'form.testPurchase', area: 'orders', form: 'test-purchase', onlyTest: true },
  nameOf: (row) => textOf(row, 'number'),
  hrefOf: (row) => `/orders/${textOf(row, 'number')}`,
};

const method: Column = {
  id: 'method',
  label: 'column.method',
  draw: (row, { locale }) => {
    const charges = Array.isArray(row.charges) ? row.charges : [];
    const of = rowOf(charges.at(-1), 'paymentMethod');
    if (!of) return <Nothing />;
    const last4 = textOf(of, 'last4');
    const name = locale.tName('brand.', textOf(of, 'brand') || textOf(of, 'type'));
    return <span className="nowrap">{last4 ? `${name} ${last4}` : name}</span>;
  },
};

const invoice: Column = {
  id: 'invoiceNumber',
  label: 'column.invoice',
  draw: (row) => {
    const url = textOf(row, 'invoiceUrl');
    const number = textOf(row, 'invoiceNumber');
    if (number === '') return <Nothing />;
    return <span className="nowrap">{url === '' ? number : <a href={url}>{number}</a>}</span>;
  },
};

export const payments: ListDeclaration = {
  name: 'payments',
  resource: 'payments',
  object: 'payment',
  area: 'payments',
  operation: '/v0/payments/list',
  rowsIn: 'payments',
  search: 'term',
  columns: [
    codeColumn('number', 'column.number'),
    statusColumn(),
    nameColumn('type', 'column.type', 'type.'),
    customer,
    moneyColumn('value', 'column.value'),
    moneyColumn('fee', 'column.fee'),
    method,
    invoice,
    dayColumn('createdAt', 'column.created'),
  ],
  filters: saleFilters,
  actions: [
    {
      id: 'cancel',
      label: 'action.cancel',
      area: 'payments',
      isDanger: true,
      fits: (row) => ['PENDING', 'UNPAID', 'FAILED'].includes(textOf(row, 'status')),
      dialog: 'cancel-payment',
    },
    {
      id: 'copy',
      label: 'copy.payLink',
      area: 'payments',
      copies: (row) => textOf(row, 'payUrl'),
      fits: (row) => textOf(row, 'payUrl') !== '',
    },
  ],
  nameOf: (row) => textOf(row, 'number'),
  hrefOf: (row) => `/orders/payments/${textOf(row, 'id')}`,
};

const orderLink = (row: Record<string, unknown>) =>
  textOf(row, 'orderNumber') || textOf(rowOf(row, 'order'), 'number') || textOf(row, 'orderId');

export const refunds: ListDeclaration = {
  name: 'refunds',
  resource: 'refunds',
  object: 'refund',
  area: 'refunds',
  operation: '/v0/refunds/list',
  rowsIn: 'refunds',
  search: 'term',
  columns: [
    {
      id: 'order',
      label: 'column.order',
      draw: (row) => <span className="code-text">{orderLink(row)}</span>,
    },
    moneyColumn('amount', 'column.amount'),
    nameColumn('reason', 'column.reason', 'reason.'),
    {
      id: 'creditNoteNumber',
      label: 'column.creditNote',
      draw: (row) => {
        const number = textOf(row, 'creditNoteNumber');
        const url = textOf(row, 'creditNoteUrl');
        return number === '' ? <Nothing /> : url === '' ? number : <a href={url}>{number}</a>;
      },
    },
    statusColumn(),
    timeColumn('createdAt', 'column.created'),
  ],
  filters: [
    {
      parameter: 'statuses',
      label: 'column.status',
      kind: 'choices',
      options: ['pending', 'succeeded', 'failed'],
      names: 'status.',
    },
    {
      parameter: 'reasons',
      label: 'column.reason',
      kind: 'choices',
      options: ['requested_by_customer', 'duplicate', 'fraudulent', 'other', 'dispute'],
      names: 'reason.',
    },
    ...created,
    { parameter: 'orderId', label: 'column.order', kind: 'text' },
  ],
  actions: [
    {
      id: 'settle',
      label: 'action.markSettled',
      area: 'corrections',
      dialog: 'settle-refund',
      fits: (row) => row.byHand === true && textOf(row, 'status') === 'pending',
    },
  ],
  nameOf: (row) => textOf(row, 'creditNoteNumber') || textOf(row, 'id'),
  hrefOf: (row) => `/orders/${orderLink(row)}`,
};

export const disputes: ListDeclaration = {
  name: 'disputes',
  resource: 'disputes',
  object: 'dispute',
  area: 'refunds',
  operation: '/v0/disputes/list',
  rowsIn: 'disputes',
  search: 'term',
  columns: [
    {
      id: 'order',
      label: 'column.order',
      draw: (row) => <span className="code-text">{orderLink(row)}</span>,
    },
    statusColumn(),
    nameColumn('stage', 'column.stage', 'stage.'),
    nameColumn('reason', 'column.reason', 'reason.'),
    moneyColumn('amount', 'column.amount'),
    timeColumn('evidenceDueAt', 'column.evidenceDue'),
    {
      id: 'processorUrl',
      label: 'column.answer',
      draw: (row, { locale }) => {
        const url = textOf(row, 'processorUrl');
        if (url === '' || textOf(row, 'status') !== 'open') return <Nothing />;
        return (
          <a href={url} target="_blank" rel="noreferrer">
            {locale.t('answer.there')}
          </a>
        );
      },
    },
    timeColumn('openedAt', 'column.created'),
  ],
  filters: [
    {
      parameter: 'statuses',
      label: 'column.status',
      kind: 'choices',
      options: ['open', 'won', 'lost', 'closed'],
      names: 'status.',
    },
    ...created,
  ],
  nameOf: (row) => textOf(row, 'id'),
  hrefOf: (row) => `/orders/${orderLink(row)}`,
};
