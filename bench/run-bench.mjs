/**
 * What every bench needs about it: a folder of its own, and an end that leaves nothing behind. However a bench ends, by
 * itself, by an error, by Ctrl-C or by a kill, its processes are stopped and its databases and its folder removed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stopAll } from './children.mjs';
import { dropStores } from './store.mjs';

export const isShort = process.argv.includes('--short');

/** `--name=N`, or what it is without. */
export function readSize(name, otherwise) {
  const given = process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1];
  if (given === undefined) return otherwise;
  const size = Number(given);
  if (!Number.isInteger(size) || size < 1) throw new Error(`--${name} must be a whole number above 0`);
  return size;
}

/** Exit codes of a process that ends at a signal. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** `main` is given the folder. */
export async function runBench(main) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'counterfoil-bench-'));
  let ending = null;
  const end = () => {
    ending ??= stopAll()
      .then(dropStores)
      .finally(() => rmSync(folder, { recursive: true, force: true }));
    return ending;
  };
  let isStopped = false;
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.once(signal, () => {
      isStopped = true;
      end().finally(() => process.exit(code));
    });
  }
  try {
    await main(folder);
  } catch (error) {
    // Of a bench that was stopped everything fails that it had begun.
    if (!isStopped) throw error;
  } finally {
    await end();
  }
}
