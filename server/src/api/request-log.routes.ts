/** What was asked of a store in the last days. */
import { type Route, read } from '../http/route.ts';
import { cutPage, toPage } from '../resources/paging.ts';
import { countRequests, listRequests } from '../resources/request-log/request-log.queries.ts';
import { ListRequests, RequestsData, toLoggedRequest } from '../resources/request-log/request-log.schema.ts';

const list = read({
  method: 'GET',
  path: '/v0/request-log/list',
  operationId: 'listRequests',
  tag: 'request-log',
  summary: 'List requests of the last 7 days, newest first',
  description:
    'In test mode all requests of key pairs, in live mode their writes and refusals; of the dashboard writes and refusals. At most 20,000 rows and 50 MB a store. A key pair needs the scope `request-log:read`.',
  query: ListRequests,
  data: RequestsData,
  needsSecret: true,
  handler: async ({ db, scope, query }) => {
    const page = toPage(query);
    const { method, status, keyId, requestId, term, createdFrom, createdTo } = query;
    const filter = { method, status, keyId, requestId, term, createdFrom, createdTo };
    const rows = await listRequests(db, scope, { filter, page });
    const count = query.returnCount ? await countRequests(db, scope, filter) : null;
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    return { requests: cut.rows.map(toLoggedRequest), count, ...cut.page };
  },
});

export const requestLogRoutes: Route[] = [list];
