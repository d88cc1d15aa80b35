/** The files of the repository, as the checks read them. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Paths relative to the root, in order, of every file that is in version control or could be: new files
 * count, ignored ones do not.
 */
export function listFiles(under: string, ending: RegExp): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', under];
  const names = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const found = names.split('\0').filter((name) => ending.test(name));
  // A file that was just removed is listed until that is committed.
  return found.filter((name) => existsSync(`${ROOT}/${name}`)).sort();
}
