/**
 * Where STATEMENTS_DIR names a folder, each statement that the service sends is noted there once a process, with the file
 * that asks it: `npm run check:statements` holds them to the law of statements. Without it nothing is done.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DefaultQueryCompiler } from 'kysely';
import pg from 'pg';
import { StorePool } from '../../src/db/store-pool.ts';
import { WatchedClient } from '../../src/db/watched-client.ts';

const SERVER = fileURLToPath(new URL('../../', import.meta.url));
const FRAMES_MAX = 200;

type Ask = (...given: unknown[]) => unknown;
type Asker = { prototype: { query: unknown } };

const folder = process.env.STATEMENTS_DIR;
// Files share the modules of those before them, which are made to note once.
if (folder && !Object.hasOwn(WatchedClient.prototype, 'query')) noteInto(folder);

function noteInto(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${process.pid}.jsonl`);
  const origins = new Map<string, string[]>();
  const noted = new Set<string>();
  const noteOrigin = (text: string, below: Ask) => {
    if (!origins.has(text)) origins.set(text, listFiles(below));
  };
  // Where a statement is built or handed over it is known who asks; where it is sent that may be long ago.
  const { compileQuery } = DefaultQueryCompiler.prototype;
  DefaultQueryCompiler.prototype.compileQuery = function compileAndNote(...given) {
    const compiled = compileQuery.apply(this, given);
    noteOrigin(compiled.sql, compileAndNote as Ask);
    return compiled;
  };
  noteAtQuery(StorePool, pg.Pool, noteOrigin);
  // The tests' own sessions are plain clients.
  noteAtQuery(WatchedClient, pg.Client, (text, below) => {
    if (noted.has(text)) return;
    noted.add(text);
    noteOrigin(text, below);
    appendFileSync(file, `${JSON.stringify({ text, files: origins.get(text) })}\n`);
  });
}

/** Both find `query` by their prototype when they are made. */
function noteAtQuery(ours: Asker, base: Asker, note: (text: string, below: Ask) => void): void {
  const askAndNote: Ask = function askAndNote(this: unknown, ...given) {
    const text = textOf(given[0]);
    if (text !== null) note(text, askAndNote);
    // One of pg's many forms, which are all handed on as they come; looked up each time, since tests count there, too.
    return (base.prototype.query as Ask).apply(this, given);
  };
  Object.defineProperty(ours.prototype, 'query', { value: askAndNote, configurable: true, writable: true });
}

function textOf(asked: unknown): string | null {
  if (typeof asked === 'string') return asked;
  return typeof asked === 'object' && asked !== null && 'text' in asked && typeof asked.text === 'string'
    ? asked.text
    : null;
}

/** Our files that are on the way to the statement, the nearest first, each once. */
function listFiles(below: Ask): string[] {
  const held: { stack?: string } = {};
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = FRAMES_MAX;
  Error.captureStackTrace(held, below);
  Error.stackTraceLimit = limit;
  const found = new Set<string>();
  for (const line of (held.stack ?? '').split('\n')) {
    const at = line.indexOf(SERVER);
    const file = at < 0 ? undefined : /^[^:?)]*/.exec(line.slice(at + SERVER.length))?.[0];
    if (file && /^(src|test)\//.test(file)) found.add(file);
  }
  return [...found];
}
