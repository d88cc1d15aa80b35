/** `npm run migrate`: brings the store to this version's schema and ends, for fleets whose processes start together. */
import { migrate } from '../db/migrate.ts';
import { runOnStore } from './operator-store.ts';

await runOnStore(async (_db, _config, { connection }) => {
  const ran = await migrate(connection, { tell: (line) => console.error(line) });
  console.log(ran === 0 ? 'The store has the schema of this version.' : `Migrated: ${ran}.`);
});
