/**
 * Fails on a table of which nobody has said whether an export and a backup hold it, and on a column that looks like a secret and of
 * which nobody has said whether it is one.
 */
import { readFileSync } from 'node:fs';
import {
  BACKED_UP,
  GIVEN_LINKS,
  LEFT_OUT,
  NOT_BACKED_UP,
  SECRET_COLUMNS,
  SHARED,
} from '../server/src/domain/exports/left-out.ts';
import { ROOT } from './source-files.ts';

const LIST = 'server/src/domain/exports/left-out.ts';
const LOOKS_SECRET = /(^|_)(secret|token|credentials|hash)$/;
/** Of pictures, which are shown to everybody, of what an import holds, and whether a secret was sent. */
const NONE = /(^|_)((blur|body|plan)_hash|(requires|with)_secret)$/;

type Columns = Readonly<Record<string, readonly string[]>>;

export interface ExportLists {
  secrets: Columns;
  links: Columns;
  leftOut: Readonly<Record<string, string>>;
  shared: Readonly<Record<string, string>>;
  backedUp: readonly string[];
  notBackedUp: Readonly<Record<string, string>>;
}

const LISTS: ExportLists = {
  secrets: SECRET_COLUMNS,
  links: GIVEN_LINKS,
  leftOut: LEFT_OUT,
  shared: SHARED,
  backedUp: BACKED_UP,
  notBackedUp: NOT_BACKED_UP,
};

export async function checkExport(): Promise<string[]> {
  return findUndecided(readFileSync(`${ROOT}/server/src/db/schema.sql`, 'utf8'), LISTS);
}

/** Compares the tables of a schema's text with what is said of exports. */
export function findUndecided(schema: string, lists: ExportLists): string[] {
  const { secrets, links, leftOut, shared } = lists;
  const tables = readTables(schema);
  const ofWorkspaces = [...tables].filter(([, columns]) => columns.includes('workspace_id'));
  const said = Object.entries({ ...secrets, ...links }).flatMap(([table]) =>
    [...(secrets[table] ?? []), ...(links[table] ?? [])].map((column) => ({ table, column })),
  );
  return [
    ...findNotBackedUp(
      [...tables].filter(([, columns]) => !columns.includes('workspace_id')).map(([name]) => name),
      lists,
    ),
    ...[...tables.keys()]
      .filter((name) => !tables.get(name)?.includes('workspace_id') && !(name in shared))
      .map((name) => `${LIST} does not say why no export holds ${name}`),
    ...Object.keys(shared)
      .filter((name) => tables.get(name)?.includes('workspace_id') ?? true)
      .map((name) => `${LIST} names ${name}, which is no table of no workspace`),
    ...Object.keys(leftOut)
      .filter((name) => !tables.get(name)?.includes('workspace_id'))
      .map((name) => `${LIST} leaves out ${name}, which is no table of a workspace`),
    ...said
      .filter(({ table, column }) => !tables.get(table)?.includes(column))
      .map(({ table, column }) => `${LIST} names ${table}.${column}, which there is not`),
    ...ofWorkspaces
      .filter(([name]) => !(name in leftOut))
      .flatMap(([name, columns]) =>
        columns
          .filter((column) => LOOKS_SECRET.test(column) && !NONE.test(column))
          .filter((column) => !secrets[name]?.includes(column) && !links[name]?.includes(column))
          .map((column) => `${LIST} does not say whether ${name}.${column} is a secret`),
      ),
  ];
}

/** A table with a workspace is in a backup as it is in an export; every other one is named. */
function findNotBackedUp(tables: readonly string[], { backedUp, notBackedUp }: ExportLists): string[] {
  const said = [...backedUp, ...Object.keys(notBackedUp)];
  return [
    ...tables
      .filter((name) => said.filter((one) => one === name).length !== 1)
      .map((name) => `${LIST} does not say once whether a backup holds ${name}`),
    ...said
      .filter((name) => !tables.includes(name))
      .map((name) => `${LIST} names ${name} for backups, which is no table of no workspace`),
  ];
}

function readTables(schema: string): Map<string, string[]> {
  const tables = new Map<string, string[]>();
  for (const [, name = '', body = ''] of schema.matchAll(
    /^create (?:unlogged )?table ([a-z_]+) \(\n(.*?)^\);/gms,
  ))
    tables.set(
      name,
      [...body.matchAll(/^ {2}"?([a-z_]+)"? /gm)].map(([, column = '']) => column),
    );
  return tables;
}
