/** The SDK as a shop has it: packed, and installed in a folder of its own. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { ROOT, toCleanEnv } from './packing.ts';

const run = promisify(execFile);

/** What the probe answers where all is well. */
export const EXPECTED = 'Chess true true payment_success';

export async function installSdk(): Promise<{ folder: string; tarball: string }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-sdk-'));
  const inClone = { cwd: ROOT, env: toCleanEnv() };
  await run('npm', ['run', '--silent', 'build', '--workspace', 'sdk'], inClone);
  await run('npm', ['pack', '--silent', '--workspace', 'sdk', '--pack-destination', folder], inClone);
  const tarball = path.join(folder, (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '');
  await writeFile(path.join(folder, 'package.json'), '{"name":"shop","private":true,"type":"module"}');
  await run('npm', ['install', '--offline', tarball], { ...inClone, cwd: folder });
  await cp(path.join(import.meta.dirname, 'probe.mjs'), path.join(folder, 'probe.mjs'));
  return { folder, tarball };
}

/** One file, as workers and pages are built of it. */
export async function bundle(folder: string, text: string): Promise<string> {
  const entry = path.join(folder, 'entry.mjs');
  await writeFile(entry, text);
  const build = await rolldown({ input: entry, platform: 'neutral' });
  const { output } = await build.generate({ format: 'esm' });
  await build.close();
  return output[0].code;
}
