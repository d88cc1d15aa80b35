/**
 * What `npm test` leaves out unless it is asked for by a path or by `npm run test:whole`: two cores run the rest within six
 * minutes. `.ci/run` runs all of it (`server/test/law/slow-files.test.ts`), most of it on PostgreSQL alone, where it differs in
 * nothing. Globs from the root of the checkout.
 */
export const SLOW_FILES = [
  // Stories of many steps, but those of what is sold first.
  `server/test/journeys/!(${[
    ...['amounts', 'billed-buyers', 'buy-once', 'dunning-edges', 'erased-user', 'held-stores', 'isolation'],
    ...['kinds-of-purchase', 'one-session', 'paid-plan-changes', 'pay-order', 'pay-page', 'public-key'],
    ...['repeated-claims', 'saved-cards', 'subscription-dunning', 'subscription-renewals', 'tampering'],
  ].join('|')}).test.ts`,
  // Many requests, or many values.
  'server/test/contract/{fuzzer,path-parameters}.test.ts',
  'server/src/domain/pricing/{quote,totals}.property.test.ts',
  // Another service beside ours, or another process.
  'server/src/flows/processors/connect-from-environment.test.ts',
  'server/src/api/processor-notifications.test.ts',
  'server/src/mcp/mcp.test.ts',
  'server/src/main/watching/{metrics,traces}.test.ts',
  'sdk/test/calls.test.ts',
  'cli/test/{import,listen,mcp,own-commands}.test.ts',
  // Stores that are copied, restored or brought up to date.
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
