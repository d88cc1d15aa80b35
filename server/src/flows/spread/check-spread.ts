/** Whether a cluster over which a store is spread is one that it can rely on. */
import type { Db } from '../../db/database.ts';
import {
  type Answer,
  askNodes,
  listLaid,
  listNodes,
  listTables,
} from '../../resources/installation/spread-catalogue.queries.ts';
import { listReach, readClock } from '../../resources/installation/spread-cluster.queries.ts';
import { toName } from './plan-spread.ts';

export interface SpreadCheck {
  name: string;
  /** What is wrong; none = it is right. */
  problems: string[];
}

/** What a transaction of two nodes may be prepared for. */
const PREPARED_MAX_S = 60;
const CLOCKS_MAX_MS = 100;
/** Of a few looks, the one with the shortest way says most of a clock. */
const ROUNDS = 3;

const VERSIONS = `select current_setting('server_version') || ', citus ' ||
  (select extversion from pg_extension where extname = 'citus')`;
const PREPARED = `select count(*) from pg_prepared_xacts
  where database = current_database() and prepared < clock_timestamp() - interval '${PREPARED_MAX_S} s'`;
const UPLOADS = `select current_setting('citus.enable_statistics_collection', true)`;

export async function checkSpread(db: Db): Promise<SpreadCheck[]> {
  const nodes = await listNodes(db);
  const named = new Map(nodes.map((node) => [node.id, toName(node)]));
  const ask = async (statement: string): Promise<NodeAnswer[]> =>
    (await askNodes(db, statement)).map((answer) => ({ ...answer, node: named.get(answer.id) ?? 'a node' }));
  return [
    {
      name: 'each node reaches each',
      problems: [
        ...nodes.filter(({ isActive }) => !isActive).map((node) => `${toName(node)} is not active`),
        ...(await listReach(db))
          .filter(({ isGood }) => !isGood)
          .map(({ from, to }) => `${from} does not reach ${to}`),
      ],
    },
    { name: 'all nodes have one version', problems: findDifferent(await ask(VERSIONS)) },
    { name: 'reference tables are the same on each node', problems: await compareReferences(db, ask) },
    {
      name: `no transaction stays prepared for ${PREPARED_MAX_S} s`,
      problems: findUnlike(await ask(PREPARED), '0', (text) => `has ${text} of them`),
    },
    { name: `clocks differ by ${CLOCKS_MAX_MS} ms at most`, problems: await compareClocks(db, ask) },
    {
      name: 'no statistics are sent to the maker of the extension',
      problems: findUnlike(await ask(UPLOADS), 'off', () => 'has citus.enable_statistics_collection on'),
    },
    { name: 'each table is laid out', problems: await findLocal(db) },
  ];
}

interface NodeAnswer extends Answer {
  node: string;
}

type Ask = (statement: string) => Promise<NodeAnswer[]>;

const toSilent = ({ node, text }: NodeAnswer) => `${node} does not answer: ${text}`;

function findDifferent(answers: readonly NodeAnswer[]): string[] {
  const silent = answers.filter(({ isGood }) => !isGood).map(toSilent);
  const texts = new Set(answers.filter(({ isGood }) => isGood).map(({ text }) => text));
  if (texts.size <= 1) return silent;
  return [...silent, ...answers.map(({ node, text }) => `${node} has ${text}`)];
}

function findUnlike(
  answers: readonly NodeAnswer[],
  wanted: string,
  toProblem: (text: string | null) => string,
): string[] {
  return answers.flatMap((answer) => {
    if (!answer.isGood) return [toSilent(answer)];
    return answer.text === wanted ? [] : [`${answer.node} ${toProblem(answer.text)}`];
  });
}

async function compareReferences(db: Db, ask: Ask): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, place] of await listLaid(db)) {
    if (place !== 'reference') continue;
    let different = findDifferent(await ask(toSum(name)));
    // Nodes are asked one after the other: what was written in between makes them differ once, and not each time.
    for (let again = 1; again < ROUNDS && different.length > 0; again += 1)
      different = findDifferent(await ask(toSum(name)));
    problems.push(...different.map((problem) => `${name}: ${problem}`));
  }
  return problems;
}

/** Our own names of tables alone stand here. */
function toSum(name: string): string {
  return `select count(*) || ' rows of sum ' ||
    coalesce(sum(('x' || left(md5(to_jsonb(t)::text), 15))::bit(60)::bigint), 0) from public.${name} t`;
}

async function compareClocks(db: Db, ask: Ask): Promise<string[]> {
  const nearest = new Map<string, { offMs: number; wayMs: number }>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const beforeMs = await readClock(db);
    const answers = await ask('select (extract(epoch from clock_timestamp()) * 1000)::float8');
    const afterMs = await readClock(db);
    for (const { node, text, isGood } of answers) {
      const wayMs = (afterMs - beforeMs) / 2;
      const offMs = Math.abs(Number(text) - (beforeMs + afterMs) / 2);
      if (isGood && wayMs < (nearest.get(node)?.wayMs ?? Number.POSITIVE_INFINITY))
        nearest.set(node, { offMs, wayMs });
    }
  }
  return [...nearest]
    .filter(([, { offMs, wayMs }]) => offMs - wayMs > CLOCKS_MAX_MS)
    .map(([node, { offMs }]) => `${node} is ${Math.round(offMs)} ms off`);
}

async function findLocal(db: Db): Promise<string[]> {
  const laid = await listLaid(db);
  return (await listTables(db))
    .filter(({ name }) => !laid.has(name))
    .map(({ name }) => `${name} is not: counterfoil spread apply`);
}
