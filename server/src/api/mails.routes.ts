/** Mails: what buyers and owners were told, word for word. Asks for the secret key: it shows what was bought. */
import { Type } from 'typebox';
import { Refusal } from '../domain/errors.ts';
import { resendMail } from '../flows/mails/resend-mail.ts';
import { type Route, read, write } from '../http/route.ts';
import { countMails, findMail, listMails } from '../resources/mails/mails.queries.ts';
import { ListMails, MailAnswer, MailParams, MailsAnswer, toMail } from '../resources/mails/mails.schema.ts';
import { countMatches, cutPage, toPage, toStatuses } from '../resources/paging.ts';
import { Body, Uuid } from '../resources/shapes.ts';

const list = read({
  method: 'GET',
  path: '/v0/mails/list',
  operationId: 'listMails',
  tag: 'mails',
  summary: 'List mails, newest first',
  query: ListMails,
  data: MailsAnswer,
  needsSecret: true,
  handler: async ({ db, scope, query, ctx }) => {
    const page = toPage(query);
    const { returnCount, kind, status: _status, ...given } = query;
    const filter = { ...given, kinds: given.kinds ?? kind, statuses: toStatuses(query) };
    const rows = await listMails(db, scope, { filter, page });
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    const asked = { page, shown: cut, returnCount };
    const count = await countMatches(asked, (limit) => countMails(db, scope, { filter, limit }));
    const mails = cut.rows.map((row) => toMail(row, ctx.config.mailFrom));
    return { mails, count, ...cut.page };
  },
});

const get = read({
  method: 'GET',
  path: '/v0/mails/:mailId',
  operationId: 'getMail',
  tag: 'mails',
  summary: 'Get a mail',
  params: MailParams,
  data: MailAnswer,
  needsSecret: true,
  handler: async ({ db, scope, params, ctx }) => {
    const row = await findMail(db, scope, params.mailId);
    if (!row) throw new Refusal('not_found');
    return { mail: toMail(row, ctx.config.mailFrom) };
  },
});

const resend = write({
  method: 'POST',
  path: '/v0/mails/:mailId/resend',
  operationId: 'resendMail',
  tag: 'mails',
  summary: 'Send a mail again',
  description:
    'A new mail of the same matter, written anew; one about a sale goes to the address that its buyer has now. A mail ' +
    'that lets its reader in is not sent again.',
  params: MailParams,
  body: Body({ id: Type.Optional(Uuid()) }),
  data: MailAnswer,
  errors: ['mail_not_resendable'],
  handler: async ({ ctx, tx, scope, params: { mailId } }) => ({
    mail: toMail(await resendMail(ctx, scope, { tx, mailId }), ctx.config.mailFrom),
  }),
});

export const mailRoutes: Route[] = [list, get, resend];
