/** Withdrawals as the merchant sees and decides them. */
import { Type } from 'typebox';
import { Refusal } from '../domain/errors.ts';
import { decideWithdrawal } from '../flows/consumer/decide-withdrawal.ts';
import { flow, type Route, read } from '../http/route.ts';
import {
  countWithdrawals,
  findWithdrawal,
  listWithdrawals,
} from '../resources/consumer/withdrawals.queries.ts';
import {
  DecideWithdrawal,
  ListWithdrawals,
  toWithdrawal,
  WithdrawalData,
  WithdrawalsData,
} from '../resources/consumer/withdrawals.schema.ts';
import { countMatches, cutPage, toPage, toStatuses } from '../resources/paging.ts';
import { Uuid } from '../resources/shapes.ts';

const Params = Type.Object({ withdrawalId: Uuid() });

const list = read({
  method: 'GET',
  path: '/v0/withdrawals/list',
  operationId: 'listWithdrawals',
  tag: 'withdrawals',
  needsSecret: true,
  summary: 'List withdrawals, newest first',
  query: ListWithdrawals,
  data: WithdrawalsData,
  handler: async ({ db, scope, query }) => {
    const page = toPage(query);
    const { returnCount, status: _status, ...given } = query;
    const filter = { ...given, statuses: toStatuses(query) };
    const rows = await listWithdrawals(db, scope, { filter, page });
    const cut = cutPage(rows, page, (row) => ({ value: row.receivedAt, id: row.id }));
    const asked = { page, shown: cut, returnCount };
    const count = await countMatches(asked, (limit) => countWithdrawals(db, scope, { filter, limit }));
    return { withdrawals: cut.rows.map(toWithdrawal), count, ...cut.page };
  },
});

const get = read({
  method: 'GET',
  path: '/v0/withdrawals/:withdrawalId',
  operationId: 'getWithdrawal',
  tag: 'withdrawals',
  needsSecret: true,
  summary: 'Get a withdrawal',
  params: Params,
  data: WithdrawalData,
  errors: ['not_found'],
  handler: async ({ db, scope, params }) => {
    const row = await findWithdrawal(db, scope, params.withdrawalId);
    if (!row) throw new Refusal('not_found');
    return { withdrawal: toWithdrawal(row) };
  },
});

const decide = flow({
  method: 'PATCH',
  path: '/v0/withdrawals/:withdrawalId/decide',
  operationId: 'decideWithdrawal',
  tag: 'withdrawals',
  summary: 'Accept or refuse a withdrawal',
  description:
    'Accepted, a subscription ends, what was bought is taken back, and what was paid goes back with a credit note: all ' +
    'of it, less what was used where the buyer agreed to an early start, or `amount`. The buyer is mailed either way.',
  params: Params,
  body: DecideWithdrawal,
  data: WithdrawalData,
  errors: [
    ...(['not_found', 'withdrawal_state', 'payment_disputed', 'refund_exceeds_paid', 'order_state'] as const),
    'payment_in_progress',
  ],
  example: { accept: true },
  handler: async ({ ctx, scope, params: { withdrawalId: id }, body, claim, audit }) => {
    const before = await findWithdrawal(ctx.db, scope, id);
    if (!before) throw new Refusal('not_found');
    audit({ withdrawal: toWithdrawal(before) }, id);
    const { accept, orderId = null, amount = null, reason = null, note = null } = body;
    const amountMinor = amount === null ? null : BigInt(amount);
    // A request that died once it had decided is answered as the withdrawal stands.
    const isDecided = claim.resumeId !== null;
    const row = isDecided
      ? before
      : await decideWithdrawal(ctx, scope, {
          ...{ id, accept, orderId, amountMinor, reason, note },
          begin: (tx) => claim.begin(tx, id),
        });
    return { withdrawal: toWithdrawal(row) };
  },
});

export const withdrawalRoutes: Route[] = [list, get, decide];
