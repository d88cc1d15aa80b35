/** Products, discounts, checkouts, files, custom fields. */
import { numberOf, textOf } from '../api/objects.ts';
import {
  Amount,
  codeColumn,
  cutColumn,
  nameColumn,
  numberColumn,
  Stamp,
  sizeColumn,
  statusColumn,
  statusOrArchived,
  textColumn,
  timeColumn,
} from '../ui/cells.tsx';
import { Days } from '../ui/days.tsx';
import type { ListDeclaration, RowAction } from './types.ts';

export const PRODUCT_TYPES = [
  'DigitalDownload',
  'Game',
  'GiftCard',
  'SoftwareKey',
  'VirtualCurrency',
  'VirtualItem',
  'Subscription',
  'OneTimePayment',
] as const;

const isArchived = (row: Record<string, unknown>) =>
  textOf(row, 'status') === 'archived' || numberOf(row, 'archivedAt') !== null;

const archive = (area: string, path: string): RowAction[] => [
  {
    id: 'archive',
    label: 'action.archive',
    area,
    isDanger: true,
    fits: (row) => !isArchived(row),
    call: (row) => ({ method: 'PATCH', path: `${path}/${textOf(row, 'id')}/archive` }),
    undo: (row) => ({
      method: 'PATCH',
      path: `${path}/${textOf(row, 'id')}/unarchive`,
      body: path === '/v0/products' ? { withOffers: true } : {},
    }),
  },
  {
    id: 'unarchive',
    label: 'action.unarchive',
    area,
    fits: isArchived,
    call: (row) => ({ method: 'PATCH', path: `${path}/${textOf(row, 'id')}/unarchive` }),
  },
];

/** Over the form that makes one, since something of it must differ. */
const duplicate = (area: string, dialog: string): RowAction => ({
  id: 'duplicate',
  label: 'action.duplicate',
  area,
  dialog,
});

const copyToLive = (area: string, dialog: string): RowAction => ({
  id: 'copy-to-live',
  label: 'action.copyToLive',
  area,
  dialog,
  toLive: true,
});

export const products: ListDeclaration = {
  name: 'products',
  resource: 'products',
  object: 'product',
  area: 'products',
  operation: '/v0/products/list',
  rowsIn: 'products',
  search: 'term',
  columns: [
    cutColumn('name', 'column.name'),
    nameColumn('type', 'column.type', 'product.'),
    statusOrArchived(isArchived, 'productStatus.'),
    numberColumn('offerCount', 'column.offers'),
    {
      id: 'fromPrice',
      label: 'column.fromPrice',
      isEnd: true,
      draw: (row, tools) => (
        <Amount minor={numberOf(row, 'fromPrice')} currency={tools.currency ?? ''} tools={tools} />
      ),
    },
    numberColumn('stock', 'column.stock'),
    timeColumn('createdAt', 'column.created'),
  ],
  filters: [
    {
      parameter: 'statuses',
      label: 'column.status',
      kind: 'choices',
      options: ['DRAFT', 'ACTIVE', 'HIDDEN', 'archived'],
      names: 'productStatus.',
    },
    { parameter: 'types', label: 'column.type', kind: 'choices', options: PRODUCT_TYPES, names: 'product.' },
    { parameter: 'lowStock', label: 'filter.lowStock', kind: 'yes' },
    { parameter: 'withArchived', label: 'filter.withArchived', kind: 'yes' },
    {
      parameter: 'orderDirection',
      label: 'filter.orderDirection',
      kind: 'choice',
      options: ['DESC', 'ASC'],
      names: 'direction.',
    },
  ],
  actions: [
    {
      id: 'duplicate',
      label: 'action.duplicate',
      area: 'products',
      call: (row) => ({ method: 'POST', path: `/v0/products/${textOf(row, 'id')}/duplicate` }),
    },
    copyToLive('products', 'copy-product'),
    ...archive('products', '/v0/products'),
  ],
  create: { label: 'form.createProduct', area: 'products', form: 'product' },
  nameOf: (row) => textOf(row, 'name'),
  hrefOf: (row) => `/catalogue/products/${textOf(row, 'id')}`,
};

export const discounts: ListDeclaration = {
  name: 'discounts',
  resource: 'discounts',
  object: 'discount',
  area: 'discounts',
  operation: '/v0/discounts/list',
  rowsIn: 'discounts',
  search: 'term',
  columns: [
    {
      id: 'code',
      label: 'column.code',
      draw: (row) => <span className="code-text">{textOf(row, 'discountCode') || textOf(row, 'name')}</span>,
    },
    nameColumn('type', 'column.type', 'discount.'),
    {
      id: 'amount',
      label: 'column.amount',
      isEnd: true,
      draw: (row, tools) =>
        textOf(row, 'amountType') === 'percentage' ? (
          <span className="amount">{tools.locale.percentage(Number(row.amount))}</span>
        ) : (
          <Amount minor={numberOf(row, 'amount')} currency={textOf(row, 'currency')} tools={tools} />
        ),
    },
    statusColumn('state', 'column.state'),
    {
      id: 'used',
      label: 'column.used',
      isEnd: true,
      draw: (row, { locale }) => {
        const limit = numberOf(row, 'purchaseLimit');
        const used = locale.number(numberOf(row, 'timesUsed') ?? 0);
        return (
          <span className="amount">
            {limit === null ? used : locale.t('discount.usedOf', { used, limit: locale.number(limit) })}
          </span>
        );
      },
    },
    {
      id: 'window',
      label: 'column.window',
      draw: (row, tools) => (
        <Days from={numberOf(row, 'validFrom')} until={numberOf(row, 'validUntil')} tools={tools} />
      ),
    },
  ],
  filters: [
    {
      parameter: 'statuses',
      label: 'column.status',
      kind: 'choices',
      options: ['active', 'inactive', 'archived'],
      names: 'status.',
    },
    {
      parameter: 'type',
      label: 'column.type',
      kind: 'choice',
      options: ['code', 'sale'],
      names: 'discount.',
    },
    { parameter: 'withArchived', label: 'filter.withArchived', kind: 'yes' },
  ],
  actions: [
    {
      id: 'edit',
      label: 'action.edit',
      area: 'discounts',
      dialog: 'edit-discount',
      fits: (row) => !isArchived(row),
    },
    duplicate('discounts', 'duplicate-discount'),
    copyToLive('discounts', 'copy-discount'),
    ...archive('discounts', '/v0/discounts'),
  ],
  create: { label: 'form.createDiscount', area: 'discounts', form: 'discount' },
  nameOf: (row) => textOf(row, 'discountCode') || textOf(row, 'name'),
};

export const checkouts: ListDeclaration = {
  name: 'checkouts',
  resource: 'elements',
  object: 'checkoutElement',
  area: 'elements',
  operation: '/v0/elements/checkout/list',
  rowsIn: 'checkoutElements',
  search: 'term',
  columns: [
    { id: 'name', label: 'column.name', draw: (row) => textOf(row, 'name') || textOf(row, 'id') },
    {
      id: 'offers',
      label: 'column.offers',
      isEnd: true,
      draw: (row) => <span className="amount">{Array.isArray(row.offers) ? row.offers.length : 0}</span>,
    },
    numberColumn('paidOrders', 'column.paidOrders'),
    statusColumn(),
    {
      id: 'url',
      label: 'column.link',
      draw: (row) => (
        <a href={textOf(row, 'url')} target="_blank" rel="noreferrer" className="cut">
          {textOf(row, 'url').replace(/^https?:\/\//, '')}
        </a>
      ),
    },
  ],
  filters: [
    {
      parameter: 'statuses',
      label: 'column.status',
      kind: 'choices',
      options: ['active', 'archived'],
      names: 'status.',
    },
    { parameter: 'withArchived', label: 'filter.withArchived', kind: 'yes' },
  ],
  actions: [
    {
      id: 'copy',
      label: 'copy.link',
      area: 'elements',
      fits: (row) => !isArchived(row),
      copies: (row) => textOf(row, 'url'),
    },
    {
      id: 'edit',
      label: 'action.edit',
      area: 'elements',
      dialog: 'edit-checkout',
      fits: (row) => !isArchived(row),
    },
    duplicate('elements', 'duplicate-checkout'),
    copyToLive('elements', 'copy-checkout'),
    ...archive('elements', '/v0/elements/checkout'),
  ],
  create: { label: 'form.createCheckout', area: 'elements', form: 'checkout' },
  nameOf: (row) => textOf(row, 'name') || textOf(row, 'id'),
  hrefOf: (row) => `/catalogue/checkouts/${textOf(row, 'id')}`,
};

export const files: ListDeclaration = {
  name: 'files',
  resource: 'files',
  object: 'file',
  area: 'files',
  operation: '/v0/files/list',
  rowsIn: 'files',
  search: 'term',
  columns: [
    {
      id: 'fileName',
      label: 'column.name',
      draw: (row) => textOf(row, 'fileName') || textOf(row, 'name') || textOf(row, 'id'),
    },
    textColumn('type', 'column.type'),
    sizeColumn('size', 'column.size'),
    codeColumn('id', 'column.id'),
    timeColumn('createdAt', 'column.created'),
  ],
  filters: [],
  actions: [
    { id: 'copy', label: 'copy.id', area: 'files', copies: (row) => textOf(row, 'id') },
    // A picture's address is what the settings take.
    {
      id: 'copy-link',
      label: 'copy.link',
      area: 'files',
      fits: (row) => textOf(row, 'url') !== '',
      copies: (row) => textOf(row, 'url'),
    },
  ],
  create: { label: 'form.uploadFile', area: 'files', form: 'file' },
  nameOf: (row) => textOf(row, 'fileName') || textOf(row, 'id'),
};

export const customFields: ListDeclaration = {
  name: 'custom-fields',
  resource: 'custom-fields',
  object: 'custom_field',
  area: 'custom-fields',
  operation: '/v0/custom-fields/list',
  rowsIn: 'customFields',
  search: 'term',
  columns: [
    cutColumn('label', 'column.name'),
    codeColumn('key', 'column.key'),
    nameColumn('type', 'column.type', 'option.'),
    {
      id: 'required',
      label: 'column.required',
      draw: (row, { locale }) => locale.t(row.required === true ? 'yes' : 'no'),
    },
    {
      id: 'status',
      label: 'column.status',
      draw: (row, tools) => <Stamp status={isArchived(row) ? 'archived' : 'active'} tools={tools} />,
    },
  ],
  filters: [{ parameter: 'withArchived', label: 'filter.withArchived', kind: 'yes' }],
  actions: [
    {
      id: 'edit',
      label: 'action.edit',
      area: 'custom-fields',
      dialog: 'edit-custom-field',
      fits: (row) => !isArchived(row),
    },
    duplicate('custom-fields', 'duplicate-custom-field'),
    copyToLive('custom-fields', 'copy-custom-field'),
    ...archive('custom-fields', '/v0/custom-fields'),
  ],
  create: { label: 'form.createCustomField', area: 'custom-fields', form: 'custom-field' },
  nameOf: (row) => textOf(row, 'label'),
};
