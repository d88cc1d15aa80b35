/** The lists of the API as exports read them: the operations themselves, page by page. */
import type { TSchema } from 'typebox';
import { assert } from '../domain/assert.ts';
import type { Row } from '../domain/exports/cells.ts';
import { type FieldShape, listColumns, type SharedShapes } from '../domain/exports/columns.ts';
import { type Area, areaOf } from '../domain/roles.ts';
import type { ExportedList, ExportedLists } from '../flows/exports/exported-list.ts';
import { toFileView } from '../http/member-view.ts';
import { coerceQuery, type PropertySchema, parseQueryString, queryProperties } from '../http/query.ts';
import type { Route } from '../http/route.ts';
import { EXPORTED, type ExportedResource } from '../resources/exports/exports.schema.ts';
import { ROWS_OF_EXPORT } from '../resources/paging.ts';

/** Of a page, and not of what is found. */
const OF_PAGE = ['skip', 'take', 'page', 'limit', 'cursor', 'returnCount'] as const;

interface Answer {
  cursor: string | null;
  count: number | null;
  [rowsIn: string]: unknown;
}

/** All there are, asked for when the first export comes, since the operations of exports are some of them. */
export interface Operations {
  routes: () => readonly Route[];
  components: () => readonly TSchema[];
}

export function findListRoute(routes: readonly Route[], resource: ExportedResource): Route {
  const route = routes.find(({ operationId }) => operationId === EXPORTED[resource]);
  assert(route, `a list that is exported is an operation: ${resource}`);
  return route;
}

/** Who may not read a list has neither its files nor its views. */
export function areaOfList(routes: readonly Route[], resource: ExportedResource): Area {
  const area = areaOf(findListRoute(routes, resource));
  assert(area, `a list has an area: ${resource}`);
  return area;
}

export function createExportedLists({ routes, components }: Operations): ExportedLists {
  const made = new Map<ExportedResource, ExportedList>();
  let shared: SharedShapes | undefined;
  return (resource) => {
    // Components are JSON schemas.
    shared ??= new Map(components().map((one) => [`${(one as { $id?: string }).$id}#`, one as FieldShape]));
    const list = made.get(resource) ?? toExportedList(findListRoute(routes(), resource), shared);
    made.set(resource, list);
    return list;
  };
}

function toExportedList(route: Route, shared: SharedShapes): ExportedList {
  const fields = queryProperties(route.query);
  const { name: rowsIn, row } = findRows(route);
  const countsAlways = fields.returnCount === undefined;

  const ask: Ask = async (ctx, scope, { query: text, ids, paging }) => {
    const query = coerceQuery(fields, parseQueryString(text));
    for (const name of OF_PAGE) delete query[name];
    const asked = { ...query, ...(ids ? { ids } : {}), ...paging };
    const request = { ctx, db: ctx.db, scope, params: {}, query: asked, body: {}, withSecret: true };
    // A list looks at nothing else of a request, and answers what its schema says.
    return (await route.run(request as never)) as Answer;
  };

  return {
    columns: listColumns(row, shared),
    idsMax: toIdsMax(fields.ids),
    async read(ctx, scope, { query, ids, cursor, take, withPayUrls }) {
      const paging = { take, [ROWS_OF_EXPORT]: take, ...(cursor === null ? {} : { cursor }) };
      const answer = await ask(ctx, scope, { query, ids, paging });
      // The schema of the answer has an array of objects there.
      const rows = answer[rowsIn] as Row[];
      return { rows: rows.map((one) => toFileView(one, withPayUrls)), cursor: answer.cursor };
    },
    async count(ctx, scope, { query }) {
      // It counts movements, and its rows are their lines.
      if (route.operationId === EXPORTED.ledger) return null;
      const paging = countsAlways ? { take: 1 } : { take: 1, returnCount: true };
      return (await ask(ctx, scope, { query, ids: null, paging })).count;
    },
  };
}

type Ask = (
  ctx: Parameters<ExportedList['read']>[0],
  scope: Parameters<ExportedList['read']>[1],
  asked: { query: string; ids: readonly string[] | null; paging: Record<string | symbol, unknown> },
) => Promise<Answer>;

/** Where the rows are in a list's answer, and what each of them is. */
function findRows({ data, operationId }: Route): { name: string; row: FieldShape } {
  // An answer is a JSON schema.
  const { properties = {} } = data as FieldShape;
  const [name, { items } = {}] = Object.entries(properties).find(([, { type }]) => type === 'array') ?? [];
  assert(name !== undefined && items, `a list answers rows: ${operationId}`);
  return { name, row: items };
}

function toIdsMax(ids: (PropertySchema & { maxItems?: number }) | undefined): number {
  return ids?.type === 'array' ? (ids.maxItems ?? 0) : 0;
}
