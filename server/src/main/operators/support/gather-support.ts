/** What helps whoever is asked for help, and tells of nobody: no secret, no personal data, no name of a shop. */
import os from 'node:os';
import type { Config } from '../../../config.ts';
import { getSetting, type SettingName } from '../../../config-list.ts';
import type { Db } from '../../../db/database.ts';
import { maskPersonal } from '../../../domain/mask-personal.ts';
import { PRODUCT_VERSION } from '../../../domain/version.ts';
import { listProcesses } from '../../../resources/installation/processes.queries.ts';
import { readStoreFigures } from '../../watching/store-figures.ts';
import { readFacts } from '../doctor/facts.ts';
import { judge } from '../doctor/judge.ts';
import type { ToldSetting } from '../tell-config.ts';
import { readLogTail } from './log-tail.ts';
import { readSchemaOutline } from './schema-outline.ts';

const METRICS_TIMEOUT_MS = 2_000;
const EVERYWHERE = /^(0\.0\.0\.0|::)$/;

export interface Gathering {
  config: Config;
  settings: ToldSetting[];
  /** Null = nobody has said where it goes. */
  logFile: string | null;
  nowMs: number;
}

export async function gatherSupport(
  db: Db,
  { config, settings, logFile, nowMs }: Gathering,
): Promise<Record<string, unknown>> {
  const facts = await readFacts(db, config);
  // Words of another's server may hold anything.
  const smtp = facts.smtp && { ...facts.smtp, said: '' };
  const gathered = {
    about: describeMachine(nowMs),
    doctor: judge({ ...facts, smtp }, { publicUrl: hideHost(config.publicUrl) }),
    server: facts.server,
    settings: settings.map(hideSetting),
    processes: await tellProcesses(db),
    store: await readStoreFigures(db, { days: config.retainDays, readBackups: async () => null }),
    metrics: await readMetrics(config),
    schema: await readSchemaOutline(db),
    log: logFile === null ? null : await readLogTail(logFile),
  };
  return maskAll(gathered) as Record<string, unknown>;
}

function describeMachine(nowMs: number): Record<string, unknown> {
  return {
    ...{ version: PRODUCT_VERSION, node: process.versions.node, createdAt: new Date(nowMs).toISOString() },
    ...{ platform: process.platform, arch: process.arch, release: os.release() },
    ...{ cores: os.availableParallelism(), memoryBytes: os.totalmem() },
  };
}

/** Of free text it is told that it is set. */
function hideSetting({ name, value, source }: ToldSetting): ToldSetting {
  const { whole, words, fallback } = getSetting(name as SettingName);
  const isPlain = whole !== undefined || words !== undefined || value === null || value === fallback;
  const isFile = !['default', 'environment'].includes(source);
  return { name, value: isPlain ? value : '(set)', source: isFile ? 'file' : source };
}

function hideHost(publicUrl: string): string {
  const { protocol, hostname } = new URL(publicUrl);
  return ['localhost', '127.0.0.1'].includes(hostname)
    ? `${protocol}//localhost`
    : `${protocol}//shop.invalid`;
}

/** Machines bear the names of people. */
async function tellProcesses(db: Db): Promise<Array<Record<string, unknown>>> {
  const processes = await listProcesses(db);
  const hosts = [...new Set(processes.map(({ host }) => host))];
  return processes.map(({ host, ...rest }) => ({ ...rest, host: `machine ${hosts.indexOf(host) + 1}` }));
}

/** Of the process on this machine, where it has a port for them; null = it has none, or says nothing. */
async function readMetrics({ metricsPort, metricsHost }: Config): Promise<string[] | null> {
  if (metricsPort === null) return null;
  const host = EVERYWHERE.test(metricsHost) ? '127.0.0.1' : metricsHost;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${metricsPort}/metrics`;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(METRICS_TIMEOUT_MS), redirect: 'error' });
    return answer.ok ? (await answer.text()).split('\n') : null;
  } catch {
    return null;
  }
}

function maskAll(value: unknown): unknown {
  if (typeof value === 'string') return maskPersonal(value);
  if (Array.isArray(value)) return value.map(maskAll);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, maskAll(one)]));
}
