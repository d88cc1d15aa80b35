import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError, isOwnName, listSettings } from '../config.ts';
import { findNearest } from '../domain/nearest.ts';

type Env = NodeJS.ProcessEnv;

/**
 * What the settings are read from: the environment, and beneath it the file `.env` in the current folder, or the
 * one that `ENV_FILE` names (empty = none). A variable of the environment wins over the file's. Any setting may lie in
 * a file that `<name>_FILE` names, as secrets are mounted; `tell` gets a line for each variable that is passed over.
 */
export function readEnvironment(env: Env = process.env, tell: (line: string) => void = console.warn): Env {
  const read = readSettings(env, tell).env;
  for (const name of STORE_URLS) refuseLostCertificate(name, read[name] ?? '');
  return read;
}

const STORE_URLS = ['DATABASE_URL', 'MIGRATE_DATABASE_URL', 'REPORTS_DATABASE_URL'];
const CERTIFICATES = ['sslrootcert', 'sslcert', 'sslkey'];

/** The driver reads these files at each connection, and says of one that is not there neither whose it is nor what it is for. */
function refuseLostCertificate(name: string, url: string): void {
  const parameters = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1] ?? '');
  for (const one of CERTIFICATES) {
    const file = parameters.get(one);
    if (!file || (one === 'sslrootcert' && file === 'system')) continue;
    try {
      readFileSync(file);
    } catch (cause) {
      throw new ConfigError(`${name} says ${one}=${file}, which cannot be read`, { cause });
    }
  }
}

/** The same, and where each setting that is set was read. */
export function readSettings(
  env: Env = process.env,
  tell: (line: string) => void = console.warn,
): { env: Env; sources: Map<string, string> } {
  const names = new Set(listSettings());
  const own = dropInjected(env, names, tell);
  const isNamed = own.ENV_FILE !== undefined;
  const file = own.ENV_FILE === '' ? null : path.resolve(own.ENV_FILE ?? '.env');
  const text = file === null ? null : readIfThere(file, isNamed);
  const all = text === null ? own : { ...parseEnv(dropUnread(text, `${file}`, tell)), ...own };
  refuseUnknown(all, names);
  const toSource = (name: string) => {
    const mounted = all[`${name}_FILE`];
    if (mounted) return mounted;
    return own[name] === undefined ? String(file) : 'environment';
  };
  const set = [...names].filter((name) => all[name] || all[`${name}_FILE`]);
  return { env: readFiles(all, names), sources: new Map(set.map((name) => [name, toSource(name)])) };
}

/** A value in quotes may go over several lines, whatever stands in them. */
const QUOTED = /^[ \t]*(?:export[ \t]+)?[\w.-]+[ \t]*=[ \t]*(["'`])[\s\S]*?\1/gm;
const COMMENT = /^\s*#/;
const SETS_NOTHING = /^\s*[^\s#=][^=]*$/;

/**
 * A line without `=` is a mistake, and named by its number alone: a secret may stand in it. Node takes it, and a comment
 * that is indented, for the beginning of the next line's name, which would be lost.
 */
function dropUnread(text: string, file: string, tell: (line: string) => void): string {
  const shapes = text.replace(QUOTED, (setting) => setting.replace(/[^\n]/g, '=')).split('\n');
  const numbers = shapes.flatMap((shape, index) => (SETS_NOTHING.test(shape) ? [index + 1] : []));
  if (numbers.length > 0)
    tell(`Passed over in ${file}, since there is no = in it: line ${numbers.join(', ')}`);
  const isRead = (shape = '') => !COMMENT.test(shape) && !SETS_NOTHING.test(shape);
  return text
    .split('\n')
    .filter((_line, index) => isRead(shapes[index]))
    .join('\n');
}

/** A name of ours that nobody reads is a mistake, and one that would show late. */
function refuseUnknown(env: Env, settings: Set<string>): void {
  const isUnknown = (name: string) => isOwnName(name) && !settings.has(name.replace(/_FILE$/, ''));
  const unknown = Object.keys(env).find(isUnknown);
  if (unknown === undefined) return;
  const nearest = findNearest(unknown, [...settings]);
  throw new ConfigError(`${unknown} is no setting; the nearest is ${nearest}`);
}

/** What Kubernetes sets for each Service: one that is called `database` or `metrics` is no setting of ours. */
const INJECTED = /_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT_\d+_[A-Z0-9_]+)$/;
const INJECTED_VALUE = /^(tcp|udp|sctp):\/\//;

function dropInjected(env: Env, settings: Set<string>, tell: (line: string) => void): Env {
  const isInjected = ([name, value = '']: [string, string | undefined]) =>
    (isOwnName(name) || settings.has(name)) && (INJECTED.test(name) || INJECTED_VALUE.test(value));
  const injected = Object.entries(env).filter(isInjected);
  if (injected.length === 0) return env;
  const names = injected.map(([name]) => name);
  tell(`Passed over, since they look like those that Kubernetes sets for a Service: ${names.join(', ')}`);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}

function readFiles(env: Env, settings: Set<string>): Env {
  const mounted = [...settings].filter((name) => env[`${name}_FILE`]);
  if (mounted.length === 0) return env;
  return { ...env, ...Object.fromEntries(mounted.map((name) => [name, readSetting(name, env)])) };
}

function readSetting(name: string, env: Env): string {
  if (env[name]) throw new ConfigError(`${name} and ${name}_FILE are both set: only one of them may be`);
  const file = env[`${name}_FILE`] ?? '';
  const value = readMounted(name, file);
  // Whoever names a file means something to be set: a secret that was not mounted yet must not be one that is not asked for.
  if (value === '') throw new ConfigError(`${name}_FILE names ${file}, which is empty`);
  return value;
}

function readMounted(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new ConfigError(`${name}_FILE names ${file}, which cannot be read`, { cause });
  }
}

/** What some editors of Windows begin a text with: it would be part of the first name. */
const BYTE_ORDER_MARK = /^\uFEFF/;

/** Null for a file that is not there, unless somebody has named it. */
function readIfThere(file: string, isNamed: boolean): string | null {
  try {
    return readFileSync(file, 'utf8').replace(BYTE_ORDER_MARK, '');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing && !isNamed) return null;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`${isNamed ? `ENV_FILE names ${file}, which` : file} cannot be read: ${reason}`, {
      cause: error,
    });
  }
}
