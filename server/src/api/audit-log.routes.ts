/** Who did what in a workspace, for its Owner and Admins. */
import { type Route, read } from '../http/route.ts';
import { countAuditEntries, listAuditEntries } from '../resources/audit-log/audit-entries.queries.ts';
import { AuditEntriesData, ListAuditEntries, toAuditEntry } from '../resources/audit-log/audit-log.schema.ts';
import { cutPage, toPage } from '../resources/paging.ts';

const list = read({
  method: 'GET',
  path: '/v0/audit-log/list',
  operationId: 'listAuditEntries',
  tag: 'audit-log',
  summary: 'List what was done in the workspace, newest first',
  description:
    'Of both stores, of the workspace as a whole, what its members did to their accounts, and when the operator held the installation and let it go. A key pair needs the scope `audit-log:read`.',
  query: ListAuditEntries,
  data: AuditEntriesData,
  needsSecret: true,
  ofWorkspace: true,
  handler: async ({ db, scope: { workspaceId }, query }) => {
    const page = toPage(query);
    const { actor, operation, objectId, requestId, term, createdFrom, createdTo } = query;
    const filter = { actor, operation, objectId, requestId, term, createdFrom, createdTo };
    const rows = await listAuditEntries(db, { workspaceId, filter, page });
    const count = query.returnCount ? await countAuditEntries(db, { workspaceId, filter }) : null;
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    return { auditEntries: cut.rows.map(toAuditEntry), count, ...cut.page };
  },
});

export const auditLogRoutes: Route[] = [list];
