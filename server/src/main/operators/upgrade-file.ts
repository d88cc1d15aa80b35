/**
 * `npm run upgrade-file -- FILE`: the same workspaces as this release would write them, so that they can be restored
 * beside others. It goes through an embedded store that is thrown away.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseConfig } from '../../config.ts';
import { openEmbeddedStore } from '../../db/embedded/store.ts';
import { requireReadable } from '../../flows/restores/read-archive.ts';
import { readEnvironment } from '../environment.ts';
import { endOnSignal, isInterrupted } from '../stop-signal.ts';
import { askOpener, askSealer } from './age-keys.ts';
import { answer, talk, tellFailure } from './manners.ts';
import { toExitCode, UsageError } from './operator-store.ts';
import { readFlags } from './read-flags.ts';
import { rewriteArchive } from './rewrite-archive.ts';

const USAGE = `Usage: npm run upgrade-file -- FILE [--out FILE] [--identity FILE] [--recipient age1… …] [--passphrase]
  --out         missing = FILE with the ending .upgraded.tar.gz
  --identity    of age, for a file that was sealed for recipients; missing = a passphrase is asked for
  --recipient, --passphrase  who is to read the new one`;

async function run(): Promise<void> {
  const { positionals, values } = readFlags(USAGE, {
    allowPositionals: true,
    wordsMax: 1,
    options: {
      out: { type: 'string' },
      identity: { type: 'string' },
      recipient: { type: 'string', multiple: true, default: [] },
      passphrase: { type: 'boolean', default: false },
    },
  });
  const [file] = positionals;
  if (file === undefined) throw new UsageError(USAGE);
  await requireReadable(file);
  const target = path.resolve(values.out ?? `${file.replace(/\.tar\.gz$/, '')}.upgraded.tar.gz`);
  if (existsSync(target)) throw new UsageError(`${target} is there already: it is not written over.`);
  const seal = await askSealer({ recipients: values.recipient, withPassphrase: values.passphrase });
  const config = parseConfig(readEnvironment());
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-upgrade-'));
  remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const store = await openEmbeddedStore({ dataDir, log: () => {}, durable: false });
    try {
      await rewriteArchive(file, {
        ...{ target, seal, config: { ...config, dataDir, files: null }, connection: store.poolConfig },
        askKeys: () => askOpener(values.identity ?? null),
        tell: talk,
      });
      answer({ file: target }, target);
    } finally {
      await store.stop();
    }
  } finally {
    await remove();
  }
}

let remove = async (): Promise<void> => {};
endOnSignal(() => remove());
try {
  await run();
} catch (error) {
  process.exitCode = toExitCode(error);
  if (!isInterrupted()) tellFailure(error, process.exitCode);
}
