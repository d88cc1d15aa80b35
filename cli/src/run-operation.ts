/** One operation from its flags to its answer. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ASKS } from './asks.ts';
import type { Call } from './call.ts';
import { confirmWrite } from './confirm.ts';
import { toDateMs } from './duration.ts';
import { CommandError, EXIT, type Io } from './io.ts';
import type { Field, Operation } from './operations.ts';
import type { Chosen } from './profiles.ts';
import { createProgress } from './progress.ts';
import { showData, showRows } from './show.ts';

export interface Given {
  ids: readonly string[];
  /** By the flags as they were written. */
  flags: Readonly<Record<string, string | true | undefined>>;
  data?: string | undefined;
  all?: boolean | undefined;
  max?: string | undefined;
  yes?: boolean | undefined;
  json?: boolean | undefined;
}

const PAGE = 100;

export interface Run {
  call: Call;
  pair: Chosen;
  operation: Operation;
  given: Given;
}

export async function runOperation(io: Io, { call, pair, operation, given }: Run): Promise<void> {
  const { method, timeoutMs } = operation;
  const path = fillPath(operation, given.ids);
  const query = new URLSearchParams();
  for (const field of operation.query)
    for (const value of [readFlag(field, given.flags[field.flag]) ?? []].flat())
      query.append(field.path.join('.'), String(value));
  const body = operation.hasBody ? await readBody(io, operation, given) : undefined;
  if (method !== 'GET') {
    const what = [operation.noun, operation.verb, ...given.ids].filter(Boolean).join(' ');
    const asks = ASKS.test(operation.verb);
    await confirmWrite(io, { call, pair, what, asks, yes: given.yes });
  }
  const timeout = timeoutMs === undefined ? {} : { timeoutMs };
  const isList = operation.columns.length > 0 && operation.query.some(({ flag }) => flag === 'cursor');
  if (isList && (given.all || given.max !== undefined))
    return showAll(io, { call, operation, given }, { path, query });
  const idempotencyKey = method === 'GET' ? {} : { idempotencyKey: randomUUID() };
  const data = await call({ method, path, query, body, ...timeout, ...idempotencyKey });
  if (isList) showRows(io, { rows: findRows(data), columns: operation.columns, isJson: given.json ?? false });
  else showData(io, data);
}

async function showAll(
  io: Io,
  { call, operation, given }: Omit<Run, 'pair'>,
  { path, query }: { path: string; query: URLSearchParams },
): Promise<void> {
  const max = given.max === undefined ? Number.POSITIVE_INFINITY : toWhole('max', given.max);
  const rows: Array<Record<string, unknown>> = [];
  const tell = createProgress(io, 'rows');
  while (rows.length < max) {
    query.set('take', String(Math.min(PAGE, max - rows.length)));
    const data = await call({ method: 'GET', path, query });
    rows.push(...findRows(data));
    tell(rows.length);
    if (typeof data.cursor !== 'string' || data.hasMore === false) break;
    query.set('cursor', data.cursor);
  }
  showRows(io, { rows, columns: operation.columns, isJson: given.json ?? false });
}

/** A list's answer has one array of objects. */
function findRows(data: Record<string, unknown>): Array<Record<string, unknown>> {
  const rows = Object.values(data).find((value) => Array.isArray(value));
  return (rows ?? []) as Array<Record<string, unknown>>;
}

function fillPath({ ids, path, noun, verb }: Operation, given: readonly string[]): string {
  if (given.length !== ids.length)
    throw new CommandError(
      EXIT.usage,
      `${noun} ${verb} takes ${ids.map((id) => `<${id}>`).join(' ') || 'no id'}.`,
    );
  // Another operation's path: of an empty one, of one that stands for a folder, and of the word that lists.
  const wrong = given.find((id) => /^(\.{0,2}|list)$/.test(id));
  if (wrong !== undefined) throw new CommandError(EXIT.usage, `"${wrong}" is no id.`);
  return ids.reduce(
    (filled, name, at) => filled.replace(`{${name}}`, encodeURIComponent(given[at] ?? '')),
    path,
  );
}

async function readBody(io: Io, { body: fields }: Operation, { data, flags }: Given): Promise<unknown> {
  const body = data === undefined ? {} : await readData(io, data);
  for (const field of fields) {
    const value = readFlag(field, flags[field.flag]);
    if (value !== undefined) put(body, field, value);
  }
  return body;
}

async function readData(io: Io, data: string): Promise<Record<string, unknown>> {
  const body = toObject('data', await readText(io, data));
  if (isObject(body)) return body;
  throw new CommandError(EXIT.usage, '--data is no JSON object: flags are laid over its fields.');
}

async function readText(io: Io, data: string): Promise<string> {
  if (data === '-') return io.readStdin();
  if (!data.startsWith('@')) return data;
  // Said of the folder that the command was given in.
  const text = await readFile(resolve(io.cwd, data.slice(1)), 'utf8').catch(() => null);
  if (text === null) throw new CommandError(EXIT.usage, `${data.slice(1)} cannot be read.`);
  return text;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function put(body: Record<string, unknown>, { path, flag }: Field, value: unknown): void {
  const [last = '', ...outer] = path.toReversed();
  let inner = body;
  for (const name of outer.toReversed()) {
    const next = inner[name] ?? {};
    if (!isObject(next))
      throw new CommandError(EXIT.usage, `--${flag} is laid over ${name}, which --data says is no object.`);
    inner[name] = next;
    inner = next;
  }
  inner[last] = value;
}

function readFlag(field: Field, given: string | true | undefined): unknown {
  if (given === undefined) return undefined;
  const { flag, kind } = field;
  if (kind === 'boolean') return given === true || toBoolean(flag, given);
  if (given === true) throw new CommandError(EXIT.usage, `--${flag} needs a value.`);
  if (kind === 'number') return toNumber(flag, given);
  if (kind === 'json') return toObject(flag, given);
  if (kind === 'text') return given;
  const parts = given.split(',');
  return field.itemKind === 'number' ? parts.map((part) => toNumber(flag, part)) : parts;
}

function toBoolean(flag: string, text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new CommandError(EXIT.usage, `--${flag} is true or false, not ${text}.`);
}

/** Times may also be written as dates. */
function toNumber(flag: string, text: string): number {
  const isDate = /^\d{4}-\d{2}-\d{2}/.test(text);
  const value = isDate ? toDateMs(text) : Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new CommandError(EXIT.usage, `--${flag} is a number, not ${text}.`);
}

function toWhole(flag: string, text: string): number {
  const value = toNumber(flag, text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new CommandError(EXIT.usage, `--${flag} is a whole number above 0, not ${text}.`);
}

function toObject(flag: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(EXIT.usage, `--${flag} is not JSON.`);
  }
}
