/**
 * `npm run endurance -- operations [O01 …]`: several processes over one store, replaced under load, by another release too,
 * poolers that go and come back, primaries that are lost, migrations of a million orders under load; then journeys of the
 * suite over a pooler that keeps nothing that is prepared. Needs PgBouncer.
 */
import { runJourneys, runTests } from './endurance-journeys.ts';

const TESTS = ['O01', 'O02', 'O07', 'O08', 'O09', 'O10', 'O11', 'O38', 'X36'];
/** By whom a pooler shows: money, rows that many wait for, work in groups, and what falls due. */
const JOURNEYS = [
  ...['buy-once', 'pay-order', 'scarce-goods', 'repeated-requests', 'repeated-claims', 'refunds', 'disputes'],
  ...['subscription-renewals', 'subscription-dunning', 'plan-changes', 'interrupted-billing', 'invoices'],
  ...['failing-webhook', 'mails', 'reminders', 'imports', 'resumed-purchases'],
];

/** Answers whether all was as it should be. */
export async function endureOperations(
  only: readonly string[],
  size: { isShort: boolean },
): Promise<boolean> {
  const tests = only.length > 0 ? only : TESTS;
  const areWell = await runJourneys(tests, size);
  if (!tests.includes('O07')) return areWell;
  const files = JOURNEYS.map((name) => `test/journeys/${name}.test.ts`);
  return (await runTests(['--project', 'server', ...files], { TEST_POOLER: 'true' })) && areWell;
}
