/** Imports: what a merchant brings along from another service, looked at before it is brought in. */
import type { Static } from 'typebox';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { inTransaction } from '../db/transaction.ts';
import { Refusal } from '../domain/errors.ts';
import { activateImport } from '../flows/imports/activate-import.ts';
import { type AskedCommit, beginCommit, checkCommit } from '../flows/imports/commit-import.ts';
import { createImport } from '../flows/imports/create-import.ts';
import { discardLines, receiveLines } from '../flows/imports/receive-lines.ts';
import { rehearseImport, toRehearsalEnd } from '../flows/imports/rehearse-import.ts';
import { flow, isLive, type Route, read, upload } from '../http/route.ts';
import { countToDo, listRefused } from '../resources/imports/import-rows.queries.ts';
import {
  countWaiting,
  findImport,
  type ImportRow,
  listImports,
} from '../resources/imports/imports.queries.ts';
import {
  ActivatedData,
  ActivateImport,
  CommitImport,
  GetImport,
  ImportData,
  ImportParams,
  ImportsData,
  ListImports,
  SHOWN_MAX,
  toImport,
  toListedImport,
} from '../resources/imports/imports.schema.ts';
import { cutPage, toPage } from '../resources/paging.ts';

async function show(db: Db, scope: Scope, row: ImportRow, errorsAfter = 0) {
  const [waiting, toDo, errors] = await Promise.all([
    countWaiting(db, scope, row.id),
    row.status === 'committing' ? countToDo(db, scope, row.id) : null,
    listRefused(db, scope, { importId: row.id, afterLine: errorsAfter, limit: SHOWN_MAX }),
  ]);
  return toImport({ row, waiting, toDo, errors: errors.map(toFault) });
}

function toFault({ line, kind, ref, code, path, message }: Awaited<ReturnType<typeof listRefused>>[number]) {
  const said = { code: code ?? 'invalid_line', path, message: message ?? '' };
  return { line, kind: kind === '' ? null : kind, ref, ...said };
}

const create = upload({
  method: 'POST',
  path: '/v0/imports/create',
  operationId: 'createImport',
  tag: 'imports',
  summary: 'Upload what another service holds, and have it planned',
  description:
    'The body is JSON Lines, each line an `ImportLine`: first `{"kind":"meta","format":"counterfoil-import","version":1,' +
    '"source":"…"}`, then products, variants, offers, discounts, customers, payment methods, keys, purchases and ' +
    'subscriptions, in any order. It is read as it comes, up to `UPLOAD_MAX_MB`. Nothing is brought in: the plan says what ' +
    'a commit would do. A file that is sent again changes nothing that has not changed.',
  data: ImportData,
  errors: ['import_limit_reached'],
  intake: {
    sample: { name: 'shop.jsonl', type: 'application/x-ndjson' },
    receive: (service, { scope, requestId: id, stream }) =>
      receiveLines(service, scope, { id, stream, maker: '', nowMs: service.realNowMs() }),
    discard: (service, { scope, requestId }) => discardLines(service, scope, requestId),
  },
  handler: async ({ ctx, tx, scope, body, requestId, actor }) => {
    const row = await createImport(ctx, scope, { tx, id: requestId, maker: actor.name, received: body });
    return { import: toImport({ row, waiting: 0, toDo: null, errors: [] }) };
  },
});

const list = read({
  method: 'GET',
  path: '/v0/imports/list',
  operationId: 'listImports',
  needsSecret: true,
  tag: 'imports',
  summary: 'List imports, newest first',
  description: 'What was never committed is let go of after some days.',
  query: ListImports,
  data: ImportsData,
  handler: async ({ db, scope, query }) => {
    const page = toPage(query);
    const { rows, count } = await listImports(db, scope, page);
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    return { imports: cut.rows.map(toListedImport), count, ...cut.page };
  },
});

const get = read({
  method: 'GET',
  path: '/v0/imports/:importId',
  operationId: 'getImport',
  needsSecret: true,
  tag: 'imports',
  summary: 'Get an import with its plan',
  params: ImportParams,
  query: GetImport,
  data: ImportData,
  handler: async ({ db, scope, params, query }) => {
    const row = await findImport(db, scope, params.importId);
    if (!row) throw new Refusal('not_found');
    return { import: await show(db, scope, row, query.errorsAfter) };
  },
});

function toAsked(importId: string, body: Static<typeof CommitImport>): AskedCommit {
  const { plan: planHash, skipErrors = false, acceptPriceChanges = false, rehearse = null } = body;
  return { importId, planHash, skipErrors, acceptPriceChanges, rehearse };
}

const commit = flow({
  method: 'POST',
  path: '/v0/imports/:importId/commit',
  operationId: 'commitImport',
  tag: 'imports',
  needsFreshProof: isLive,
  summary: 'Bring in what was planned',
  description:
    'Does just what the plan of this hash says, else 409 `plan_changed`, and the plan is made anew. It goes on after the ' +
    'answer, in batches, until the import is `committed`. What was bought becomes paid orders of 0; subscriptions wait ' +
    'until they are activated. In test mode `rehearse` tries it all: then the answer comes when the clock has moved.',
  params: ImportParams,
  body: CommitImport,
  data: ImportData,
  errors: [
    'not_found',
    'import_state',
    'plan_changed',
    'import_has_errors',
    'price_changes',
    'test_mode_only',
    'clock_advancing',
  ],
  example: { plan: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
  handler: async ({ ctx, scope, params, body, claim, finish }) => {
    const asked = toAsked(params.importId, body);
    if (claim.resumeId === null) await checkCommit(ctx, scope, asked);
    const untilMs = asked.rehearse === null ? null : toRehearsalEnd(asked.rehearse, ctx.nowMs);
    const row = await inTransaction(ctx.db, async (tx) => {
      // What a request that goes on is to reach is kept as the time of its id.
      if (claim.resumeId === null) await claim.begin(tx, ctx.ids.next(untilMs ?? ctx.nowMs));
      const begun = await beginCommit(ctx, scope, { tx, asked });
      if (untilMs === null) await finish(tx, { import: await show(tx, scope, begun) });
      return begun;
    });
    ctx.nudgeWorker(scope);
    if (untilMs === null) return { import: await show(ctx.db, scope, row) };
    const endMs = claim.resumeId === null ? untilMs : toTimeOfId(claim.resumeId);
    return { import: await rehearse(ctx, scope, { importId: row.id, untilMs: endMs }) };
  },
});

async function rehearse(ctx: Context, scope: Scope, asked: { importId: string; untilMs: number }) {
  return show(ctx.db, scope, await rehearseImport(ctx, scope, asked));
}

/** The moment in a UUIDv7. */
function toTimeOfId(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

const activate = flow({
  method: 'POST',
  path: '/v0/imports/:importId/activate',
  operationId: 'activateImport',
  tag: 'imports',
  needsFreshProof: isLive,
  summary: 'Charge imported subscriptions here from now on',
  description:
    'Stop them where they come from first. Each is activated or refused by itself, in its own row of the answer: ' +
    '`too_close` (what was paid for ends within 24 hours), `paid_until_passed` (`chargeMissed` charges the running ' +
    'period), `payment_method_required` (`invite` mails a link that stores a card), `country_required`.',
  params: ImportParams,
  body: ActivateImport,
  data: ActivatedData,
  errors: ['not_found', 'import_state'],
  handler: async ({ ctx, scope, params, body, claim }) => {
    if (claim.resumeId === null)
      await inTransaction(ctx.db, (tx) => claim.begin(tx, ctx.ids.next(ctx.nowMs)));
    const { subscriptions: names = null, chargeMissed = false, invite = false } = body;
    const asked = { importId: params.importId, names, chargeMissed, invite };
    const { imported, results } = await activateImport(ctx, scope, asked);
    ctx.nudgeWorker(scope);
    return { import: await show(ctx.db, scope, imported), results };
  },
});

export const importRoutes: Route[] = [create, list, get, commit, activate];
