/** Invoices and credit notes: what was finalised, with the links of their PDFs. */
import { Refusal } from '../domain/errors.ts';
import { WHOLE_ID } from '../domain/numbers.ts';
import { type Route, read } from '../http/route.ts';
import {
  InvoiceData,
  InvoiceParams,
  InvoicesData,
  ListInvoices,
  toInvoice,
} from '../resources/invoices/invoices.schema.ts';
import {
  countInvoices,
  findListedInvoice,
  listInvoices,
} from '../resources/invoices/listed-invoices.queries.ts';
import { countMatches, cutPage, toPage } from '../resources/paging.ts';

const list = read({
  method: 'GET',
  path: '/v0/invoices/list',
  operationId: 'listInvoices',
  tag: 'invoices',
  needsSecret: true,
  summary: 'List invoices and credit notes, newest first',
  query: ListInvoices,
  data: InvoicesData,
  handler: async ({ db, scope, query, ctx }) => {
    const page = toPage(query);
    const { kind, kinds = kind, returnCount, ...given } = query;
    const filter = { ...given, kinds };
    const rows = await listInvoices(db, scope, { filter, page });
    const cut = cutPage(rows, page, (row) => ({ value: row.finalisedAt, id: row.id }));
    const asked = { page, shown: cut, returnCount };
    const count = await countMatches(asked, (limit) => countInvoices(db, scope, { filter, limit }));
    const invoices = cut.rows.map((row) => toInvoice(row, ctx.config.publicUrl));
    return { invoices, count, ...cut.page };
  },
});

const get = read({
  method: 'GET',
  path: '/v0/invoices/:invoiceIdOrNumber',
  operationId: 'getInvoice',
  tag: 'invoices',
  needsSecret: true,
  summary: 'Get an invoice or a credit note by its id or number',
  params: InvoiceParams,
  data: InvoiceData,
  handler: async ({ db, scope, params: { invoiceIdOrNumber: text }, ctx }) => {
    const by = WHOLE_ID.test(text) ? { id: text } : { number: text.replace(/^(#|%23)/, '') };
    const row = await findListedInvoice(db, scope, by);
    if (!row) throw new Refusal('not_found');
    return { invoice: toInvoice(row, ctx.config.publicUrl) };
  },
});

export const invoiceRoutes: Route[] = [list, get];
