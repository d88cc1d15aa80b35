/** Takes the lines of an import out of a stream, and keeps them as they come: memory does not grow with them. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Service } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { LINE_KINDS } from '../../domain/imports/lines.ts';
import { checkLine, findMetaIssue, type MetaLine } from '../../resources/imports/import-lines.schema.ts';
import { insertLines } from '../../resources/imports/import-rows.queries.ts';
import { deleteReceiving, insertImport } from '../../resources/imports/imports.queries.ts';

/** Of one line: far more than any needs. */
const LINE_BYTES_MAX = 64 * 1024;
const BATCH_LINES = 500;

/** What an upload amounts to: all of it decides whether two are the same request. */
export interface ReceivedImport {
  sha256: string;
  source: string;
  account: string | null;
  currency: string | null;
  lineCount: number;
}

type Row = Parameters<typeof insertLines>[3][number];

/** Throws body_too_large, and invalid_input for a file whose first line does not say what it is. */
export async function receiveLines(
  { db, config }: Pick<Service, 'db' | 'config'>,
  scope: Scope,
  { id, maker, stream, nowMs }: { id: string; maker: string; stream: Readable; nowMs: number },
): Promise<ReceivedImport> {
  const hash = createHash('sha256');
  const found: { meta: MetaLine | null; currency: string | null } = { meta: null, currency: null };
  let rows: Row[] = [];
  let count = 0;
  const flush = async () => {
    await insertLines(db, scope, id, rows);
    rows = [];
  };
  for await (const { line, bytes } of readLines(stream, { hash, bytesMax: config.uploadMaxBytes })) {
    count += 1;
    if (found.meta === null) {
      found.meta = toMeta(bytes);
      const { source, account = null } = found.meta;
      found.currency = found.meta.currency ?? null;
      await insertImport(db, scope, { id, source, account, maker, createdAt: nowMs });
      continue;
    }
    const row = toRow(line, bytes);
    found.currency ??= findCurrency(row);
    rows.push(row);
    if (rows.length >= BATCH_LINES) await flush();
  }
  if (found.meta === null) throw invalidField('body', 'must not be empty');
  await flush();
  const { source, account = null } = found.meta;
  return { sha256: hash.digest('hex'), source, account, currency: found.currency, lineCount: count };
}

export async function discardLines({ db }: Pick<Service, 'db'>, scope: Scope, id: string): Promise<void> {
  await deleteReceiving(db, scope, id);
}

interface ReadLine {
  /** From 1; empty lines count, and are left out. */
  line: number;
  /** Null = longer than a line may be. */
  bytes: Buffer | null;
}

async function* readLines(
  stream: Readable,
  { hash, bytesMax }: { hash: ReturnType<typeof createHash>; bytesMax: number },
): AsyncGenerator<ReadLine> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let total = 0;
  let line = 0;
  const take = (end: Buffer): ReadLine | null => {
    line += 1;
    const isLong = restBytes + end.length > LINE_BYTES_MAX;
    const bytes = isLong ? null : Buffer.concat([...rest, end]);
    [rest, restBytes] = [[], 0];
    return bytes !== null && bytes.toString('latin1').trim() === '' ? null : { line, bytes };
  };
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > bytesMax) throw new Refusal('body_too_large');
    hash.update(chunk);
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const one = take(chunk.subarray(from, at));
      from = at + 1;
      if (one) yield one;
    }
    restBytes += chunk.length - from;
    // Of a line that is too long nothing more is kept.
    if (restBytes <= LINE_BYTES_MAX) rest.push(Buffer.from(chunk.subarray(from)));
  }
  if (restBytes > 0) {
    const bytes = restBytes > LINE_BYTES_MAX ? null : Buffer.concat(rest);
    if (bytes === null || bytes.toString('latin1').trim() !== '') yield { line: line + 1, bytes };
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Undefined = it is no JSON. */
function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    return undefined;
  }
}

function toMeta(bytes: Buffer | null): MetaLine {
  const value = bytes === null ? undefined : parse(bytes);
  const issue = findMetaIssue(value);
  if (issue)
    throw invalidField(
      'body',
      `must begin with a line of kind "meta" and format "counterfoil-import", version 1: ${[issue.path, issue.message].filter(Boolean).join(' ')}`,
    );
  return value as MetaLine;
}

/** JSON can say half a character, which the store cannot keep. */
const HALF = /\\ud[89a-f][0-9a-f]{2}/i;

function toRow(line: number, bytes: Buffer | null): Row {
  const value = bytes === null ? undefined : parse(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return toRefused(
      { line, kind: '', ref: null },
      { path: null, message: 'is no JSON object of 64 KiB at most' },
    );
  const { kind, ref } = value as { kind?: unknown; ref?: unknown };
  const named = { line, kind: toShown(kind) ?? '', ref: toShown(ref) };
  const checked = checkLine(value);
  if (!checked.isFine) return toRefused(named, checked);
  const body = JSON.stringify(value);
  if (HALF.test(body)) return toRefused(named, { path: null, message: 'holds half a character' });
  return { ...named, body };
}

/** What a line calls itself, where that can be shown. */
function toShown(value: unknown): string | null {
  return typeof value === 'string' && /^\P{Cc}{1,255}$/u.test(value) && value.isWellFormed() ? value : null;
}

function toRefused(
  named: Pick<Row, 'line' | 'kind' | 'ref'>,
  { path, message }: { path: string | null; message: string },
): Row {
  const code = 'invalid_line';
  return { ...named, body: null, outcome: 'refused', decision: code, done: true, code, path, message };
}

/** The store has none yet: that of the first price is every price's. */
function findCurrency({ kind, body }: Row): string | null {
  if (
    body == null ||
    !LINE_KINDS.some((one) => one === kind) ||
    (kind !== 'offer' && kind !== 'subscription')
  )
    return null;
  return (JSON.parse(body ?? '') as { currency: string }).currency;
}
