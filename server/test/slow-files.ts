/**
 * What `npm test` leaves out unless it is asked for by a path or by `npm run test:whole`: two cores run the rest within six
 * minutes. `.ci/run` runs all of it (`server/test/law/slow-files.test.ts`), most of it on PostgreSQL alone, where it differs in
 * nothing. Globs from the root of the checkout.
 */
export const SLOW_FILES = [
  // Many requests, or many values.
  'server/test/contract/{fuzzer,path-parameters}.test.ts',
  'server/src/domain/pricing/{quote,totals}.property.test.ts',
  'server/test/journeys/{hostile-strings,figures,figures-cost,proration-model,subscription-calendar,subscription-lives}.test.ts',
  'server/test/journeys/{given-up-periods,locked-rows,lost-answers,waiting-payments,stranger-limits}.test.ts',
  'server/test/journeys/{cancels,withdrawals,stored-card-proof,declined-holds,new-card,bank-transfer}.test.ts',
  // Another service beside ours.
  'server/test/journeys/{stripe,stripe-*,paypal-*,processor-*,adopted-charges}.test.ts',
  'server/src/flows/processors/connect-from-environment.test.ts',
  'server/src/api/processor-notifications.test.ts',
  'server/src/mcp/mcp.test.ts',
  'server/src/main/traces.test.ts',
  'sdk/test/calls.test.ts',
  'cli/test/{mcp,own-commands}.test.ts',
  // Stores that are copied, moved, restored or brought up to date.
  'server/test/journeys/{restored-beside,restored-files,there-and-back,storage-move,files-elsewhere,upgrades}.test.ts',
  'server/test/journeys/{imports,operators-commands,witness}.test.ts',
  'server/src/api/store-exports.test.ts',
  'server/src/db/embedded/store.test.ts',
  'server/src/db/embedded/backups/backups.test.ts',
  'server/src/main/{before-migrating,keep-backups}.test.ts',
] as const;

/** What of them a configuration in a workspace's folder leaves out. */
export function slowFilesOf(workspace: 'server' | 'cli'): string[] {
  if (process.env.TEST_WHOLE === 'true') return [];
  return SLOW_FILES.map((glob) =>
    glob.startsWith(`${workspace}/`) ? glob.slice(workspace.length + 1) : `../${glob}`,
  );
}
