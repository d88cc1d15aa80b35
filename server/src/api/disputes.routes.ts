/** Disputes, as they are listed; the bank and the processor decide them. */
import { Type } from 'typebox';
import { Refusal } from '../domain/errors.ts';
import { type Route, read } from '../http/route.ts';
import {
  DisputeData,
  DisputesData,
  ListDisputes,
  toDispute,
  toStages,
} from '../resources/disputes/disputes.schema.ts';
import {
  countDisputes,
  findListedDispute,
  listDisputes,
} from '../resources/disputes/listed-disputes.queries.ts';
import { countMatches, cutPage, toPage, toStatuses } from '../resources/paging.ts';
import { Uuid } from '../resources/shapes.ts';

const DisputeParams = Type.Object({ disputeId: Uuid() });

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
    const filter = { ...given, stages: toStages(toStatuses(query)) };
    const rows = await listDisputes(db, scope, { filter, page });
    const cut = cutPage(rows, page, (row) => ({ value: row.openedAt, id: row.id }));
    const asked = { page, shown: cut, returnCount };
    const count = await countMatches(asked, (limit) => countDisputes(db, scope, { filter, limit }));
    return { disputes: cut.rows.map(toDispute), count, ...cut.page };
  },
});

const get = read({
  method: 'GET',
  path: '/v0/disputes/:disputeId',
  operationId: 'getDispute',
  tag: 'disputes',
  needsSecret: true,
  summary: 'Get a dispute',
  params: DisputeParams,
  data: DisputeData,
  errors: ['not_found'],
  handler: async ({ db, scope, params: { disputeId } }) => {
    const row = await findListedDispute(db, scope, disputeId);
    if (!row) throw new Refusal('not_found');
    return { dispute: toDispute(row) };
  },
});

export const disputeRoutes: Route[] = [list, get];
