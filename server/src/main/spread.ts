/** `counterfoil spread …`: a store over several servers. */
import { parseArgs } from 'node:util';
import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { findWaiting } from '../db/migrate.ts';
import { applySpread } from '../flows/spread/apply-spread.ts';
import { planSpread, type SpreadPlan, toName } from '../flows/spread/plan-spread.ts';
import { SpreadError, SpreadObstacles } from '../flows/spread/spread-error.ts';
import { createAddressGuard } from '../net/address-guard.ts';
import { askInvariants } from './ask-invariants.ts';
import { beSure } from './be-sure.ts';
import { type OperatorStore, runOnStore, UsageError } from './operator-store.ts';

const USAGE = `Usage: counterfoil spread plan
       counterfoil spread apply [--yes]
       counterfoil spread status
       counterfoil spread isolate WORKSPACE [--to HOST:PORT]
       counterfoil spread check`;

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
  const { tables, nodes, bytes, notes, obstacles } = await look(asked);
  for (const { name, place, rows, bytes: size, isLaid } of tables)
    console.log(
      `${place.padEnd(12)} ${name.padEnd(26)} ${rows} rows, ${size} bytes${isLaid ? ', done' : ''}`,
    );
  console.log(`${tables.length} tables of ${bytes} bytes, over ${nodes.map(toName).join(', ') || 'no node'}`);
  for (const note of notes) console.log(`Changes: ${note}`);
  refuse(obstacles);
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
    tell: (line) => console.error(line),
  });
  console.log('The store is spread. npm run spread -- check');
}

await runOnStore(
  async (db, config, store) => {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { yes: { type: 'boolean', default: false }, to: { type: 'string' } },
    });
    const [word, ...rest] = positionals;
    const asked = { db, config, store };
    if (word === 'plan' && rest.length === 0) await plan(asked);
    else if (word === 'apply' && rest.length === 0) await apply(asked, values);
    else throw new UsageError(USAGE);
  },
  { statementTimeoutMs: STATEMENT_TIMEOUT_MS, evenClosed: true },
);
