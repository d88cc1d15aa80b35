/** `counterfoil spread …` as a process of its own, which a test may kill. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Webhooks of tests go to this machine. */
export const SERVICE_ENV = { EGRESS_ALLOW_CIDRS: '127.0.0.1/32' };

const SPREAD = fileURLToPath(new URL('../../dist/run/spread.js', import.meta.url));

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  output: string;
}

/** `killAt`: it is killed once it has told so many lines of what it does. */
export async function runSpread(
  url: string,
  args: readonly string[],
  { killAt = Number.POSITIVE_INFINITY }: { killAt?: number } = {},
): Promise<Ended> {
  const { NODE_ENV: _test, VITEST: _vitest, ...inherited } = process.env;
  const child = spawn(process.execPath, [SPREAD, ...args], {
    env: { ...inherited, ...SERVICE_ENV, ENV_FILE: '', DATABASE_URL: url },
  });
  let output = '';
  let lines = 0;
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    output += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    output += part;
    lines += part.split('\n').length - 1;
    if (lines >= killAt) child.kill('SIGKILL');
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, output };
}
