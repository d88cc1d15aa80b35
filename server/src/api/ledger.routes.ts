/** The ledger: what stands on each account, and the proof that it is what the sales say. */
import { type Route, read } from '../http/route.ts';
import { listBalances, proveLedger } from '../resources/ledger/ledger.queries.ts';
import { BalancesAnswer, ProofAnswer, toBalances, toProof } from '../resources/ledger/ledger.schema.ts';

const balances = read({
  method: 'GET',
  path: '/v0/ledger/balances',
  operationId: 'listLedgerBalances',
  tag: 'ledger',
  needsSecret: true,
  summary: 'List the balance of each account and currency',
  data: BalancesAnswer,
  handler: async ({ db, scope }) => ({ balances: toBalances(await listBalances(db, scope)) }),
});

const proof = read({
  method: 'GET',
  path: '/v0/ledger/proof',
  operationId: 'proveLedger',
  tag: 'ledger',
  needsSecret: true,
  summary: 'Recompute every balance from payments, refunds and disputes, and list the differences',
  data: ProofAnswer,
  handler: async ({ db, scope }) => ({ proof: toProof(await proveLedger(db, scope)) }),
});

export const ledgerRoutes: Route[] = [balances, proof];
