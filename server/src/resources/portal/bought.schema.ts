/** What a buyer has bought, as the portal shows it: orders, documents, and what can be used. */
import { type Static, Type } from 'typebox';
import { toDocumentUrl } from '../../domain/invoicing/numbering.ts';
import { nameOf, toItemNote } from '../../domain/item-note.ts';
import { currencyDecimals } from '../../domain/money/currency.ts';
import { ACCESS_STATUSES, type Access } from '../../domain/subscriptions/access.ts';
import type { ListedInvoiceRow } from '../invoices/listed-invoices.queries.ts';
import { Order, toMaskedKey } from '../orders/orders.schema.ts';
import { pageAnswer, pageQuery } from '../paging.ts';
import {
  Answer,
  Body,
  Component,
  Currency,
  IdOrNumber,
  Minor,
  Ms,
  Nullable,
  StringEnum,
  Uuid,
} from '../shapes.ts';
import type { InventoryRow } from '../users/inventory.queries.ts';
import {
  PortalItem,
  PortalListedOrder,
  PortalOrder,
  PortalPayment,
  PortalRefund,
} from './for-buyers.schema.ts';

export const ListOwn = Type.Object(pageQuery);
export const OwnOrderParams = Type.Object({ orderNumber: IdOrNumber() });
export const OwnOrdersData = Answer(null, {
  orders: Type.Array(Component(PortalListedOrder)),
  ...pageAnswer,
});
export const OwnOrderData = Answer(null, {
  order: Component(PortalOrder),
  items: Type.Array(Component(PortalItem)),
  payments: Type.Array(Component(PortalPayment)),
  refunds: Type.Array(Component(PortalRefund)),
  consents: (Order.properties as { consents: typeof Order.properties.consents }).consents,
  withdrawableUntil: Nullable(Ms()),
  withdrawalOpen: Type.Boolean({
    description: 'Whether that time runs still, and there is something to withdraw from.',
  }),
});

export const PortalDocument = Answer('PortalDocument', {
  object: StringEnum(['document']),
  number: Type.String(),
  kind: StringEnum(['invoice', 'credit_note']),
  orderNumber: Type.String(),
  date: Ms({ description: 'Of the document (Unix ms).' }),
  value: Minor({ description: 'Tax in; of a credit note what it gives back.' }),
  tax: Minor(),
  currency: Currency(),
  currencyDecimals: Type.Integer(),
  url: Type.String({ description: 'The PDF.' }),
});
export const DocumentsData = Answer(null, {
  documents: Type.Array(Component(PortalDocument)),
  ...pageAnswer,
});

export function toPortalDocument(row: ListedInvoiceRow, publicUrl: string): Static<typeof PortalDocument> {
  return {
    object: 'document',
    number: row.number,
    kind: row.kind,
    orderNumber: row.orderNumber,
    date: row.finalisedAt,
    value: Number(row.total),
    tax: Number(row.tax),
    // A currency of the list: checked on the way in.
    currency: row.currency as Static<typeof PortalDocument>['currency'],
    currencyDecimals: currencyDecimals(row.currency),
    url: toDocumentUrl(publicUrl, row.token),
  };
}

export const LibraryItem = Answer('LibraryItem', {
  object: StringEnum(['library_item']),
  id: Uuid(),
  name: Type.String(),
  variantName: Nullable(Type.String({ description: 'The variant’s name; null without.' })),
  note: Nullable(
    Type.String({
      description: 'Product and variant as far as the name leaves them out; null where it says all.',
    }),
  ),
  quantity: Type.Integer(),
  orderNumber: Type.String(),
  subscriptionId: Nullable(Type.String()),
  boughtAt: Ms(),
  status: StringEnum([...ACCESS_STATUSES, 'revoked'], {
    description:
      '`frozen`: withheld while a bank disputes a payment of it. `ended`: with its subscription. `revoked`: given back.',
  }),
  endsAt: Nullable(Ms({ description: 'When it ends unless more is paid, or when it ended. Null: never.' })),
  awaitingStock: Type.Boolean({ description: 'Whether its keys are still to come.' }),
  keys: Type.Array(Answer(null, { id: Uuid(), key: Type.String({ description: 'Masked.' }) })),
  download: Nullable(
    Answer(null, {
      fileName: Type.String(),
      size: Type.Integer(),
      used: Type.Integer({ description: 'How often it was downloaded.' }),
      limit: Nullable(Type.Integer()),
      until: Nullable(Ms({ description: 'Until when it can be downloaded (Unix ms); null: for ever.' })),
      open: Type.Boolean({ description: 'Whether it may be downloaded now.' }),
    }),
  ),
});
export const LibraryData = Answer(null, { items: Type.Array(Component(LibraryItem)), ...pageAnswer });
export const LibraryParams = Type.Object({ itemId: Uuid() });
export const NoBody = Body({});
export const OwnKeysData = Answer(null, {
  keys: Type.Array(Answer(null, { id: Uuid(), key: Type.String({ description: 'The key, whole.' }) })),
});
export const DownloadData = Answer(null, {
  download: Answer(null, {
    url: Type.String({ description: 'Opens for 15 minutes; opening it counts once.' }),
    expiresAt: Ms(),
    used: Type.Integer({ description: 'How often it was downloaded.' }),
    limit: Nullable(Type.Integer()),
    until: Nullable(Ms({ description: 'Until when it can be downloaded (Unix ms); null: for ever.' })),
  }),
});

const DAY_MS = 24 * 3_600_000;

/** Until when an item may be downloaded; null = for ever. */
export function toUntil({ downloadDays, paidAt }: { downloadDays: number | null; paidAt: number | null }) {
  return downloadDays === null || paidAt === null ? null : paidAt + downloadDays * DAY_MS;
}

interface ShownFile {
  fileName: string | null;
  sizeBytes: number | null;
}

export function toLibraryItem(
  row: InventoryRow,
  { access, file, canDownload }: { access: Access; file: ShownFile | undefined; canDownload: boolean },
): Static<typeof LibraryItem> {
  const isRevoked = row.fulfilment === 'revoked';
  const isDelivered = row.fulfilment === 'delivered';
  const { fileName = null, sizeBytes = null } = file ?? {};
  const variantName = nameOf(row.variant);
  return {
    object: 'library_item',
    id: row.id,
    name: row.name,
    variantName,
    note: toItemNote({ name: row.name, productName: nameOf(row.product), variantName }),
    quantity: row.quantity,
    orderNumber: row.orderNumber,
    subscriptionId: row.subscriptionNumber,
    boughtAt: row.boughtAt,
    status: isRevoked ? 'revoked' : access.status,
    endsAt: access.endsAtMs,
    awaitingStock: row.fulfilment === 'awaiting_stock',
    keys: access.status === 'active' ? row.keys.map(({ id, key }) => ({ id, key: toMaskedKey(key) })) : [],
    download:
      fileName === null || sizeBytes === null || !(isDelivered || isRevoked)
        ? null
        : {
            fileName,
            size: sizeBytes,
            used: row.downloads,
            limit: row.downloadLimit,
            until: toUntil({ downloadDays: row.downloadDays, paidAt: row.boughtAt }),
            open: isDelivered && access.status === 'active' && canDownload,
          },
  };
}
