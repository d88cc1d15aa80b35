/** URLs of PostgreSQL as libpq reads them: one may name several hosts, of which one is the primary at a time. */

export interface StoreHost {
  /** As it is told: host and port, and no secret. */
  name: string;
  /** A name, an address, or a socket's folder. */
  host: string;
  port: number;
  /** The URL of this host alone. */
  url: string;
}

/** What a host must be to be taken; `any`: whoever answers. */
export type Wanted = 'primary' | 'standby' | 'prefer-standby' | 'any';

export interface StoreUrl {
  /** In the order of the list. */
  hosts: StoreHost[];
  wanted: Wanted;
}

/** What is wrong with it, without a word of what it says: it may hold a password. */
export class StoreUrlError extends Error {
  override name = 'StoreUrlError';
}

const DEFAULT_PORT = '5432';
/** libpq's words. It asks `any` nothing, which with several hosts could be a standby. */
const WANTED: ReadonlyMap<string, Wanted> = new Map([
  ['any', 'any'],
  ['read-write', 'primary'],
  ['primary', 'primary'],
  ['read-only', 'standby'],
  ['standby', 'standby'],
  ['prefer-standby', 'prefer-standby'],
]);
const URL_PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*)([^?#]*)(?:\?([^#]*))?$/i;
/** The scheme's user info ends at the last @: a password may hold one that was not escaped. */
const USER_INFO = /^(.*@)?([^@]*)$/;

/** What the driver would read in another way than libpq. */
const REWRITTEN = ['target_session_attrs', 'sslmode', 'sslrootcert'];

/** Throws StoreUrlError. */
export function readStoreUrl(text: string): StoreUrl {
  const [, scheme, authority = '', path = '', query = ''] = URL_PARTS.exec(text) ?? [];
  if (scheme === undefined) throw new StoreUrlError('must be a postgres:// URL');
  const [, userInfo = '', list = ''] = USER_INFO.exec(authority) ?? [];
  const parameters = new URLSearchParams(query);
  const places = readPlaces(list, parameters);
  const wanted = readWanted(parameters);
  const isPlain = places.length === 1 && !REWRITTEN.some((name) => parameters.has(name));
  for (const name of ['host', 'port', 'target_session_attrs']) parameters.delete(name);
  readTls(parameters);
  const toUrl = ({ host, port }: Place) =>
    isPlain
      ? text
      : `${scheme}${userInfo}${toAuthority(host, port)}${path}${toQuery(parameters, host, port)}`;
  return {
    wanted,
    hosts: places.map(({ host, port }) => ({
      name: host.startsWith('/') ? host : `${bracket(host)}:${port}`,
      host,
      port: Number(port),
      url: toUrl({ host, port }),
    })),
  };
}

/** Of several hosts a standby as long as one answers, unless the URL says what it wants. */
export function preferStandby(text: string): string {
  const { hosts, wanted } = readStoreUrl(text);
  if (hosts.length === 1 || wanted !== 'any') return text;
  const bare = text.replace(/([?&])target_session_attrs=any&?/, '$1');
  return `${bare}${bare.includes('?') ? '&' : '?'}target_session_attrs=prefer-standby`;
}

interface Place {
  host: string;
  port: string;
}

function readPlaces(list: string, parameters: URLSearchParams): Place[] {
  const listed = list.split(',').map(readPlace);
  const named = parameters.get('host')?.split(',');
  const ports = parameters.get('port')?.split(',');
  const hosts = named ?? listed.map(({ host }) => host);
  // One port is that of all; else each host has its own, and an empty one is the usual.
  const given = ports ?? (named ? [] : listed.map(({ port }) => port));
  if (given.length > 1 && given.length !== hosts.length)
    throw new StoreUrlError(`names ${hosts.length} hosts and ${given.length} ports`);
  const places = hosts.map((host, index) => ({
    host: host || 'localhost',
    port: (given.length === 1 ? given[0] : given[index]) || DEFAULT_PORT,
  }));
  const wrong = places.find(
    ({ port }) => !/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535,
  );
  if (wrong) throw new StoreUrlError('must give ports from 1 to 65535');
  return places;
}

function readPlace(given: string): Place {
  const [, address, name = '', port = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(given) ?? [];
  if (address === undefined && /[\s:[\]]/.test(name)) throw new StoreUrlError('names a host that is none');
  return { host: address ?? decode(name), port };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new StoreUrlError('holds a % that is not an escape');
  }
}

function readWanted(parameters: URLSearchParams): Wanted {
  const given = parameters.get('target_session_attrs') ?? 'any';
  const wanted = WANTED.get(given);
  if (wanted === undefined)
    throw new StoreUrlError(`target_session_attrs must be one of ${[...WANTED.keys()].join(', ')}`);
  return wanted;
}

/** With what the driver needs to read libpq's words as libpq does. */
function readTls(parameters: URLSearchParams): void {
  const mode = parameters.get('sslmode');
  const root = parameters.get('sslrootcert');
  // Whose certificates the runtime trusts: such a server is always asked for its name, too.
  if (root === 'system') {
    if (mode !== null && mode !== 'verify-full')
      throw new StoreUrlError('with sslrootcert=system must say sslmode=verify-full');
    parameters.delete('sslrootcert');
    parameters.set('sslmode', 'verify-full');
  }
  if (mode === null || mode === 'no-verify' || parameters.has('uselibpqcompat')) return;
  if (!SSL_MODES.includes(mode)) throw new StoreUrlError(`sslmode must be one of ${SSL_MODES.join(', ')}`);
  if (mode === 'verify-ca' && root === null)
    throw new StoreUrlError('with sslmode=verify-ca must say sslrootcert');
  // It would take what has no TLS where that is refused, which the driver cannot.
  if (mode === 'allow') parameters.set('sslmode', 'disable');
  parameters.set('uselibpqcompat', 'true');
}

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];

const bracket = (host: string) => (host.includes(':') ? `[${host}]` : host);

/** A socket's folder is no part of an authority. */
const toAuthority = (host: string, port: string) => (host.startsWith('/') ? '' : `${bracket(host)}:${port}`);

function toQuery(parameters: URLSearchParams, host: string, port: string): string {
  const own = new URLSearchParams(parameters);
  if (host.startsWith('/')) {
    own.set('host', host);
    own.set('port', port);
  }
  // A driver that reads it as a URL does not take + for a space.
  const text = own.toString().replaceAll('+', '%20');
  return text === '' ? '' : `?${text}`;
}
