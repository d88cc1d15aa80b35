/** Tests of the suite that take hours in full size. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { DEFAULT_URL } from './endurance-store.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Runs those whose titles name one of these; answers whether all passed. */
export async function runJourneys(
  names: readonly string[],
  { isShort }: { isShort: boolean },
): Promise<boolean> {
  const config = ['--config', 'server/vitest.endurance.config.ts', '-t', names.join('|')];
  return runTests(config, { ENDURANCE_FULL: String(!isShort) });
}

/** Runs vitest with these arguments, over PostgreSQL; answers whether all passed. */
export async function runTests(args: readonly string[], settings: Record<string, string>): Promise<boolean> {
  const env = { ...process.env, DATABASE_URL: process.env.DATABASE_URL ?? DEFAULT_URL, ...settings };
  const child = spawn('npx', ['vitest', 'run', ...args], { cwd: ROOT, env, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
