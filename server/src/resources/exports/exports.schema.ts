/** Exports in the API. */
import { type Static, Type } from 'typebox';
import { pageAnswer, pageQuery } from '../paging.ts';
import { Answer, Body, Component, Ms, Nullable, StringEnum, Text, TextOrNone, Uuid } from '../shapes.ts';
import type { ExportRow } from './exports.queries.ts';

/** The lists that can be had as a file, by the operation that answers them. */
export const EXPORTED = {
  orders: 'listOrders',
  payments: 'listPayments',
  refunds: 'listRefunds',
  disputes: 'listDisputes',
  withdrawals: 'listWithdrawals',
  'cancellation-notices': 'listCancellationNotices',
  subscriptions: 'listSubscriptions',
  users: 'listUsers',
  products: 'listProducts',
  offers: 'listOffers',
  discounts: 'listDiscounts',
  elements: 'listCheckoutElements',
  files: 'listFiles',
  'custom-fields': 'listCustomFields',
  invoices: 'listInvoices',
  ledger: 'listLedgerEntries',
  mails: 'listMails',
  webhooks: 'listWebhooks',
  events: 'listEvents',
  requests: 'listRequests',
  'audit-log': 'listAuditEntries',
  'api-keys': 'listApiKeys',
  members: 'listMembers',
} as const;

export type ExportedResource = keyof typeof EXPORTED;
// The keys of a literal are its type's.
export const EXPORTED_RESOURCES = Object.keys(EXPORTED) as ExportedResource[];

/** As many as may be selected in a list. */
export const IDS_MAX = 500;

const RECIPIENTS_MAX = 20;
const RECIPIENT_MAX = 4096;

export const Export = Answer('Export', {
  object: StringEnum(['export']),
  id: Uuid(),
  kind: StringEnum(['list', 'store', 'user']),
  resource: Type.String({ description: 'The list that it is a file of; of an archive its kind.' }),
  query: Type.String({ description: 'The parameters of the list, as in an address.' }),
  ids: Type.Array(Type.String(), { description: 'Of an export of a user, the user.' }),
  columns: Type.Array(Type.String(), {
    description: 'Paths of the rows’ fields; none of NDJSON: whole rows.',
  }),
  format: StringEnum(['csv', 'ndjson', 'tar.gz'], { description: 'What kind of file it is.' }),
  withSecrets: Type.Boolean({ description: 'Of a store: its secrets are in it.' }),
  recipients: Type.Array(Type.String(), {
    description: 'Of age: who alone reads the file; none = whoever has it.',
  }),
  status: StringEnum(['queued', 'running', 'done', 'failed', 'canceled']),
  reason: Nullable(
    Type.String({
      description:
        'Why it failed: `too_large` (2 GiB), `no_room` on the disk, `failed` again and again, or the code by which the list refuses.',
    }),
  ),
  rows: Type.Integer({ description: 'So many have been written.' }),
  total: Nullable(Type.Integer({ description: 'So many there will be; null until they are counted.' })),
  sizeBytes: Type.Integer(),
  url: Nullable(
    Type.String({
      description:
        'Where the file is, for 15 minutes, made anew with each answer; null until it is done. To a session a file of users or mails is shown within minutes of a proof of who it is.',
    }),
  ),
  createdBy: Type.String({ description: 'As the audit log names who asks.' }),
  createdAt: Ms(),
  endedAt: Nullable(Ms()),
  expiresAt: Ms({ description: 'When the file is let go, in real time.' }),
});

export const CreateExport = Body({
  kind: StringEnum(['list', 'store', 'user'], {
    description: '`store`: all of the store as an archive; `user`: all that it has of one user.',
  }),
  resource: Type.Optional(StringEnum(EXPORTED_RESOURCES, { description: 'Of kind `list`, which needs it.' })),
  userId: Type.Optional(Uuid({ description: 'Of kind `user`, which needs it.' })),
  query: Type.Optional(
    TextOrNone(8000, {
      description: 'The list’s own parameters, as in an address. Those of paging are left out.',
    }),
  ),
  ids: Type.Optional(
    Type.Array(Text(64), { maxItems: IDS_MAX, description: 'Of what the query finds these rows alone.' }),
  ),
  columns: Type.Optional(
    Type.Array(Text(200), {
      maxItems: 200,
      description: 'Of a CSV: paths of the rows’ fields, such as `user.username`; missing = all.',
    }),
  ),
  format: Type.Optional(StringEnum(['csv', 'ndjson'], { description: 'Of kind `list`, which needs it.' })),
  withSecrets: Type.Optional(
    Type.Boolean({
      description:
        'Of kind `store`: hashes of key pairs, secrets of webhooks and sealed credentials, too. Needs `recipients`.',
    }),
  ),
  recipients: Type.Optional(
    Type.Array(Text(RECIPIENT_MAX), {
      ...{ minItems: 1, maxItems: RECIPIENTS_MAX },
      description: 'Of kind `store`: recipients of age (`age1…`), who alone can read the file.',
    }),
  ),
});
export const ExportParams = Type.Object({ exportId: Uuid() });
export const CancelExport = Body({ id: Type.Optional(Uuid()) });
export const ListExports = Type.Object({ ...pageQuery });
export const ExportData = Answer(null, { export: Component(Export) });
export const ExportsData = Answer(null, { exports: Type.Array(Component(Export)), ...pageAnswer });

export function toExport(row: ExportRow, url: string | null): Static<typeof Export> {
  const { id, kind, resource, query, ids, columns, format, withSecrets, recipients } = row;
  const { reason, rows, rowsExpected, createdAt, endedAt } = row;
  return {
    object: 'export',
    ...{ id, kind, resource, query, ids, columns, format, withSecrets, recipients },
    status: row.outcome ?? (rowsExpected === null && row.bytes === 0 ? 'queued' : 'running'),
    ...{ reason, rows, total: rowsExpected },
    sizeBytes: row.bytes,
    url,
    createdBy: row.maker,
    ...{ createdAt, endedAt },
    expiresAt: row.expiresRealMs,
  };
}
