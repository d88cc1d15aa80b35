/** Disputes, as they are listed; the bank and the processor decide them. */
import { type Route, read } from '../http/route.ts';
import { DisputesData, ListDisputes, toDispute } from '../resources/disputes/disputes.schema.ts';
import { countDisputes, listDisputes } from '../resources/disputes/listed-disputes.queries.ts';
import { countMatches, cutPage, toPage, toStatuses } from '../resources/paging.ts';

const list = read({
  method: 'GET',
  path: '/v0/disputes/list',
  operationId: 'listDisputes',
  tag: 'disputes',
  needsSecret: true,
  summary: 'List disputes, newest first',
  query: ListDisputes,
  data: DisputesData,
  handler: async ({ db, scope, query }) => {
    const page = toPage(query);
    const { returnCount, status: _status, ...given } = query;
    const filter = { ...given, statuses: toStatuses(query) };
    const rows = await listDisputes(db, scope, { filter, page });
    const cut = cutPage(rows, page, (row) => ({ value: row.openedAt, id: row.chargeId }));
    const asked = { page, shown: cut, returnCount };
    const count = await countMatches(asked, (limit) => countDisputes(db, scope, { filter, limit }));
    return { disputes: cut.rows.map(toDispute), count, ...cut.page };
  },
});

export const disputeRoutes: Route[] = [list];
