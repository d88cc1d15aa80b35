import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Who runs PostgreSQL, and how that user gets there.
 * - direct: the service's own user.
 * - switch: the service is root, which PostgreSQL refuses, so a plain user runs it.
 * - pass: as switch, and that user may pass folders that are closed to it, such as root's home.
 */
export interface ServerUser {
  via: 'direct' | 'switch' | 'pass';
  uid: number;
  gid: number;
}

/** The system's user of our own, made when an operator asks for it: nobody else's programs run as it. */
const OWN_NAME = 'counterfoil';

/** A command line and the spawn options that run it as the server's user. */
export interface Command {
  file: string;
  args: string[];
  uid?: number;
  gid?: number;
}

/**
 * The user that owns (or will own) the cluster. Throws one clear line when the cluster belongs to somebody
 * else, or when root finds no plain user to hand it to.
 */
export function findServerUser(cluster: string): ServerUser {
  const ownUid = process.getuid?.() ?? 0;
  const owner = existsSync(cluster) ? statSync(cluster) : null;
  if (ownUid !== 0) {
    if (owner !== null && owner.uid !== ownUid) {
      throw new Error(`The store in ${cluster} belongs to another user (uid ${owner.uid}).`);
    }
    return { via: 'direct', uid: ownUid, gid: process.getgid?.() ?? 0 };
  }
  if (owner !== null && owner.uid !== 0) return { via: 'switch', uid: owner.uid, gid: owner.gid };
  const plain = findByName(OWN_NAME) ?? findByName('nobody');
  if (plain === null) {
    throw new Error(
      'PostgreSQL refuses to run as root and there is no user nobody: run as a plain user, or set DATABASE_URL.',
    );
  }
  return { via: 'switch', ...plain };
}

/** Makes the system's user that runs the server where the service is root. Throws one line where it cannot. */
export function makeServerUser(): 'made' | 'there already' {
  if (process.getuid?.() !== 0)
    throw new Error('--make-user is for root: another account runs the server itself');
  if (findByName(OWN_NAME) !== null) return 'there already';
  // Of the shadow suite, and of small systems.
  const ways = [
    [
      'useradd',
      '--system',
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      '--shell',
      '/bin/false',
      OWN_NAME,
    ],
    ['adduser', '-S', '-D', '-H', '-h', '/nonexistent', '-s', '/bin/false', OWN_NAME],
  ];
  for (const [file = '', ...args] of ways) {
    if (spawnSync(file, args, { stdio: 'ignore' }).status === 0) return 'made';
  }
  throw new Error(`the user ${OWN_NAME} could not be made: neither useradd nor adduser did it`);
}

function findByName(name: string): { uid: number; gid: number } | null {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) return null;
  // macOS writes nobody as -2; the system calls want the unsigned form.
  return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
}

/** Whether the user may enter every folder from the root down to `dir`. */
export function canEnter(user: ServerUser, dir: string): boolean {
  for (let at = dir; ; at = path.dirname(at)) {
    const { uid, gid, mode } = statSync(at);
    const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0;
    if (((mode >> shift) & 0o1) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

/**
 * Whether this machine lets a plain user keep the capability to pass closed folders; containers with few
 * capabilities and machines without util-linux do not.
 */
export function canPass(user: ServerUser, file: string): boolean {
  const command = toCommand({ ...user, via: 'pass' }, file, ['--version']);
  return spawnSync(command.file, command.args, { stdio: 'ignore', cwd: '/' }).status === 0;
}

/** Turns a program and its arguments into the command that runs them as `user`. */
export function toCommand(user: ServerUser, file: string, args: string[]): Command {
  if (user.via === 'direct') return { file, args };
  if (user.via === 'switch') return { file, args, uid: user.uid, gid: user.gid };
  // Without no_setuid_fixup the kernel drops the capability in access(2), which PostgreSQL relies on.
  const drop = [
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--bounding-set=-all,+dac_override',
  ];
  return { file: 'setpriv', args: [...drop, '--', file, ...args] };
}
