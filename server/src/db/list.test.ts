import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../test/support/database.ts';
import type { Database } from './database.ts';
import { isOnPage, NEWEST_FIRST, onPage } from './list.ts';
import { inScope } from './scope.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase({ maxConnections: 2 });
});

afterAll(() => database.close());

interface PlanNode {
  'Node Type': string;
  'Parent Relationship'?: string;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe('isOnPage', () => {
  // The store takes a table that was never analysed for an empty one, where `in` was asked again for each joined row:
  // a list of some hundred invoices ran into the limit of a statement.
  it('finds the page once, before what is joined to its rows', async () => {
    const scope = { workspaceId: '00000000-0000-7000-8000-000000000001', testMode: true };
    const page = { take: 50, skip: 0, after: null, before: null };
    const ids = onPage(
      database.db.selectFrom('orders').where(inScope(scope, 'orders')).select('orders.id'),
      page,
      NEWEST_FIRST,
    );
    const [told] = await database.db
      .selectFrom('orders')
      .innerJoin('users', 'users.id', 'orders.userId')
      .select('orders.number')
      .where(inScope(scope, 'orders'))
      .where(isOnPage('orders.id', ids))
      .explain<{ 'QUERY PLAN': Array<{ Plan: PlanNode }> }>('json');
    const nodes = told?.['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan)) ?? [];
    const limits = nodes.filter((node) => node['Node Type'] === 'Limit');
    expect(limits.map((node) => node['Parent Relationship'])).toEqual(['InitPlan']);
  });
});
