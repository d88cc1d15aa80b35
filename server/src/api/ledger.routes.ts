/** The ledger: what stands on each account, and the proof that it is what the sales say. */
import { type Route, read } from '../http/route.ts';
import { listBalances, proveLedger } from '../resources/ledger/ledger.queries.ts';
import {
  BalancesAnswer,
  EntriesAnswer,
  ListEntries,
  ProofAnswer,
  toBalances,
  toLedgerEntry,
  toProof,
} from '../resources/ledger/ledger.schema.ts';
import { countEntries, listEntries, listEntryLines } from '../resources/ledger/listed-entries.queries.ts';
import { countMatches, cutPage, toPage } from '../resources/paging.ts';

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

const entries = read({
  method: 'GET',
  path: '/v0/ledger/entries/list',
  operationId: 'listLedgerEntries',
  tag: 'ledger',
  needsSecret: true,
  summary: 'List the lines of the ledger, newest first',
  description:
    '`take` and `count` are of movements, which a page holds whole: each has a line for every account that it touches, ' +
    'of which those that the filter lets through are shown.',
  query: ListEntries,
  data: EntriesAnswer,
  handler: async ({ db, scope, query }) => {
    const page = toPage(query);
    const { returnCount, ...filter } = query;
    const found = await listEntries(db, scope, { filter, page });
    const cut = cutPage(found, page, (row) => ({ value: row.createdAt, id: row.entryId }));
    const asked = { page, shown: cut, returnCount };
    const count = await countMatches(asked, (limit) => countEntries(db, scope, { filter, limit }));
    const lines = await listEntryLines(db, scope, { filter, entries: cut.rows });
    const ofEntry = (entry: { entryId: string }) => lines.filter(({ entryId }) => entryId === entry.entryId);
    return { ledgerEntries: cut.rows.flatMap(ofEntry).map(toLedgerEntry), count, ...cut.page };
  },
});

export const ledgerRoutes: Route[] = [balances, proof, entries];
