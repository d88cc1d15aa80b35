/** Exports: lists as files, and all of a store or of a user as an archive; written by a job. */
import type { Static } from 'typebox';
import { findFreshUntil } from '../domain/accounts/session-life.ts';
import { assert } from '../domain/assert.ts';
import { invalidField, Refusal } from '../domain/errors.ts';
import { refuseScope, scopesAllow } from '../domain/key-scopes.ts';
import { cancelExport } from '../flows/exports/cancel-export.ts';
import { createExport } from '../flows/exports/create-export.ts';
import type { ExportedLists } from '../flows/exports/exported-list.ts';
import { createExportUrl } from '../flows/exports/sign-export.ts';
import type { Actor } from '../http/authenticate.ts';
import { nameWithinQuery } from '../http/check-query.ts';
import { mayAccess, requireAccess } from '../http/may-do.ts';
import { type ProofRequest, type Route, type RouteRequest, read, write } from '../http/route.ts';
import { createSealer } from '../providers/files/age.ts';
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
import { findUser } from '../resources/users/users.queries.ts';
import { areaOfList, findListRoute } from './exported-lists.ts';

/** Who buys here, and what was written to them: nobody takes all of it along who merely found a session open. */
const PERSONAL: ReadonlySet<string> = new Set(['users', 'mails']);

function isPersonal({ body }: ProofRequest): boolean {
  // It has been held to the schema before.
  const { kind, resource } = body as Static<typeof CreateExport>;
  return kind !== 'list' || PERSONAL.has(resource ?? '');
}

type Asking = Pick<RouteRequest<unknown, unknown, unknown>, 'ctx' | 'actor'>;

/** With a link where whoever asks may have the file now. */
async function toShown({ ctx, actor }: Asking, row: ExportRow) {
  const isProved =
    (row.kind === 'list' && !PERSONAL.has(row.resource)) ||
    actor.member === null ||
    findFreshUntil(actor.member.session, ctx.realNowMs()) !== null;
  return toExport(row, isProved ? await createExportUrl(ctx, row) : null);
}

/** `listRoutes`: all operations, some of which are the lists; `lists`: the same as exports read them. */
export function exportRoutes(listRoutes: () => readonly Route[], lists: ExportedLists): Route[] {
  const mayRead = (actor: Actor, resource: ExportedResource) =>
    mayAccess(actor, areaOfList(listRoutes(), resource), 'read');
  // Only resources of the list get into the store.
  const mayHave = (actor: Actor, { kind, resource }: Pick<ExportRow, 'kind' | 'resource'>) =>
    kind === 'list' ? mayRead(actor, resource as ExportedResource) : mayTakeArchive(actor, kind);
  /** A file of what somebody may not read does not exist for them. */
  const getReadable = (actor: Actor, row: ExportRow | undefined): ExportRow => {
    if (!row || !mayHave(actor, row)) throw new Refusal('not_found');
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
      const lists = EXPORTED_RESOURCES.filter((resource) => mayRead(actor, resource));
      const archives = ARCHIVES.filter((kind) => mayTakeArchive(actor, kind));
      const resources = [...lists, ...archives];
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
    summary: 'Begin to write a list, a store or what is kept of a user to a file',
    description:
      'The file has the rows that the list has for the same query; its times are UTC. In a CSV the columns are called by ' +
      'the API’s paths: beside an amount in minor units stands the same in major ones (`value`, `value_major`), beside a ' +
      'moment in ms the same in ISO 8601 (`createdAt`, `createdAt_utc`), and a text that a spreadsheet would run as a ' +
      'formula begins with an apostrophe. NDJSON has the API’s rows. The right to read the list is needed, too; a ' +
      'session needs a fresh proof for users and mails, and for the archives that kinds `store` and `user` are: a tar.gz ' +
      'with `header.json`, `rows/`, `objects/`, `files/` and `documents/` of a store as it was at one moment, without ' +
      'secrets unless it is sealed for `recipients` of age, or with `user.json` and `documents/` of a user, and `manifest.json` with the hash of each part. A store ' +
      'is the Owner’s to take, or a pair’s that names `store-export`; a user whoever’s may change users. Three may be under way, and the newest twenty are kept 7 days.',
    body: CreateExport,
    data: ExportData,
    errors: ['export_limit_reached', 'not_found'],
    example: { kind: 'list', resource: 'orders', query: 'statuses=PAID', format: 'csv' },
    // What the list refuses only when it is asked is refused now, not by the job.
    checkOutside: async ({ ctx, scope, body, actor, checkQuery }) => {
      if (body.kind !== 'list') return checkArchive({ ctx, scope, actor }, body);
      const { resource, query = '' } = body;
      if (resource === undefined) throw invalidField('resource', 'is missing: which list?');
      if (body.format === undefined) throw invalidField('format', 'is missing: csv or ndjson?');
      if (body.userId !== undefined) throw invalidField('userId', 'is of an export of a user');
      for (const field of OF_STORE)
        if (body[field] !== undefined) throw invalidField(field, 'is of an export of a store');
      requireAccess(actor, areaOfList(listRoutes(), resource), 'read');
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
      const { kind, resource, userId, query = '', ids = [], columns, withSecrets, recipients } = body;
      const format: ExportRow['format'] = body.format ?? 'tar.gz';
      const asked = { kind, query, columns, format, maker: actor.name };
      if (kind !== 'list' || resource === undefined) {
        const ofStore = { withSecrets: withSecrets ?? false, recipients: recipients ?? [] };
        const wanted = {
          ...{ ...asked, ...ofStore, resource: kind },
          ...{ ids: userId ? [userId] : [], withPayUrls: true },
        };
        return { export: toExport(await createExport(ctx, scope, { tx, wanted, listed: [] }), null) };
      }
      const withPayUrls = mayAccess(actor, 'orders', 'write');
      const wanted = { ...asked, resource, ids, withPayUrls };
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

const ARCHIVES = ['store', 'user'] as const;
const OF_STORE = ['withSecrets', 'recipients'] as const;

async function checkRecipients(recipients: readonly string[]): Promise<void> {
  for (const [index, one] of recipients.entries())
    await createSealer({ recipients: [one], passphrase: null }).catch(() => {
      throw invalidField(`recipients.${index}`, 'must be a recipient of age: age1…, in one line');
    });
}

/** All of a store is the Owner's to take away, or of a pair that was given that by name; of a user, who may change them. */
function mayTakeArchive(actor: Actor, kind: (typeof ARCHIVES)[number]): boolean {
  const { member, pair, scope } = actor;
  if (kind === 'user') return mayAccess(actor, 'users', 'write');
  if (member) return member.role === 'owner';
  const asked = { area: 'store-export', access: 'write' as const, testMode: scope.testMode };
  return pair !== null && scopesAllow(pair.scopes, asked);
}

/** Throws insufficient_permission, insufficient_scope, not_found, and invalid_input for what is of lists. */
async function checkArchive(
  { ctx, scope, actor }: Asking & Pick<RouteRequest<unknown, unknown, unknown>, 'scope'>,
  { kind, userId, withSecrets, recipients, ...ofList }: Static<typeof CreateExport>,
): Promise<void> {
  if (kind === 'list') return;
  if (!mayTakeArchive(actor, kind)) {
    const area = kind === 'user' ? 'users' : 'store-export';
    throw actor.member ? new Refusal('insufficient_permission') : refuseScope({ area, access: 'write' });
  }
  const [stray] = Object.entries(ofList).find(([, value]) => value !== undefined) ?? [];
  if (stray !== undefined) throw invalidField(stray, 'is of an export of a list');
  if (kind === 'store') {
    if (userId !== undefined) throw invalidField('userId', 'is of an export of a user');
    if (withSecrets && !recipients)
      throw invalidField('recipients', 'are missing: a file with secrets is sealed for whoever reads it');
    await checkRecipients(recipients ?? []);
    return;
  }
  const ofStore = { withSecrets, recipients };
  for (const field of OF_STORE)
    if (ofStore[field] !== undefined) throw invalidField(field, 'is of an export of a store');
  if (userId === undefined) throw invalidField('userId', 'is missing: which user?');
  if (!(await findUser(ctx.db, scope, userId)))
    throw new Refusal('not_found', { message: `There is no user ${userId}.` });
}
