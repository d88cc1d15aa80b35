/** Exports: lists as files, written by a job. */
import { findFreshUntil } from '../domain/accounts/session-life.ts';
import { assert } from '../domain/assert.ts';
import { Refusal } from '../domain/errors.ts';
import { type Area, areaOf } from '../domain/roles.ts';
import { cancelExport } from '../flows/exports/cancel-export.ts';
import { createExport } from '../flows/exports/create-export.ts';
import type { ExportedLists } from '../flows/exports/exported-list.ts';
import { createExportUrl } from '../flows/exports/sign-export.ts';
import type { Actor } from '../http/authenticate.ts';
import { nameWithinQuery } from '../http/check-query.ts';
import { mayAccess, requireAccess } from '../http/may-do.ts';
import { type ProofRequest, type Route, type RouteRequest, read, write } from '../http/route.ts';
import { type ExportRow, findExport, listExports, lockExport } from '../resources/exports/exports.queries.ts';
import {
  CancelExport,
  CreateExport,
  EXPORTED_RESOURCES,
  ExportData,
  type ExportedResource,
  ExportParams,
  ExportsData,
  ListExports,
  toExport,
} from '../resources/exports/exports.schema.ts';
import { cutPage, toPage } from '../resources/paging.ts';
import { findListRoute } from './exported-lists.ts';

/** Who buys here, and what was written to them: nobody takes all of it along who merely found a session open. */
const PERSONAL: ReadonlySet<string> = new Set(['users', 'mails']);

function isPersonal({ body }: ProofRequest): boolean {
  // It has been held to the schema before.
  return PERSONAL.has((body as { resource: string }).resource);
}

type Asking = Pick<RouteRequest<unknown, unknown, unknown>, 'ctx' | 'actor'>;

/** With a link where whoever asks may have the file now. */
async function toShown({ ctx, actor }: Asking, row: ExportRow) {
  const isProved =
    !PERSONAL.has(row.resource) ||
    actor.member === null ||
    findFreshUntil(actor.member.session, ctx.realNowMs()) !== null;
  return toExport(row, isProved ? await createExportUrl(ctx, row) : null);
}

/** `listRoutes`: all operations, some of which are the lists; `lists`: the same as exports read them. */
export function exportRoutes(listRoutes: () => readonly Route[], lists: ExportedLists): Route[] {
  function areaOfList(resource: ExportedResource): Area {
    const area = areaOf(findListRoute(listRoutes(), resource));
    assert(area, `a list that is exported has an area: ${resource}`);
    return area;
  }
  const mayRead = (actor: Actor, resource: ExportedResource) =>
    mayAccess(actor, areaOfList(resource), 'read');
  /** A file of what somebody may not read does not exist for them. */
  const getReadable = (actor: Actor, row: ExportRow | undefined): ExportRow => {
    // Only resources of the list get into the store.
    if (!row || !mayRead(actor, row.resource as ExportedResource)) throw new Refusal('not_found');
    return row;
  };

  const list = read({
    method: 'GET',
    path: '/v0/exports/list',
    operationId: 'listExports',
    tag: 'exports',
    needsSecret: true,
    summary: 'List exports that are under way or kept, newest first',
    description: 'Those of lists that whoever asks may read.',
    query: ListExports,
    data: ExportsData,
    handler: async ({ ctx, db, scope, query, actor }) => {
      const page = toPage(query);
      const resources = EXPORTED_RESOURCES.filter((resource) => mayRead(actor, resource));
      const { rows, count } = await listExports(db, scope, { resources, page });
      const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
      const exports = await Promise.all(cut.rows.map((row) => toShown({ ctx, actor }, row)));
      return { exports, count, ...cut.page };
    },
  });

  const get = read({
    method: 'GET',
    path: '/v0/exports/:exportId',
    operationId: 'getExport',
    tag: 'exports',
    needsSecret: true,
    summary: 'Get an export, with a new link where its file is done',
    params: ExportParams,
    data: ExportData,
    handler: async ({ ctx, db, scope, params, actor }) => {
      const row = getReadable(actor, await findExport(db, scope, params.exportId));
      return { export: await toShown({ ctx, actor }, row) };
    },
  });

  const create = write({
    method: 'POST',
    path: '/v0/exports/create',
    operationId: 'createExport',
    tag: 'exports',
    needsFreshProof: isPersonal,
    summary: 'Begin to write a list to a file',
    description:
      'The file has the rows that the list has for the same query; its times are UTC. In a CSV the columns are called by ' +
      'the API’s paths: beside an amount in minor units stands the same in major ones (`value`, `value_major`), beside a ' +
      'moment in ms the same in ISO 8601 (`createdAt`, `createdAt_utc`), and a text that a spreadsheet would run as a ' +
      'formula begins with an apostrophe. NDJSON has the API’s rows. The right to read the list is needed, too; a ' +
      'session needs a fresh proof for users and mails. Three may be under way, and the newest twenty are kept 7 days.',
    body: CreateExport,
    data: ExportData,
    errors: ['export_limit_reached'],
    example: { kind: 'list', resource: 'orders', query: 'statuses=PAID', format: 'csv' },
    // What the list refuses only when it is asked is refused now, not by the job.
    checkOutside: async ({ ctx, scope, body, actor, checkQuery }) => {
      const { resource, query = '' } = body;
      requireAccess(actor, areaOfList(resource), 'read');
      const { query: schema } = findListRoute(listRoutes(), resource);
      assert(schema, 'a list declares its query');
      checkQuery(schema, query);
      const asked = { query, ids: null, cursor: null, take: 1, withPayUrls: false };
      await lists(resource)
        .read(ctx, scope, asked)
        .catch((error: unknown) => {
          throw nameWithinQuery(error);
        });
    },
    handler: async ({ ctx, tx, scope, body, actor }) => {
      const { kind, resource, format, query = '', ids = [], columns } = body;
      const withPayUrls = mayAccess(actor, 'orders', 'write');
      const wanted = { kind, resource, query, ids, columns, format, maker: actor.name, withPayUrls };
      const listed = lists(resource).columns;
      return { export: toExport(await createExport(ctx, scope, { tx, wanted, listed }), null) };
    },
  });

  const cancel = write({
    method: 'POST',
    path: '/v0/exports/:exportId/cancel',
    operationId: 'cancelExport',
    tag: 'exports',
    summary: 'Stop an export that is under way',
    params: ExportParams,
    body: CancelExport,
    data: ExportData,
    errors: ['not_found', 'export_state'],
    handler: async ({ ctx, tx, scope, params, actor, audit }) => {
      const row = getReadable(actor, await lockExport(tx, scope, params.exportId));
      audit(toExport(row, null));
      return { export: toExport(await cancelExport(ctx, scope, { tx, row }), null) };
    },
  });

  return [list, get, create, cancel];
}
