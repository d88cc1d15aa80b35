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
  installation_state_pkey: 'one row of the installation, not of a workspace',
  installation_settings_pkey: 'settings of the installation, not of a workspace',
  upkeep_pkey: 'what is done for the store as a whole',
  checkout_sessions_without_order: 'the oldest of all workspaces are deleted together',
  due_work_by_kind: 'one queue for all workspaces, claimed by kind and due time',
  due_work_lanes: 'the queue once more, by what shares its slots',
  due_work_queue: 'rows of one lane that go one after the other, found within it',
  workspaces_portal_slug: 'a portal is found by its address alone',
  idempotency_keys_by_age: 'the oldest of all workspaces are deleted together',
  account_idempotency_keys_pkey: 'what is asked for by accounts and strangers belongs to no workspace',
  account_idempotency_keys_by_age: 'the oldest are deleted together',
  offers_by_link: 'a checkout link names an offer alone',
  checkout_elements_by_link: 'a checkout link names an element alone',
  checkout_sessions_by_link: 'a buyer’s page names its session alone',
  invoices_old_link: 'a link of before names a document alone',
  payments_old_link: 'a link of before holds a token alone',
  files_by_link: 'a picture’s address and a signed link name a file alone',
  limit_counters_pkey: 'what strangers did, told apart by a hash that holds the store',
  limit_counters_by_end: 'the counters of all stores whose time is over are deleted together',
  payer_proofs_by_end: 'the oldest of all workspaces are deleted together',
  reminded_addresses_over: 'those of all stores that may be reminded again are deleted together',
  processor_events_to_sweep: 'those of all stores that are done are deleted together',
  processes_pkey: 'processes of the installation, not of a workspace',
  processors_to_tend: 'those of all stores whose turn it is are looked after together',
  processor_endpoints_over: 'those of all stores that are over are taken away together',
  processors_to_read: 'those of all stores whose turn it is are read together',
  processors_unwell: 'those of all stores that are not well are asked together',
  portal_sessions_by_end: 'those of all stores that are over are deleted together',
  portal_codes_by_end: 'those of all stores that are over are deleted together',
  portal_email_changes_by_end: 'those of all stores that are over are deleted together',
  portal_exports_by_end: 'those of all stores that are over are deleted together',
  portal_failures_by_age: 'those of all stores that are over are deleted together',
  portal_former_slugs_by_slug: 'a portal is found by its address alone',
  accounts_pkey: 'an account belongs to no workspace',
  accounts_email: 'asked before anything is known: who has this e-mail?',
  invitations_by_email: 'asked before anything is known: is this e-mail invited anywhere?',
  memberships_by_account: 'the workspaces of an account',
  device_requests_pkey: 'a machine is of no workspace until somebody has allowed it',
  device_requests_user_code_key: 'what a person types names nothing else',
  device_requests_by_end: 'those that are over are deleted together',
  device_requests_by_account: 'of an account, which belongs to no workspace',
  account_sessions_pkey: 'of an account, which belongs to no workspace',
  account_sessions_token: 'a browser shows a token alone',
  account_sessions_by_account: 'of an account',
  account_sessions_by_end: 'those that are over are deleted together',
  account_tokens_pkey: 'of an account, or of somebody who has none yet',
  account_tokens_token: 'a link shows a token alone',
  account_tokens_by_account: 'of an account',
  account_tokens_by_end: 'those that are over are deleted together',
  account_throttles_pkey: 'tries to sign in, told apart by a hash',
  account_throttles_by_end: 'those that are over are deleted together',
  account_mails_pkey: 'letters to accounts',
  account_mails_due: 'one queue for the installation',
  account_mails_by_recipient: 'how many an address was sent',
  account_mails_by_age: 'old ones are deleted together',
  account_audit_pkey: 'what accounts did to themselves',
  account_audit_by_account: 'of an account',
  account_audit_by_age: 'old failures are deleted together',
  account_totp_pkey: 'of an account',
  account_recovery_codes_pkey: 'of an account',
  account_passkeys_pkey: 'of an account',
  account_passkeys_credential: 'a browser shows a credential alone',
  account_passkeys_by_account: 'of an account',
  device_requests_account_id_fkey: 'of whoever allowed it; the workspace is chosen with that',
  account_totp_account_id_fkey: 'of an account',
  account_recovery_codes_account_id_fkey: 'of an account',
  account_passkeys_account_id_fkey: 'of an account',
  account_identities_account_id_fkey: 'of an account',
  accounts_confined_workspace_id_fkey: 'an account that acts in one workspace alone',
  memberships_account_id_fkey: 'who is the member',
  account_identities_pkey: 'an identity provider names its subject alone',
  account_identities_by_account: 'of an account',
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
