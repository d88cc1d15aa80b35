/** An operator's command as a process of its own, as the last build has it. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const BOOTSTRAP = path.join(ROOT, 'scripts/bootstrap.mjs');

export interface Ran {
  code: number;
  out: string;
  err: string;
}

let built: Promise<Ran> | null = null;

/** `name` is its file in `server/src/main/operators`. Nobody sits at its terminal. */
export async function runCommand(
  name: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Ran> {
  built ??= run([BOOTSTRAP, 'build'], {});
  const { code, err } = await built;
  if (code !== 0) throw new Error(`the build failed:\n${err}`);
  return run([path.join(ROOT, 'server/dist/run', `${name}.js`), ...args], env);
}

function run(words: readonly string[], env: Record<string, string>): Promise<Ran> {
  const { VITEST: _vitest, NODE_ENV: _test, ...inherited } = process.env;
  return new Promise((resolve) => {
    const options = { cwd: ROOT, env: { ...inherited, ENV_FILE: '', ...env }, maxBuffer: 64 * 2 ** 20 };
    const child = execFile(process.execPath, words, options, (error, out, err) => {
      resolve({ code: error ? Number(error.code ?? -1) : 0, out, err });
    });
    child.stdin?.end();
  });
}
