import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';

/**
 * What the settings are read from: the environment, and beneath it the file `.env` in the current folder, or the
 * one that `ENV_FILE` names (empty = none). A variable of the environment wins over the file's.
 */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  if (env.ENV_FILE === '') return env;
  const text = readIfThere(path.resolve(env.ENV_FILE ?? '.env'), env.ENV_FILE !== undefined);
  return text === null ? env : { ...parseEnv(text), ...env };
}

/** Null for a file that is not there, unless somebody has named it. */
function readIfThere(file: string, isNamed: boolean): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing && !isNamed) return null;
    throw error;
  }
}
