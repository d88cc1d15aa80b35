/** Views: filters and columns of a list under a name, for oneself or for everybody. */
import type { Tx } from '../db/database.ts';
import type { Row } from '../db/schema.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { requireWords } from '../domain/require-words.ts';
import type { Actor } from '../http/authenticate.ts';
import { mayAccess, requireAccess } from '../http/may-do.ts';
import { type Route, read, write } from '../http/route.ts';
import { EXPORTED_RESOURCES } from '../resources/exports/exports.schema.ts';
import { cutPage, toPage } from '../resources/paging.ts';
import {
  countOwnViews,
  deleteView,
  insertView,
  isNameTaken,
  listViews,
  lockView,
  updateView,
} from '../resources/views/views.queries.ts';
import {
  CreateView,
  ListViews,
  toView,
  UpdateView,
  ViewData,
  ViewParams,
  ViewsData,
} from '../resources/views/views.schema.ts';
import { areaOfList } from './exported-lists.ts';

/** Of one owner in one store. */
const VIEWS_MAX = 200;

/** One's own, or a shared one that one may change. A view of somebody else's does not exist for others. */
async function getOwn(
  tx: Tx,
  scope: Scope,
  { id, actor }: { id: string; actor: Actor },
): Promise<Row<'views'>> {
  const row = await lockView(tx, scope, id);
  if (!row || (row.owner !== actor.name && !row.shared)) throw new Refusal('not_found');
  if (row.shared) requireAccess(actor, 'settings', 'write');
  return row;
}

type Named = Parameters<typeof isNameTaken>[2];

/** Two of one name cannot be told apart where they are chosen. Throws view_taken. */
async function requireOwnName(tx: Tx, scope: Scope, view: Named): Promise<void> {
  if (await isNameTaken(tx, scope, view))
    throw new Refusal('view_taken', { details: [{ path: 'name', message: 'is taken' }] });
}

/** All operations, some of which are the lists: what somebody may not read has no views for them. */
type ListRoutes = () => readonly Route[];

const listing = (listRoutes: ListRoutes) =>
  read({
    method: 'GET',
    path: '/v0/views/list',
    operationId: 'listViews',
    tag: 'views',
    needsSecret: true,
    summary: 'List one’s own views and those that are shared, newest first',
    description: 'Of lists that whoever asks may read.',
    query: ListViews,
    data: ViewsData,
    handler: async ({ db, scope, query, actor }) => {
      const page = toPage(query);
      const resources = EXPORTED_RESOURCES.filter(
        (one) =>
          (query.resource === undefined || one === query.resource) &&
          mayAccess(actor, areaOfList(listRoutes(), one), 'read'),
      );
      const { rows, count } = await listViews(db, scope, { filter: { owner: actor.name, resources }, page });
      const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
      return { views: cut.rows.map((row) => toView(row, actor.name)), count, ...cut.page };
    },
  });

const creating = (listRoutes: ListRoutes) =>
  write({
    method: 'POST',
    path: '/v0/views/create',
    operationId: 'createView',
    tag: 'views',
    summary: 'Save a view of a list',
    body: CreateView,
    data: ViewData,
    errors: ['view_limit_reached', 'view_taken'],
    example: { resource: 'orders', name: 'Unpaid', query: 'statuses=PENDING', columns: ['number', 'value'] },
    handler: async ({ ctx, tx, scope, body, actor }) => {
      requireAccess(actor, areaOfList(listRoutes(), body.resource), 'read');
      if (body.shared) requireAccess(actor, 'settings', 'write');
      requireWords({ name: body.name });
      if ((await countOwnViews(tx, scope, actor.name)) >= VIEWS_MAX) throw new Refusal('view_limit_reached');
      const { nowMs } = ctx;
      const view = {
        ...body,
        id: ctx.ids.next(nowMs),
        owner: actor.name,
        createdAt: nowMs,
        updatedAt: nowMs,
      };
      await requireOwnName(tx, scope, view);
      const row = await insertView(tx, scope, view);
      return { view: toView(row, actor.name) };
    },
  });

const update = write({
  method: 'PATCH',
  path: '/v0/views/:viewId/update',
  operationId: 'updateView',
  tag: 'views',
  summary: 'Change a view',
  description: 'Missing fields stay as they are.',
  params: ViewParams,
  body: UpdateView,
  data: ViewData,
  errors: ['view_taken'],
  example: { name: 'Unpaid this week' },
  handler: async ({ ctx, tx, scope, params: { viewId }, body, actor, audit }) => {
    const before = await getOwn(tx, scope, { id: viewId, actor });
    if (body.shared) requireAccess(actor, 'settings', 'write');
    requireWords({ name: body.name });
    // One that keeps its name is asked too where it becomes everybody's.
    const name = body.name ?? before.name;
    if (name.trim() !== before.name.trim() || (body.shared && !before.shared))
      await requireOwnName(tx, scope, { ...before, name });
    audit(toView(before, actor.name));
    const row = await updateView(tx, scope, { ...body, id: viewId, updatedAt: ctx.nowMs });
    return { view: toView(row, actor.name) };
  },
});

const remove = write({
  method: 'DELETE',
  path: '/v0/views/:viewId',
  operationId: 'deleteView',
  tag: 'views',
  summary: 'Delete a view',
  params: ViewParams,
  data: ViewData,
  handler: async ({ tx, scope, params: { viewId }, actor, audit }) => {
    const row = await getOwn(tx, scope, { id: viewId, actor });
    audit(toView(row, actor.name));
    await deleteView(tx, scope, viewId);
    return { view: toView(row, actor.name) };
  },
});

export function viewRoutes(listRoutes: ListRoutes): Route[] {
  return [listing(listRoutes), creating(listRoutes), update, remove];
}
