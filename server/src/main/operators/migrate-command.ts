/** `npm run migrate`: brings the store to this version's schema and ends, for fleets whose processes start together. */
import { findWaiting, migrate } from '../../db/migrate.ts';
import { secureBeforeMigrating } from '../before-migrating.ts';
import { refuseOther } from '../refuse-other.ts';
import { overMigrateUrl } from '../start-error.ts';
import { answer, talk } from './manners.ts';
import { runOnStore } from './operator-store.ts';
import { readFlags } from './read-flags.ts';

readFlags('Usage: npm run migrate [-- --json]', { options: {} });

await runOnStore(
  async (_db, config, { connection, place, backups }) => {
    const { migrateDatabaseUrl } = config;
    await refuseOther(config);
    const reached = migrateDatabaseUrl === null ? connection : { connectionString: migrateDatabaseUrl };
    const { last, pending } = await overMigrateUrl(config, () => findWaiting(reached));
    // Beside a running service it cannot be stopped to be copied: then BACKUP_DIR is the way back.
    if (place !== null && backups !== null && last !== null && pending.length > 0) {
      const asked = {
        store: { place, backups },
        migrate: config.migrate,
        schema: last,
        close: async () => {},
      };
      for (const line of await secureBeforeMigrating(asked)) talk(line);
    }
    const ran = await overMigrateUrl(config, () => migrate(reached, { tell: talk }));
    answer({ migrated: ran }, ran === 0 ? 'The store has the schema of this version.' : `Migrated: ${ran}.`);
  },
  { withoutStore: 'made' },
);
