/** Cancellation notices as the merchant sees and decides them. */
import { Type } from 'typebox';
import { Refusal } from '../domain/errors.ts';
import { decideNotice } from '../flows/consumer/decide-notice.ts';
import { flow, type Route, read } from '../http/route.ts';
import { countNotices, findNotice, listNotices } from '../resources/consumer/notices.queries.ts';
import {
  DecideNotice,
  ListNotices,
  NoticeData,
  NoticesData,
  toNotice,
} from '../resources/consumer/notices.schema.ts';
import { countMatches, cutPage, toPage, toStatuses } from '../resources/paging.ts';
import { Uuid } from '../resources/shapes.ts';

const Params = Type.Object({ noticeId: Uuid() });

const list = read({
  method: 'GET',
  path: '/v0/cancellation-notices/list',
  operationId: 'listCancellationNotices',
  tag: 'cancellation-notices',
  needsSecret: true,
  summary: 'List cancellation notices, newest first',
  query: ListNotices,
  data: NoticesData,
  handler: async ({ db, scope, query }) => {
    const page = toPage(query);
    const { returnCount, status: _status, ...given } = query;
    const filter = { ...given, statuses: toStatuses(query) };
    const rows = await listNotices(db, scope, { filter, page });
    const cut = cutPage(rows, page, (row) => ({ value: row.receivedAt, id: row.id }));
    const asked = { page, shown: cut, returnCount };
    const count = await countMatches(asked, (limit) => countNotices(db, scope, { filter, limit }));
    return { notices: cut.rows.map(toNotice), count, ...cut.page };
  },
});

const get = read({
  method: 'GET',
  path: '/v0/cancellation-notices/:noticeId',
  operationId: 'getCancellationNotice',
  tag: 'cancellation-notices',
  needsSecret: true,
  summary: 'Get a cancellation notice',
  params: Params,
  data: NoticeData,
  errors: ['not_found'],
  handler: async ({ db, scope, params }) => {
    const row = await findNotice(db, scope, params.noticeId);
    if (!row) throw new Refusal('not_found');
    return { notice: toNotice(row) };
  },
});

const decide = flow({
  method: 'PATCH',
  path: '/v0/cancellation-notices/:noticeId/decide',
  operationId: 'decideCancellationNotice',
  tag: 'cancellation-notices',
  summary: 'Accept or refuse a cancellation notice',
  description:
    'Accepted for cause the contract ends now, else with its interval or as the notice asks. The buyer is mailed.',
  params: Params,
  body: DecideNotice,
  data: NoticeData,
  errors: ['not_found', 'notice_state', 'payment_in_progress'],
  example: { accept: true },
  handler: async ({ ctx, scope, params: { noticeId: id }, body, claim, audit }) => {
    const before = await findNotice(ctx.db, scope, id);
    if (!before) throw new Refusal('not_found');
    audit({ notice: toNotice(before) }, id);
    const { accept, subscriptionId = null, note = null } = body;
    // A request that died once it had decided is answered as the notice stands.
    const isDecided = claim.resumeId !== null;
    const begin = (tx: Parameters<typeof claim.begin>[0]) => claim.begin(tx, id);
    const row = isDecided
      ? before
      : await decideNotice(ctx, scope, { id, accept, subscriptionId, note, begin });
    return { notice: toNotice(row) };
  },
});

export const cancellationNoticeRoutes: Route[] = [list, get, decide];
