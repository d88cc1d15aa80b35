/**
 * The environment, read once. Every limit has a name, a unit and a default; an unknown value stops the
 * start with one clear line.
 */
import { isIP } from 'node:net';
import path from 'node:path';
import { getSetting, SETTING_NAMES, SETTINGS, type SettingName } from './config-list.ts';
import type { BackupConfig, Config, OidcConfig } from './config-shape.ts';
import { assert } from './domain/assert.ts';
import { type FilesPlace, getLargestFile, readFilesPlace } from './domain/files-place.ts';
import { type CallRates, readCallRates } from './domain/processors/call-rate.ts';
import type { RetentionDays } from './domain/retention.ts';
import { readStoreUrl, type StoreUrl, StoreUrlError } from './domain/store-url.ts';

export type { BackupConfig, Config, OidcConfig };

/** Whatever is tried again is tried within these days. */
const RETRIED_DAYS = 30;

export class ConfigError extends Error {
  override name = 'ConfigError';
}

type Env = Record<string, string | undefined>;

/** Whoever sets a name that begins so means this service: one that nobody reads is a mistake. */
const OWN_PREFIXES = /^(DATABASE|RETAIN|BACKUP|METRICS|FILES)_/;

/** The names of all settings. */
export const listSettings = (): string[] => [...SETTING_NAMES].sort();

export const isOwnName = (name: string) => OWN_PREFIXES.test(name);

/** Parses the environment. Throws ConfigError with one line that names the variable. */
export function parseConfig(env: Env): Config {
  const port = integer(env, 'PORT');
  const namedUrl = origin(env, 'PUBLIC_URL');
  const files = filesPlace(env, 'FILES_URL');
  const role = choice(env, 'ROLE');
  const publicUrl = namedUrl ?? `http://localhost:${port}`;
  // Whoever names an address that others reach wants to be reached; else this machine alone does.
  const host = text(env, 'HOST') ?? (isLoopbackHost(new URL(publicUrl).hostname) ? '127.0.0.1' : '0.0.0.0');
  return {
    port,
    host,
    publicUrl,
    publicUrlByHand: namedUrl !== null && !isLoopbackHost(new URL(namedUrl).hostname) ? namedUrl : null,
    databaseUrl: postgresUrl(env, 'DATABASE_URL'),
    migrateDatabaseUrl: urlBesideStore(env, 'MIGRATE_DATABASE_URL', 'primary'),
    reportsDatabaseUrl: urlBesideStore(env, 'REPORTS_DATABASE_URL', 'any'),
    migrate: choice(env, 'MIGRATE'),
    storeForm: choice(env, 'STORE_FORM'),
    dataDir: path.resolve(required(env, 'DATA_DIR')),
    files,
    role,
    logLevel: choice(env, 'LOG_LEVEL'),
    logFormat: logFormat(env),
    seedDemo: seedDemo(env),
    rateLimitLive: integer(env, 'RATE_LIMIT_LIVE'),
    rateLimitTest: integer(env, 'RATE_LIMIT_TEST'),
    egressAllowCidrs: allowedNetworks(env),
    viesUrl: requiredUrl(env, 'VIES_URL'),
    smtpUrl: smtpUrl(env),
    mailFrom: mailAddress(env, 'MAIL_FROM') ?? `no-reply@${new URL(publicUrl).hostname}`,
    uploadMaxBytes: Math.min(integer(env, 'UPLOAD_MAX_MB') * 1024 * 1024, getLargestFile(files)),
    databaseConnectionsMax: connectionsMax(env, role),
    backups: readBackups(env),
    isBackupDirIdle: text(env, 'BACKUP_DIR') !== null && text(env, 'DATABASE_URL') !== null,
    stripeApiUrl: requiredUrl(env, 'STRIPE_API_URL'),
    stripeJsUrl: requiredUrl(env, 'STRIPE_JS_URL'),
    applePayAssociation: text(env, 'APPLE_PAY_DOMAIN_ASSOCIATION'),
    stripeKeys: stripeKeys(env),
    paypalApiUrl: requiredUrl(env, 'PAYPAL_API_URL'),
    paypalSandboxApiUrl: requiredUrl(env, 'PAYPAL_SANDBOX_API_URL'),
    processorRates: callRates(env),
    processorSendWithinMs: integer(env, 'PROCESSOR_SEND_WITHIN_MS'),
    processorTimeoutMs: integer(env, 'PROCESSOR_TIMEOUT_MS'),
    retainDays: retainDays(env),
    retainExport: filesPlace(env, 'RETAIN_EXPORT'),
    drainTimeoutMs: integer(env, 'DRAIN_TIMEOUT_MS'),
    drainDelayMs: integer(env, 'DRAIN_DELAY_MS'),
    healthPort: text(env, 'HEALTH_PORT') === null ? null : integer(env, 'HEALTH_PORT'),
    metricsPort: text(env, 'METRICS_PORT') === null ? null : integer(env, 'METRICS_PORT'),
    metricsHost: required(env, 'METRICS_HOST'),
    metricsToken: metricsToken(env),
    tracesUrl: url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT'),
    trustProxy: trustedProxies(env),
    secretsKeys: secretsKeys(env),
    signUp: choice(env, 'SIGN_UP'),
    ...waysIn(env),
    nameAliases: nameAliases(env),
  };
}

/** As much as a process of its kind makes use of. */
const CONNECTIONS: Readonly<Record<Config['role'], number>> = { all: 20, api: 10, worker: 14 };

const connectionsMax = (env: Env, role: Config['role']): number =>
  text(env, 'DATABASE_CONNECTIONS_MAX') === null
    ? CONNECTIONS[role]
    : integer(env, 'DATABASE_CONNECTIONS_MAX');

/** A store that is not embedded is backed up by its operator's own means. */
function readBackups(env: Env): BackupConfig | null {
  const given = required(env, 'BACKUP_AT');
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(given) ?? [];
  if (hours === undefined)
    throw new ConfigError(`BACKUP_AT must be hours and minutes such as 03:00, not "${given}"`);
  const keepDays = integer(env, 'BACKUP_KEEP_DAYS');
  const sameDisk = choice(env, 'BACKUP_SAME_DISK') === 'true';
  const folder = text(env, 'BACKUP_DIR');
  if (folder === null || text(env, 'DATABASE_URL') !== null) return null;
  const atMinute = Number(hours) * 60 + Number(minutes);
  return { backupDir: path.resolve(folder), sameDisk, atMinute, keepDays };
}

function retainDays(env: Env): RetentionDays {
  return {
    event_bodies: atLeast(env, 'RETAIN_EVENT_BODIES_DAYS', RETRIED_DAYS),
    events: atLeast(env, 'RETAIN_EVENTS_DAYS', RETRIED_DAYS),
    webhook_attempts: integer(env, 'RETAIN_ATTEMPTS_DAYS'),
    mail_bodies: integer(env, 'RETAIN_MAIL_BODIES_DAYS'),
    mails: atLeast(env, 'RETAIN_MAILS_DAYS', RETRIED_DAYS),
    audit_log: integer(env, 'RETAIN_AUDIT_DAYS'),
  };
}

/** Null = not set. What is wrong of it is not told back: somebody may have put a password into it. */
function filesPlace(env: Env, name: 'FILES_URL' | 'RETAIN_EXPORT'): FilesPlace | null {
  const region = bucketsRegion(env);
  const value = text(env, name);
  if (value === null) return null;
  const keys = [text(env, 'AWS_ACCESS_KEY_ID'), text(env, 'AWS_SECRET_ACCESS_KEY')] as const;
  const place = readFilesPlace(value, region, keys);
  if (typeof place === 'string') throw new ConfigError(`${name} ${place}`);
  return place;
}

/** It is part of what each call is signed for, and of Amazon's host. */
function bucketsRegion(env: Env): string {
  const region = required(env, 'AWS_REGION');
  if (/^[A-Za-z0-9-]{1,63}$/.test(region)) return region;
  throw new ConfigError(`AWS_REGION must be a name of letters, digits and -, not "${region}"`);
}

/** For ever, or so long that nothing is sent anew that was sent before. */
function atLeast(env: Env, name: SettingName, min: number): number {
  const days = integer(env, name);
  if (days === 0 || days >= min) return days;
  throw new ConfigError(`${name} must be 0, for ever, or at least ${min}, not "${days}"`);
}

function callRates(env: Env): CallRates | null {
  const given = text(env, 'PROCESSOR_RATE');
  if (given === null) return null;
  const rates = readCallRates(given);
  if (!rates)
    throw new ConfigError(`PROCESSOR_RATE must be two whole numbers such as 80/20, or 0, not "${given}"`);
  return rates;
}

function stripeKeys(env: Env): Config['stripeKeys'] {
  const secretKey = text(env, 'STRIPE_SECRET_KEY');
  const publishableKey = text(env, 'STRIPE_PUBLISHABLE_KEY');
  if (secretKey === null && publishableKey === null) return null;
  if (secretKey !== null && publishableKey !== null) {
    const [, mode] = /^[sr]k_(test|live)_\S+$/.exec(secretKey) ?? [];
    // Not told back: one of them is a secret, and nobody knows which was put where.
    if (mode === undefined)
      throw new ConfigError('STRIPE_SECRET_KEY must begin with sk_ or rk_, and test_ or live_');
    if (!publishableKey.startsWith(`pk_${mode}_`))
      throw new ConfigError(
        `STRIPE_PUBLISHABLE_KEY must begin with pk_${mode}_, as STRIPE_SECRET_KEY is of that mode`,
      );
    return { secretKey, publishableKey };
  }
  throw new ConfigError('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are a pair: set both, or none');
}

function secretsKeys(env: Env): string[] {
  const keys = list(env, 'SECRETS_KEY');
  // Not told back: it is a secret.
  if (keys.every((key) => /^[A-Za-z0-9+/]{43}=?$/.test(key))) return keys;
  throw new ConfigError(
    'SECRETS_KEY must list keys of 32 bytes in base64, such as openssl rand -base64 32 makes',
  );
}

/** Whoever reaches the port may guess it. */
const METRICS_TOKEN_CHARS_MIN = 8;

function metricsToken(env: Env): string | null {
  const token = text(env, 'METRICS_TOKEN');
  // Not told back: it is a secret.
  if (token !== null && token.length < METRICS_TOKEN_CHARS_MIN)
    throw new ConfigError(`METRICS_TOKEN must have at least ${METRICS_TOKEN_CHARS_MIN} characters`);
  return token;
}

function waysIn(env: Env): Pick<Config, 'oidc' | 'passwordSignIn'> {
  const oidc = readOidc(env);
  const passwordSignIn = choice(env, 'PASSWORD_SIGN_IN') === 'on';
  if (!passwordSignIn && oidc === null)
    throw new ConfigError('PASSWORD_SIGN_IN=off needs OIDC_ISSUER: nobody could get in');
  return { oidc, passwordSignIn };
}

function readOidc(env: Env): OidcConfig | null {
  const issuer = url(env, 'OIDC_ISSUER');
  const clientId = text(env, 'OIDC_CLIENT_ID');
  const clientSecret = text(env, 'OIDC_CLIENT_SECRET');
  const trustMfa = choice(env, 'OIDC_TRUST_MFA') === 'on';
  const given = text(env, 'OIDC_NAME');
  if (issuer === null) {
    // Whoever says one of them means the button to be there.
    if (clientId !== null || clientSecret !== null)
      throw new ConfigError('OIDC_CLIENT_ID and OIDC_CLIENT_SECRET need OIDC_ISSUER');
    return null;
  }
  if (clientId === null || clientSecret === null)
    throw new ConfigError('OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET');
  const name = given ?? new URL(issuer).hostname;
  const isLoopback = isLoopbackHost(new URL(issuer).hostname);
  return { issuer, clientId, clientSecret, name, trustMfa, isLoopback };
}

/** What the environment says, else the default of the list; null = neither. */
export function text(env: Env, name: SettingName): string | null {
  const value = env[name]?.trim();
  return value ? value : getSetting(name).fallback;
}

function required(env: Env, name: SettingName): string {
  const value = text(env, name);
  assert(value !== null, `${name} has no default`);
  return value;
}

function list(env: Env, name: SettingName): string[] {
  return (text(env, name) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** To believe everybody, or whoever is so many hops away, lets a client choose the address that it is limited by. */
function trustedProxies(env: Env): string[] {
  const proxies = list(env, 'TRUST_PROXY');
  const wrong = proxies.find((proxy) => proxy !== 'loopback' && !isAddressOrNetwork(proxy));
  if (wrong === undefined) return proxies;
  throw new ConfigError(
    `TRUST_PROXY must list addresses and networks such as 10.0.0.0/8, or loopback, not "${wrong}"`,
  );
}

/** Networks alone: an address is one of as many bits as it has. */
function allowedNetworks(env: Env): string[] {
  const networks = list(env, 'EGRESS_ALLOW_CIDRS');
  const wrong = networks.find((network) => !/^[^/]+\/\d{1,3}$/.test(network) || !isNetwork(network));
  if (wrong === undefined) return networks;
  throw new ConfigError(`EGRESS_ALLOW_CIDRS must list networks such as 10.1.0.0/16, not "${wrong}"`);
}

function isNetwork(value: string): boolean {
  const [address = '', bits] = value.split('/');
  const kind = isIP(address);
  return kind !== 0 && Number(bits) <= (kind === 4 ? 32 : 128);
}

function isAddressOrNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const kind = isIP(address);
  if (kind === 0 || rest.length > 0) return false;
  // A network of no bits is everybody.
  return (
    bits === undefined ||
    (/^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (kind === 4 ? 32 : 128))
  );
}

function nameAliases(env: Env): string[] {
  const names = list(env, 'NAME_PREFIX_ALIASES').map((name) => name.toLowerCase());
  const wrong = names.find((name) => !/^[a-z][a-z0-9]{0,31}$/.test(name));
  if (wrong === undefined) return names;
  throw new ConfigError(`NAME_PREFIX_ALIASES must list names of letters and digits, not "${wrong}"`);
}

function integer(env: Env, name: SettingName): number {
  const value = required(env, name);
  const [min, max] = getSetting(name).whole ?? [0, Number.MAX_SAFE_INTEGER];
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}"`);
  }
  return number;
}

type Worded = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends { words: readonly string[] } ? Name : never;
}[SettingName];

function choice<Name extends Worded>(env: Env, name: Name): (typeof SETTINGS)[Name]['words'][number] {
  const value = required(env, name);
  const words: readonly (typeof SETTINGS)[Name]['words'][number][] = SETTINGS[name].words;
  const found = words.find((candidate) => candidate === value);
  if (!found) throw new ConfigError(`${name} must be one of ${words.join(', ')}, not "${value}"`);
  return found;
}

/** Whoever sits at a terminal reads it; a program that collects it does, too. */
function logFormat(env: Env): 'json' | 'text' {
  const given = choice(env, 'LOG_FORMAT');
  if (given !== 'auto') return given;
  return process.stdout.isTTY === true ? 'text' : 'json';
}

function url(env: Env, name: SettingName): string | null {
  const value = text(env, name);
  if (value === null) return null;
  if (!/^https?:\/\/\S+$/.test(value) || !URL.canParse(value)) {
    throw new ConfigError(`${name} must be an http(s) URL, not "${value}"`);
  }
  const { username, password, search, hash } = new URL(value);
  // Not told back: it may hold a password.
  if (username || password) throw new ConfigError(`${name} must hold no user and no password`);
  // Paths are added to it.
  if (name !== 'STRIPE_JS_URL' && (search || hash || /[?#]$/.test(value))) {
    throw new ConfigError(`${name} must end with its path, without ? and #, not be "${value}"`);
  }
  return value.replace(/\/+$/, '');
}

/** Pages, their scripts and cookies lie at the root of a host: under a path every link of them is dead. */
function origin(env: Env, name: 'PUBLIC_URL'): string | null {
  const value = url(env, name);
  if (value === null || new URL(value).pathname === '/') return value;
  throw new ConfigError(`${name} must be a host of its own without a path, not "${value}"`);
}

function requiredUrl(env: Env, name: SettingName): string {
  const value = url(env, name);
  assert(value !== null, `${name} has no default`);
  return value;
}

/** Whether a host's name, as a URL has it, is this machine's own. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(hostname);
}

function smtpUrl(env: Env): string | null {
  const value = text(env, 'SMTP_URL');
  if (value === null) return null;
  // Not told back: it may hold a password.
  if (!/^smtps?:\/\/[^/]/.test(value) || !URL.canParse(value)) {
    throw new ConfigError('SMTP_URL must be an smtp:// or smtps:// URL');
  }
  return value;
}

function mailAddress(env: Env, name: SettingName): string | null {
  const value = text(env, name);
  if (value === null) return null;
  if (!/^[^\s@<>:/,;"]+@[^\s@<>:/,;"]+$/.test(value)) {
    throw new ConfigError(`${name} must be an e-mail address alone, not "${value}"`);
  }
  return value;
}

/** Another way to the store of DATABASE_URL: an embedded one would be made in one PostgreSQL and asked for in another. */
function urlBesideStore(env: Env, name: SettingName, place: 'primary' | 'any'): string | null {
  const value = postgresUrl(env, name, place);
  if (value !== null && text(env, 'DATABASE_URL') === null)
    throw new ConfigError(`${name} needs DATABASE_URL: the embedded store is reached by itself alone`);
  return value;
}

function postgresUrl(env: Env, name: SettingName, place: 'primary' | 'any' = 'primary'): string | null {
  const value = text(env, name);
  if (value === null) return null;
  const { hosts, wanted } = readHosts(name, value);
  if (place === 'primary' && wanted !== 'primary' && wanted !== 'any')
    throw new ConfigError(`${name} must lead to the primary: target_session_attrs=read-write`);
  return hosts.length > 1 ? value : (hosts[0]?.url ?? null);
}

function readHosts(name: SettingName, value: string): StoreUrl {
  try {
    return readStoreUrl(value);
  } catch (error) {
    if (!(error instanceof StoreUrlError)) throw error;
    throw new ConfigError(`${name} ${error.message}`);
  }
}

function seedDemo(env: Env): 'auto' | boolean {
  const value = choice(env, 'SEED_DEMO');
  if (value === 'auto') return 'auto';
  return value === 'true' || value === '1' || value === 'on';
}
