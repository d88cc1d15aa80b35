/** What can be seen without a service: Node.js, and what this machine keeps. */
import { stat } from 'node:fs/promises';
import type { Io } from '../io.ts';
import { readConfig, toConfigPath } from '../profiles.ts';
import { type Finding, fail, ok } from './finding.ts';

const NODE_MIN = [20, 19] as const;
const FOR_OTHERS = 0o077;

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < NODE_MIN[0] || (major === NODE_MIN[0] && minor < NODE_MIN[1]);
  if (!isOld) return ok('node', version);
  return fail('node', `Node.js is ${version}`, `Install Node.js ${NODE_MIN.join('.')} or newer.`);
}

export async function checkConfig(io: Io): Promise<Finding> {
  const path = toConfigPath(io);
  const found = await stat(path).catch(() => null);
  if (!found) return ok('config', 'no profile is kept here');
  if ((found.mode & FOR_OTHERS) !== 0)
    return fail('config', `others may read the keys in ${path}`, `chmod 600 ${path}, and roll these keys.`);
  try {
    await readConfig(io);
  } catch {
    return fail('config', `${path} holds no profiles`, 'Mend or remove it, and sign in again.');
  }
  return ok('config', 'readable by its owner alone');
}
