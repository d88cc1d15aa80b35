/** `counterfoil spread …`: a store over several servers. */
import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { findWaiting } from '../../db/migrate.ts';
import { applySpread } from '../../flows/spread/apply-spread.ts';
import { checkSpread } from '../../flows/spread/check-spread.ts';
import { isolateWorkspace } from '../../flows/spread/isolate-workspace.ts';
import { planSpread, type SpreadPlan } from '../../flows/spread/plan-spread.ts';
import { SpreadError, SpreadObstacles } from '../../flows/spread/spread-error.ts';
import { readSpreadStatus, refuseUnspread } from '../../flows/spread/spread-status.ts';
import { createAddressGuard } from '../../net/address-guard.ts';
import { listProcesses } from '../../resources/installation/processes.queries.ts';
import { EXIT } from '../exit-codes.ts';
import { askInvariants } from '../watching/ask-invariants.ts';
import { beSure } from './be-sure.ts';
import { answer, talk } from './manners.ts';
import { type OperatorStore, runOnStore, UsageError } from './operator-store.ts';
import { printChecks, printPlan, printStatus } from './print-spread.ts';
import { readFlags } from './read-flags.ts';

const USAGE = `Usage: counterfoil spread plan
       counterfoil spread apply [--yes]
       counterfoil spread status
       counterfoil spread isolate WORKSPACE [--to HOST:PORT]
       counterfoil spread check`;

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A large table is laid out in one statement. */
const STATEMENT_TIMEOUT_MS = 6 * 3_600_000;

interface Asked {
  db: Db;
  config: Config;
  store: OperatorStore;
}

async function look({ db, store }: Asked): Promise<SpreadPlan> {
  const waiting = await findWaiting(store.connection);
  return planSpread(db, { waiting, isEmbedded: store.place !== null });
}

async function plan(asked: Asked): Promise<void> {
  const planned = await look(asked);
  printPlan(planned);
  refuse(planned.obstacles);
}

function refuse(obstacles: readonly string[]): void {
  if (obstacles.length > 0)
    throw new SpreadObstacles(obstacles.map((obstacle) => `Obstacle: ${obstacle}`).join('\n'));
}

async function apply(asked: Asked, values: { yes: boolean }): Promise<void> {
  const { db, config, store } = asked;
  refuse((await look(asked)).obstacles);
  await beSure('Spread this store? It takes no writes meanwhile, and the only way back is a backup.', values);
  await applySpread({
    ...{ db, connection: store.connection },
    plan: () => look(asked),
    ask: async () => {
      const guard = createAddressGuard(config.egressAllowCidrs);
      const [broken] = await askInvariants(db, { sinceMs: null, guard });
      if (broken) throw new SpreadError(`Invariant ${broken.number} does not hold: ${broken.name}`);
    },
    tell: talk,
  });
  const toStartAnew = (await listProcesses(db)).map(({ id, role, host }) => ({ id, role, host }));
  answer(
    { isSpread: true, toStartAnew },
    'The store is spread. Start each process of the service anew, then: npm run spread -- check',
    ...toStartAnew.map(({ id, role, host }) => `  still to be started anew: ${id}  ${role}  ${host}`),
  );
}

async function isolate(db: Db, { workspace, to }: { workspace: string; to: string | null }): Promise<void> {
  const workspaceId = workspace.toLowerCase();
  await refuseUnspread(db);
  const node = await isolateWorkspace(db, { workspaceId, to });
  answer({ workspaceId, node }, `${workspaceId} lies alone on a shard at ${node}.`);
}

async function check(db: Db): Promise<void> {
  await refuseUnspread(db);
  if (!printChecks(await checkSpread(db))) process.exitCode = EXIT.found;
}

const { positionals, values } = readFlags(USAGE, {
  allowPositionals: true,
  options: { yes: { type: 'boolean', default: false }, to: { type: 'string' } },
});

const ALONE = ['plan', 'apply', 'status', 'check'];
const [word = '', workspace, ...rest] = positionals;

function checkWords(): void {
  const isIsolate = word === 'isolate' && ID.test(workspace?.toLowerCase() ?? '') && rest.length === 0;
  const isAlone = ALONE.includes(word) && workspace === undefined && values.to === undefined;
  if (!isIsolate && !isAlone) throw new UsageError(USAGE);
}

await runOnStore(
  async (db, config, store) => {
    const asked = { db, config, store };
    if (workspace !== undefined) await isolate(db, { workspace, to: values.to ?? null });
    else if (word === 'plan') await plan(asked);
    else if (word === 'apply') await apply(asked, values);
    else if (word === 'status') printStatus(await readSpreadStatus(db));
    else await check(db);
  },
  { statementTimeoutMs: STATEMENT_TIMEOUT_MS, evenClosed: true, checkWords },
);
