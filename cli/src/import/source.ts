/** What a converter reads: lists of objects and tables, whichever files hold them. */
import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CommandError, EXIT } from '../io.ts';
import { CsvError, findSeparator, readCsv, type Separator } from './csv.ts';
import { toUnfinished } from './fetch/unfinished.ts';
import { readLines, readText } from './text.ts';
import { type Item, isItem } from './values.ts';

export type TableRow = Record<string, string>;

export interface Source {
  list(name: string): AsyncGenerator<Item>;
  /** Rows of each CSV file that has these columns. */
  table(columns: readonly string[]): AsyncGenerator<TableRow>;
}

/** How an object of each list is known where the file is not called by the list. */
export type Kinds = Readonly<Record<string, (item: Item) => boolean>>;

/** Told apart by what the others have not: an answer of Stripe names its kind, Paddle's ids begin with theirs. */
const LISTERS: Readonly<Record<string, (item: Item) => boolean>> = {
  stripe: ({ object }) => typeof object === 'string',
  paddle: ({ id, object }) =>
    object === undefined && typeof id === 'string' && /^(ctm|add|biz|pro|pri|dsc|txn)_/.test(id),
  lemonsqueezy: ({ type, attributes }) => typeof type === 'string' && isItem(attributes),
};

interface Lister {
  source: string;
  kinds: Kinds;
}

const JSON_LINES = /^\.(jsonl|ndjson)$/;

/** Throws usage for what is not there, for a folder without such files, and for what another service lists. */
export async function openSource(path: string, { source, kinds }: Lister): Promise<Source> {
  const found = await stat(path).catch(() => null);
  if (!found) throw new CommandError(EXIT.usage, `${path} is not there.`);
  await refuseUnfinished(path);
  const names = found.isDirectory() ? (await readdir(path)).sort().map((name) => join(path, name)) : [path];
  const files = names.filter((name) => /\.(jsonl|ndjson|json|csv)$/i.test(name));
  if (files.length === 0) throw new CommandError(EXIT.usage, `${path} holds neither JSON nor CSV.`);
  const objects = files.filter((file) => !isCsv(file));
  return {
    list: (name) => readList(objects, { source, kinds }, name),
    table: (columns) => readTables(files.filter(isCsv), columns),
  };
}

/** What lacks lists would be taken for a shop without them. */
async function refuseUnfinished(folder: string): Promise<void> {
  const file = toUnfinished(folder);
  if (!(await stat(file).catch(() => null))) return;
  const way = 'the same import fetch goes on where it stopped';
  throw new CommandError(
    EXIT.usage,
    `${folder} holds a fetch that has not ended: ${way}. ${file} says how far it came.`,
  );
}

const isCsv = (file: string) => extname(file).toLowerCase() === '.csv';

const toStem = (file: string) => basename(file, extname(file)).toLowerCase().replaceAll('-', '_');

async function* readList(
  files: readonly string[],
  { source, kinds }: Lister,
  name: string,
): AsyncGenerator<Item> {
  for (const file of files) {
    const stem = toStem(file);
    const isCalled = stem in kinds;
    if (isCalled && stem !== name) continue;
    for await (const item of readObjects(file)) {
      if (!isCalled && !kinds[name]?.(item)) continue;
      refuseOthers(file, item, source);
      yield item;
    }
  }
}

/** Lists have the same names everywhere: read as this service's, most of another's would be missing without a word. */
function refuseOthers(file: string, item: Item, source: string): void {
  const other = Object.keys(LISTERS).find((name) => LISTERS[name]?.(item));
  if (other === undefined || other === source) return;
  const message = `${file} holds what ${other} lists, not ${source}: counterfoil import ${other}`;
  throw new CommandError(EXIT.usage, message, { code: 'other_source' });
}

async function* readObjects(file: string): AsyncGenerator<Item> {
  if (!JSON_LINES.test(extname(file).toLowerCase())) {
    const whole = parse(await text(readText(file)));
    if (whole !== undefined) return yield* toItems(whole);
  }
  let line = 0;
  for await (const written of readLines(file)) {
    line += 1;
    if (written.trim() === '') continue;
    const value = parse(written);
    if (value === undefined) throw new CommandError(EXIT.usage, `${file}, line ${line} is no JSON.`);
    yield* toItems(value);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An object, or those of a page as an API answers it. */
function toItems(value: unknown): Item[] {
  if (Array.isArray(value)) return value.filter(isItem);
  if (!isItem(value)) return [];
  if (value.id !== undefined) return [value];
  if (Array.isArray(value.data)) return value.data.filter(isItem);
  return [isItem(value.data) ? value.data : value];
}

async function* readTables(files: readonly string[], columns: readonly string[]): AsyncGenerator<TableRow> {
  for (const file of files) {
    let names: string[] | null = null;
    for await (const row of readRows(file)) {
      if (names === null) {
        names = row.map((name) => name.trim());
        if (!columns.every((column) => names?.includes(column))) break;
        continue;
      }
      yield Object.fromEntries(names.map((name, place) => [name, (row[place] ?? '').trim()]));
    }
  }
}

async function* readRows(file: string): AsyncGenerator<string[]> {
  try {
    yield* readCsv(readText(file), await peekSeparator(file));
  } catch (error) {
    if (error instanceof CsvError) throw new CommandError(EXIT.usage, `${file}: ${error.message}`);
    throw error;
  }
}

async function peekSeparator(file: string): Promise<Separator> {
  for await (const start of readText(file)) return findSeparator(start);
  return ',';
}
