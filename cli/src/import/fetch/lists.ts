/** Lists of another service's API, read page by page into files; nothing there is changed. */
import { mkdir, open, rename, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError, EXIT, type Io } from '../../io.ts';
import { createProgress } from '../../progress.ts';
import { readLines } from '../text.ts';
import type { Item } from '../values.ts';
import { endUnfinished, type Reached, readReached, writeReached } from './unfinished.ts';

export interface Api {
  /** Where the service answers. */
  host: string;
  headers(key: string): Record<string, string>;
  lists: readonly List[];
}

export interface Page {
  items: Item[];
  /** Null = this was the last. */
  next: string | null;
}

export interface List {
  name: string;
  /** The first page. */
  path: string;
  /** Asked for each object of a list that was read before. */
  of?: { list: string; path(item: Item): string | null };
  readPage(body: Item, path: string): Page;
}

/** At most five a second. */
const SPACING_MS = 200;
const TRIES_MAX = 6;
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_S = 120;
const TIMEOUT_MS = 60_000;
const OWNER_ONLY = 0o600;

export type Ask = (path: string) => Promise<Item>;

/** Goes on where one into this folder was stopped: lists that are whole are kept, the one that was begun from its last page on. */
export async function fetchLists(
  io: Io,
  { api, host, key, out }: { api: Api; host: string; key: string; out: string },
): Promise<Record<string, number>> {
  await mkdir(out, { recursive: true, mode: 0o700 });
  const reached = await readReached(out);
  if (reached === null) await refuseWhole(api, out);
  else if (reached.host !== host)
    throw new CommandError(EXIT.usage, `${out} was begun at ${reached.host}: take another folder.`);
  else io.err(`Goes on in ${out} with ${reached.list}.`);
  const ask = createAsk(io, { host, headers: api.headers(key) });
  const counts: Record<string, number> = {};
  /** What a later list is asked for, by list. */
  const paths = new Map<string, Set<string>>();
  for (const list of api.lists) {
    const first = list.of ? [...(paths.get(list.name) ?? [])] : [list.path];
    const dependent = api.lists.filter(({ of }) => of?.list === list.name);
    const tell = createProgress(io, list.name);
    let count = 0;
    const take = (item: Item) => {
      count += 1;
      tell(count);
      for (const { name, of } of dependent) addPath(paths, name, of?.path(item) ?? null);
    };
    await readWhole({ ask, host, list, first, out, take, reached });
    counts[list.name] = count;
  }
  await endUnfinished(out);
  return counts;
}

async function refuseWhole(api: Api, out: string): Promise<void> {
  for (const { name } of api.lists)
    if (await isThere(toFile(out, name)))
      throw new CommandError(EXIT.usage, `${toFile(out, name)} is there already.`);
}

const toFile = (out: string, name: string) => join(out, `${name}.jsonl`);

const isThere = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );

function addPath(paths: Map<string, Set<string>>, name: string, path: string | null): void {
  if (path === null) return;
  const found = paths.get(name) ?? new Set();
  paths.set(name, found.add(path));
}

interface Reading {
  ask: Ask;
  host: string;
  list: List;
  /** Its first pages. */
  first: readonly string[];
  out: string;
  take(item: Item): void;
  /** How far one before this came; null = there was none. */
  reached: Reached | null;
}

/** A file of a list's name is a whole list. */
async function readWhole({ ask, host, list, first, out, take, reached }: Reading): Promise<void> {
  const file = toFile(out, list.name);
  // Nothing was there when this began: it is of the one that was stopped.
  if (await isThere(file)) return takeKept(file, take);
  const beside = `${file}.partial`;
  const before = reached?.list === list.name && (await isThere(beside)) ? reached : null;
  if (before) {
    await truncate(beside, before.bytes);
    await takeKept(beside, take);
  }
  const written = await open(beside, before ? 'a' : 'w', OWNER_ONLY);
  try {
    let bytes = before?.bytes ?? 0;
    for await (const { items, start, next } of readPages(ask, list, { first, before })) {
      const text = Buffer.from(items.map((item) => `${JSON.stringify(item)}\n`).join(''));
      await written.writeFile(text);
      await written.sync();
      bytes += text.length;
      for (const item of items) take(item);
      await writeReached(out, { host, list: list.name, bytes, start, next });
    }
  } finally {
    await written.close();
  }
  await rename(beside, file);
}

async function takeKept(file: string, take: (item: Item) => void): Promise<void> {
  for await (const line of readLines(file)) if (line !== '') take(JSON.parse(line) as Item);
}

interface Begun {
  first: readonly string[];
  before: Reached | null;
}

async function* readPages(
  ask: Ask,
  list: List,
  { first, before }: Begun,
): AsyncGenerator<Page & { start: number }> {
  const seen = new Set(first);
  for (const [start, path] of first.entries()) {
    if (before && start < before.start) continue;
    let next: string | null = before && start === before.start ? before.next : path;
    while (next !== null) {
      const asked = next;
      const page: Page = list.readPage(await ask(asked), asked);
      // Read again and again it would have no end.
      if (page.next !== null && seen.has(page.next)) throw toOddPage(asked);
      yield { ...page, start };
      next = page.next;
      if (next !== null) seen.add(next);
    }
  }
}

function createAsk(io: Io, { host, headers }: { host: string; headers: Record<string, string> }): Ask {
  let nextMs = 0;
  const wait = async (ms: number) => {
    if (ms > 0) await io.sleep(ms, io.signal);
    if (io.signal.aborted) throw new CommandError(EXIT.interrupted, 'Interrupted.', { code: 'interrupted' });
  };
  return async (path) => {
    for (let tries = 1; ; tries += 1) {
      await wait(nextMs - io.nowMs());
      nextMs = Math.max(io.nowMs(), nextMs) + SPACING_MS;
      const response = await get(io, `${host}${path}`, headers);
      const isRead = response?.ok ?? false;
      const body = response?.ok ? await readBody(response) : null;
      if (body !== null) return body;
      // One that was cut, or is a proxy's page, may come whole the next time.
      const isPassing = isRead || response === null || response.status === 429 || response.status >= 500;
      if (!isPassing || tries >= TRIES_MAX) throw toError(host, path, response);
      const saidS = Number(response?.headers.get('retry-after'));
      const pauseMs = saidS > 0 ? Math.min(saidS, LONGEST_PAUSE_S) * 1000 : PAUSE_MS * 2 ** (tries - 1);
      await wait(pauseMs);
    }
  };
}

async function get(io: Io, url: string, headers: Record<string, string>): Promise<Response | null> {
  try {
    const signal = AbortSignal.any([io.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    // The key goes nowhere else.
    return await io.fetch(url, { method: 'GET', headers, redirect: 'manual', signal });
  } catch {
    return null;
  }
}

/** Null for what is no JSON, or breaks off. */
const readBody = (response: Response): Promise<Item | null> =>
  response.json().then(
    (body) => body as Item,
    () => null,
  );

/** What answers so is not the service that was meant, or not its list. */
export function toOddPage(path: string): CommandError {
  const message = `${path} was answered with what is no page of a list.`;
  return new CommandError(EXIT.refused, message, { code: 'fetch_refused' });
}

function toError(host: string, path: string, response: Response | null): CommandError {
  if (response === null)
    return new CommandError(EXIT.unreachable, `${host} does not answer.`, { code: 'unreachable' });
  const { ok, status } = response;
  if (ok) return toOddPage(path);
  const [place] = path.split('?');
  if (status >= 300 && status < 400) {
    const message = `${place} was answered with ${status}, which leads elsewhere and is not followed.`;
    return new CommandError(EXIT.refused, message, { code: 'fetch_refused' });
  }
  if (status === 401 || status === 403)
    return new CommandError(EXIT.keys, `The key may not read ${place} (${status}).`, { code: 'key_refused' });
  return new CommandError(
    status >= 500 ? EXIT.unreachable : EXIT.refused,
    `${place} was answered with ${status}.`,
    {
      code: 'fetch_refused',
    },
  );
}
