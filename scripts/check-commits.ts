/** Fails on a commit whose subject is too long for a list of them, or that does not say why it was made. */
import { spawnSync } from 'node:child_process';
import { ROOT } from './source-files.ts';

const SUBJECT_LENGTH_MAX = 72;
/** The rule begins after this commit; what lies before is history. */
const SINCE = 'd6d180d24822332405463b27faa6757083bbb07f';

export interface Commit {
  hash: string;
  subject: string;
  body: string;
}

/** A clone that is too shallow to know the first commit is asked for all that it has. */
export async function checkCommits(): Promise<string[]> {
  const isKnown = git(['cat-file', '-e', `${SINCE}^{commit}`]) !== null;
  const log = git([
    'log',
    '--no-merges',
    '--format=%h%x00%s%x00%b%x01',
    ...(isKnown ? [`${SINCE}..HEAD`] : []),
  ]);
  if (log === null) return ['git log cannot be read: commits were not looked at'];
  return findUnreasoned(
    log
      .split('\x01')
      .map((entry) => entry.trim().split('\0'))
      .filter(([hash]) => hash !== '')
      .map(([hash = '', subject = '', body = '']) => ({ hash, subject, body })),
  );
}

export function findUnreasoned(commits: readonly Commit[]): string[] {
  return commits.flatMap(({ hash, subject, body }) => [
    ...(subject.length > SUBJECT_LENGTH_MAX
      ? [`${hash} has a subject of ${subject.length} characters, more than ${SUBJECT_LENGTH_MAX}: ${subject}`]
      : []),
    ...(body.trim() === '' ? [`${hash} does not say why: ${subject}`] : []),
  ]);
}

function git(args: string[]): string | null {
  const { status, stdout } = spawnSync('git', args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return status === 0 ? stdout : null;
}
