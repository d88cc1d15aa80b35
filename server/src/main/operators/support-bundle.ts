/** `npm run support-bundle`: one file for whoever helps, which its sender can read before. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { readSettings } from '../environment.ts';
import { answer, talk } from './manners.ts';
import { runOnStore, UsageError } from './operator-store.ts';
import { readFlags } from './read-flags.ts';
import { gatherSupport } from './support/gather-support.ts';
import { tellConfig } from './tell-config.ts';

const USAGE = `Usage: npm run support-bundle -- [--out FILE] [--log FILE] [--json]
  --out  the file, which must not be there yet; missing = one of this moment in this folder
  --log  where the service's log goes: its last lines come along, without what they say of people`;

const { values } = readFlags(USAGE, { options: { out: { type: 'string' }, log: { type: 'string' } } });

async function run(db: Db, config: Config): Promise<void> {
  const nowMs = Date.now();
  const target = path.resolve(values.out ?? toName(nowMs));
  const { env, sources } = readSettings(process.env, () => {});
  const settings = tellConfig(env, sources);
  const gathered = await gatherSupport(db, { config, settings, logFile: values.log ?? null, nowMs }).catch(
    explainLog(values.log),
  );
  const text = `${JSON.stringify(gathered, null, 2)}\n`;
  await writeFile(target, text, { flag: 'wx', mode: 0o600 }).catch(async (error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new UsageError(`${target} is there already: it is not written over.\n${USAGE}`);
    // Half of it, as on a disk that is full, is of no use, and would be in the way of the next try.
    await rm(target, { force: true });
    throw error;
  });
  const bytes = Buffer.byteLength(text);
  answer({ file: target, bytes }, target);
  talk(`${bytes} bytes of plain text: read it before you send it. It holds no secret and tells of nobody.`);
}

function explainLog(file: string | undefined) {
  return (error: unknown): never => {
    const isLog = error instanceof Error && 'path' in error && error.path === file;
    throw isLog ? new UsageError(`The log cannot be read: ${error.message}`) : error;
  };
}

function toName(nowMs: number): string {
  return `counterfoil-support-${new Date(nowMs).toISOString().replace(/[:.]/g, '-')}.json`;
}

await runOnStore(run, { evenClosed: true });
