/** Finance: documents and entries. */
import { textOf } from '../api/objects.ts';
import {
  codeColumn,
  cutColumn,
  moneyColumn,
  Nothing,
  nameColumn,
  sideColumn,
  timeColumn,
} from '../ui/cells.tsx';
import { created } from './created.ts';
import type { ListDeclaration } from './types.ts';

/** A numbering may hold what no name of a file can. */
const NO_FILE_NAME = /[\\/:*?"<>|]/g;

export const invoices: ListDeclaration = {
  name: 'invoices',
  resource: 'invoices',
  object: 'invoice',
  area: 'invoices',
  operation: '/v0/invoices/list',
  rowsIn: 'invoices',
  search: 'number',
  columns: [
    codeColumn('number', 'column.number'),
    nameColumn('kind', 'column.kind', 'document.'),
    cutColumn('userEmail', 'column.customer'),
    moneyColumn('total', 'column.total'),
    moneyColumn('tax', 'column.tax'),
    timeColumn('createdAt', 'column.date'),
    {
      id: 'url',
      label: 'column.pdf',
      draw: (row) => {
        const url = textOf(row, 'url');
        return url === '' ? <Nothing /> : <a href={url}>PDF</a>;
      },
    },
  ],
  filters: [
    {
      parameter: 'kinds',
      label: 'column.kind',
      kind: 'choices',
      options: ['invoice', 'credit_note'],
      names: 'document.',
    },
    { parameter: 'currencies', label: 'column.currency', kind: 'text' },
    ...created,
  ],
  actions: [
    {
      id: 'download',
      label: 'action.download',
      bulkLabel: 'action.downloadZip',
      area: 'invoices',
      fits: (row) => textOf(row, 'url') !== '',
      file: (row) => ({
        url: textOf(row, 'url'),
        name: `${textOf(row, 'number').replaceAll(NO_FILE_NAME, '-')}.pdf`,
      }),
    },
  ],
  nameOf: (row) => textOf(row, 'number'),
  hrefOf: (row) => (textOf(row, 'orderNumber') ? `/orders/${textOf(row, 'orderNumber')}` : null),
};

export const ledger: ListDeclaration = {
  name: 'ledger',
  resource: 'ledger',
  object: 'ledger_entry',
  area: 'ledger',
  operation: '/v0/ledger/entries/list',
  rowsIn: 'ledgerEntries',
  search: 'term',
  columns: [
    timeColumn('at', 'column.date'),
    nameColumn('kind', 'column.kind', 'entry.'),
    nameColumn('account', 'column.account', 'ledger.'),
    sideColumn('debit', 'column.debit'),
    sideColumn('credit', 'column.credit'),
    codeColumn('paymentNumber', 'column.payment'),
  ],
  filters: [
    {
      parameter: 'accounts',
      label: 'column.account',
      kind: 'choices',
      options: [
        'processor_clearing',
        'sales',
        'tax_payable',
        'fees',
        'refunds',
        'manual',
        'disputes',
        'conversion',
        'processor_other',
        'payouts',
        'refunds_payable',
      ],
      names: 'ledger.',
    },
    {
      parameter: 'kinds',
      label: 'column.kind',
      kind: 'choices',
      options: [
        'charge',
        'fee',
        'refund',
        'dispute_opened',
        'dispute_won',
        'dispute_lost',
        'conversion_in',
        'conversion_out',
        'reversal_in',
        'reversal_out',
        'refund_returned',
        'return_settled',
        'movement',
      ],
      names: 'entry.',
    },
    { parameter: 'paymentId', label: 'column.payment', kind: 'text' },
    ...created,
  ],
  idOf: (row) => `${textOf(row, 'id')} ${textOf(row, 'account')} ${textOf(row, 'currency')}`,
  nameOf: (row) => [textOf(row, 'kind'), textOf(row, 'account'), textOf(row, 'id').slice(-6)].join(' '),
  hrefOf: (row) => (textOf(row, 'paymentId') ? `/orders/payments/${textOf(row, 'paymentId')}` : null),
};
