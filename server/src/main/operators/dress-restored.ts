/** What a store that was brought back needs before it starts: the newest schema, key pairs that somebody has, a hold. */
import type { Config } from '../../config.ts';
import { type DatabaseOptions, openDatabase } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toDashboardUrl } from '../../flows/accounts/setup-link.ts';
import { holdRestored } from '../../flows/quarantine/hold-restored.ts';
import { issueKeyPair } from '../../flows/workspaces/issue-key-pair.ts';
import { findFirstAdmin } from '../../resources/accounts/accounts.queries.ts';
import { listWorkspaces } from '../../resources/workspaces/workspaces.queries.ts';
import { toCredentialsFile, writeCredentials } from '../credentials-file.ts';
import { createIds } from '../ids.ts';

type Connection = Pick<DatabaseOptions, 'host' | 'port' | 'user' | 'password' | 'database'>;

const LIMITS = { maxConnections: 2, acquireTimeoutMs: 5_000, statementTimeoutMs: 30_000 };

export async function dressRestored(connection: Connection, config: Config): Promise<void> {
  await migrate(connection);
  const database = openDatabase({ ...connection, ...LIMITS });
  try {
    await inTransaction(database.db, async (tx) => {
      const nowMs = Date.now();
      await holdRestored(tx, nowMs);
      const [first] = await listWorkspaces(tx);
      if (first === undefined) return;
      const ids = createIds();
      const issue = async (testMode: boolean) => {
        const terms = { name: 'Restored', scopes: null, nowMs, readRequiresSecret: !testMode };
        const made = await issueKeyPair(tx, { workspaceId: first.id, testMode }, { ids, terms });
        return { publicKey: made.publicKey, secretKey: made.secretKey };
      };
      // Hashes give no key back.
      await writeCredentials(toCredentialsFile(config), {
        baseUrl: config.publicUrl,
        dashboardUrl: toDashboardUrl(config),
        setupUrl: null,
        owner: { email: (await findFirstAdmin(tx))?.email ?? '', password: null },
        test: await issue(true),
        live: await issue(false),
        checkoutUrl: null,
      });
    });
  } finally {
    await database.close();
  }
}
