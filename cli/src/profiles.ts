/** Whose keys are used: what is kept of them on this machine, readable by its owner alone. */
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Pair } from './call.ts';
import { CommandError, EXIT, type Io } from './io.ts';

export interface Profile extends Pair {
  workspaceName: string;
  mode: 'live' | 'test';
  /** A pair that `login` has fetched ends with `logout`. */
  isOurs: boolean;
}

/** What `listen` asks by: kept, so that what happens while nobody listens is heard the next time. */
export interface KeptListener {
  id: string;
  secret: string;
  events: string[];
}

export interface Config {
  current: string | null;
  profiles: Record<string, Profile>;
  /** By profile; without one by address and public key. */
  listeners: Record<string, KeptListener>;
}

const OWNER_ONLY = 0o600;
const DEFAULT_URL = 'http://localhost:3000';

export function toConfigPath({ env, home }: Pick<Io, 'env' | 'home'>): string {
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'counterfoil', 'config.json');
}

export async function readConfig(io: Io): Promise<Config> {
  const empty: Config = { current: null, profiles: Object.create(null), listeners: Object.create(null) };
  const path = toConfigPath(io);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    // Taken for empty it would be written anew, without the keys that are in it.
    throw new CommandError(EXIT.usage, `${path} cannot be read (${error.code}).`, { code: 'broken_config' });
  });
  if (text === null) return empty;
  const found = toConfig(text);
  if (found === null)
    throw new CommandError(EXIT.usage, `${path} is not what this program writes: mend or remove it.`, {
      code: 'broken_config',
    });
  return { ...empty, ...found };
}

/** Null where it is none. What lies in it has no other names than its own, such as `constructor`. */
function toConfig(text: string): Partial<Config> | null {
  try {
    const found: unknown = JSON.parse(text);
    if (!isMap(found)) return null;
    const { profiles = {}, listeners = {} } = found;
    if (![profiles, listeners].every((map) => isMap(map) && Object.values(map).every(isMap))) return null;
    const own = (map: unknown) => Object.assign(Object.create(null), map);
    return { ...found, profiles: own(profiles), listeners: own(listeners) };
  } catch {
    return null;
  }
}

const isMap = (one: unknown): one is Record<string, unknown> =>
  typeof one === 'object' && one !== null && !Array.isArray(one);

/** Written beside and put in its place, so that a killed command leaves the old one whole. */
export async function writeConfig(io: Io, config: Config): Promise<void> {
  const path = toConfigPath(io);
  const beside = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(beside, `${JSON.stringify(config, null, 2)}\n`, { mode: OWNER_ONLY });
  await chmod(beside, OWNER_ONLY);
  await rename(beside, path);
}

/** Changes what is kept, as it is now. */
export async function changeConfig(io: Io, change: (config: Config) => void): Promise<void> {
  const config = await readConfig(io);
  change(config);
  await writeConfig(io, config);
}

export interface Chosen extends Pair {
  isLive: boolean;
  /** Null where the pair is of the environment, or lies beside the service. */
  profile: string | null;
}

interface Flags {
  profile?: string | undefined;
  baseUrl?: string | undefined;
}

/** Flags, the environment, the profile, and beside a service of one's own what its start has written down. */
export async function choosePair(io: Io, { profile, baseUrl }: Flags): Promise<Chosen> {
  const { COUNTERFOIL_BASE_URL, COUNTERFOIL_PUBLIC_KEY, COUNTERFOIL_SECRET_KEY } = io.env;
  if (!profile && COUNTERFOIL_PUBLIC_KEY && COUNTERFOIL_SECRET_KEY) {
    const url = baseUrl ?? COUNTERFOIL_BASE_URL ?? DEFAULT_URL;
    const keys = { publicKey: COUNTERFOIL_PUBLIC_KEY, secretKey: COUNTERFOIL_SECRET_KEY };
    return toChosen({ baseUrl: url, ...keys }, null);
  }
  if (!profile) refuseHalf(io.env);
  const config = await readConfig(io);
  const name = profile ?? config.current;
  if (name !== null && name !== undefined) {
    const found = config.profiles[name];
    if (!isPair(found))
      throw new CommandError(EXIT.usage, `There is no profile ${name}: counterfoil login --profile ${name}`);
    // A profile that a flag names is named with its address.
    const told = profile ? undefined : COUNTERFOIL_BASE_URL;
    return toChosen({ ...found, baseUrl: baseUrl ?? (told || found.baseUrl) }, name);
  }
  const file = resolve(io.cwd, io.env.DATA_DIR || '.data', 'credentials.json');
  const beside = await readFile(file, 'utf8').catch(() => null);
  if (beside !== null) {
    const own = readBeside(beside, file);
    return toChosen({ ...own, baseUrl: baseUrl ?? COUNTERFOIL_BASE_URL ?? own.baseUrl }, null);
  }
  const [other] = Object.keys(config.profiles);
  const way = other === undefined ? '' : `, or counterfoil profiles use ${other}`;
  throw new CommandError(EXIT.keys, `Nobody is signed in: counterfoil login${way}`, { code: 'no_keys' });
}

function readBeside(text: string, file: string): Pair {
  try {
    const { baseUrl, test } = JSON.parse(text) as { baseUrl?: unknown; test?: object };
    const pair = { baseUrl, ...test };
    if (isPair(pair)) return pair;
  } catch {
    // Told with whatever else is no pair.
  }
  const message = `${file} is not what a start of the service writes: mend or remove it.`;
  throw new CommandError(EXIT.usage, message, { code: 'broken_keys' });
}

/** Files may have been edited by hand. */
const isPair = (one: unknown): one is Pair =>
  typeof one === 'object' &&
  one !== null &&
  ['baseUrl', 'publicKey', 'secretKey'].every((name) => typeof Reflect.get(one, name) === 'string');

/** Half a pair must not end in the keys of another store. */
function refuseHalf({ COUNTERFOIL_PUBLIC_KEY, COUNTERFOIL_SECRET_KEY }: Io['env']): void {
  if (!COUNTERFOIL_PUBLIC_KEY === !COUNTERFOIL_SECRET_KEY) return;
  const [there, missing] = COUNTERFOIL_PUBLIC_KEY ? ['PUBLIC', 'SECRET'] : ['SECRET', 'PUBLIC'];
  const message = `COUNTERFOIL_${there}_KEY is set, and COUNTERFOIL_${missing}_KEY is not.`;
  throw new CommandError(EXIT.keys, message, { code: 'half_a_pair' });
}

function toChosen({ baseUrl, publicKey, secretKey }: Pair, profile: string | null): Chosen {
  const url = toBaseUrl(baseUrl);
  const isLive = publicKey.startsWith('pub_live_');
  return { baseUrl: url, publicKey, secretKey, isLive, profile };
}

export function toBaseUrl(text: string | undefined): string {
  const given = text ?? DEFAULT_URL;
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol))
    throw new CommandError(EXIT.usage, `${given} is no http(s) address.`);
  // What stands there would swallow the path of each request, or let none be sent.
  const { username, password } = new URL(given);
  if (/[?#]/.test(given) || `${username}${password}` !== '')
    throw new CommandError(EXIT.usage, 'The address of a service holds no name, no password, no ? and no #.');
  return given.replace(/\/+$/, '');
}
