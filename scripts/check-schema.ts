/**
 * Fails on a table whose keys do not lead with `workspace_id` (a row could point into another workspace), on
 * a column that could hold a fraction of money, and on a schema that the dump in the repository does not show.
 */
import { existsSync, readFileSync } from 'node:fs';
import { withMigratedStore } from './migrated-store.ts';
import {
  type Catalogue,
  type Constraint,
  type Index,
  readCatalogue,
  toSchemaText,
} from './schema-catalogue.ts';
import { ROOT } from './source-files.ts';

export const SCHEMA_FILE = 'server/src/db/schema.sql';

/** Keys and indexes, by name, that are shared by all workspaces on purpose. */
const SHARED: Readonly<Record<string, string>> = {
  workspaces_pkey: 'the list of workspaces itself',
  installation_secrets_pkey: 'secrets of the installation, not of a workspace',
  api_keys_public_key: 'asked before a workspace is known: whose key is this?',
  upkeep_pkey: 'what is done for the store as a whole',
  checkout_sessions_without_order: 'the oldest of all workspaces are deleted together',
  due_work_next: 'one queue for all workspaces, claimed by due time',
  due_work_lanes: 'the queue once more, by what shares its slots',
  due_work_queue: 'rows of one lane that go one after the other, found within it',
  workspaces_portal_slug: 'a portal is found by its address alone',
  idempotency_keys_by_age: 'the oldest of all workspaces are deleted together',
  offers_by_link: 'a checkout link names an offer alone',
  checkout_elements_by_link: 'a checkout link names an element alone',
  checkout_sessions_by_link: 'a buyer’s page names its session alone',
  charges_by_link: 'unique by itself; the page of the buyer’s bank no longer asks by it',
  sandbox_charges_by_link: 'the page of the sandbox’s bank holds a token alone',
  invoices_by_link: 'an invoice’s link names a document alone',
  payments_pay_token: 'a payment link holds a token alone',
  files_by_link: 'a picture’s address and a signed link name a file alone',
  limit_counters_pkey: 'what strangers did, told apart by a hash that holds the store',
  limit_counters_by_end: 'the counters of all stores whose time is over are deleted together',
  order_items_custom_fields: 'an inverted index takes no uuid; it is combined with one that leads so',
};

const FRACTIONAL = /^(real|double precision|money)/;

export async function checkSchema(): Promise<string[]> {
  const catalogue = await withMigratedStore(readCatalogue);
  return [...findSharedKeys(catalogue), ...findFractions(catalogue), ...findDrift(toSchemaText(catalogue))];
}

/** The dump of the schema, for `npm run docs`. */
export async function dumpSchema(): Promise<string> {
  return withMigratedStore(async (pool) => toSchemaText(await readCatalogue(pool)));
}

export function findSharedKeys({
  constraints,
  indexes,
}: Pick<Catalogue, 'constraints' | 'indexes'>): string[] {
  const keys: Array<Constraint | Index> = [...constraints.filter(({ kind }) => kind !== 'c'), ...indexes];
  const names = new Set(keys.map((key) => key.name));
  return [
    ...keys
      .filter((key) => key.leads !== 'workspace_id' && !(key.name in SHARED))
      .map(({ table, name }) => `${table}: ${name} does not lead with workspace_id`),
    ...Object.keys(SHARED)
      .filter((name) => !names.has(name))
      .map((name) => `scripts/check-schema.ts: there is no key or index ${name}`),
  ];
}

export function findFractions({ columns }: Pick<Catalogue, 'columns'>): string[] {
  return columns
    .filter(({ type }) => FRACTIONAL.test(type))
    .map(({ table, name, type }) => `${table}.${name} is ${type}: amounts and counts are whole numbers`);
}

function findDrift(text: string): string[] {
  const file = `${ROOT}/${SCHEMA_FILE}`;
  const isSame = existsSync(file) && readFileSync(file, 'utf8') === text;
  return isSame ? [] : [`${SCHEMA_FILE} does not show the schema: run npm run docs`];
}
