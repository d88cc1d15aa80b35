/** `npm run hold`: nothing goes out of the live stores, of all or of one workspace, until `npm run resume`. */
import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { hold } from '../../flows/quarantine/hold.ts';
import { createIds } from '../ids.ts';
import { beSure } from './be-sure.ts';
import { answer, talk } from './manners.ts';
import { type OperatorStore, runOnStore, UsageError } from './operator-store.ts';
import { readFlags } from './read-flags.ts';

const WHY_MAX = 500;
const USAGE = `Usage: npm run hold -- --reason TEXT [--workspace ID] [--yes] [--json]
  --reason     why, in at most ${WHY_MAX} characters; it stands in the audit log
  --workspace  one alone; missing = the whole installation
  --yes        does not ask`;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const { values } = readFlags(USAGE, {
  options: {
    reason: { type: 'string', default: '' },
    workspace: { type: 'string' },
    yes: { type: 'boolean', default: false },
  },
});

const why = values.reason.trim();
const workspaceId = values.workspace?.toLowerCase() ?? null;

function checkWords(): void {
  if (why === '' || why.length > WHY_MAX) throw new UsageError(USAGE);
  if (workspaceId !== null && !ID.test(workspaceId)) throw new UsageError(USAGE);
}

async function run(db: Db, _config: Config, { nowMs }: OperatorStore): Promise<void> {
  const what = workspaceId === null ? 'the whole installation' : `workspace ${workspaceId}`;
  await beSure(
    `Hold ${what}? Its live stores sell, charge, mail and tell nothing until they are let go.`,
    values,
  );
  const stores = await hold(db, { workspaceId, why, nowMs: nowMs(), ids: createIds() });
  answer({ held: what, workspaceId, stores }, `Held within 5 seconds: ${what}, ${stores} live store(s).`);
  const alone = workspaceId === null ? '' : ` --workspace ${workspaceId}`;
  talk(`It goes on by: npm run resume -- --same${alone}`);
}

await runOnStore(run, { checkWords });
