/** Whom Stripe knows our users as: it keeps methods by a customer of its own. */
import type pg from 'pg';
import { assert } from '../../../domain/assert.ts';
import type { ProviderScope } from '../payment-provider.ts';
import { askByKeys } from './ask-again.ts';
import type { StripeClient } from './client.ts';
import { StripeFailure } from './failure.ts';

export interface CustomerStore {
  find(of: OfCustomer): Promise<string | null>;
  /** Answers who is kept: of two who come at once the first. */
  keep(of: OfCustomer, customerId: string): Promise<string>;
  /** The same for one who takes the place of another. */
  replace(of: OfCustomer, gone: string, customerId: string): Promise<string>;
}

export interface OfCustomer {
  scope: ProviderScope;
  connectionId: string;
  userId: string;
}

const FIND = `select customer_id from processor_customers
  where workspace_id = $1 and test_mode = $2 and connection_id = $3 and user_id = $4`;
const KEEP = `insert into processor_customers (workspace_id, test_mode, connection_id, user_id, customer_id)
  values ($1, $2, $3, $4, $5) on conflict do nothing`;
const REPLACE = `update processor_customers set customer_id = $5
  where workspace_id = $1 and test_mode = $2 and connection_id = $3 and user_id = $4 and customer_id = $6`;

export function createCustomerStore(pool: pg.Pool): CustomerStore {
  const toKey = ({ scope, connectionId, userId }: OfCustomer) => [
    ...[scope.workspaceId, scope.testMode, connectionId, userId],
  ];
  const find = async (of: OfCustomer): Promise<string | null> => {
    const { rows } = await pool.query<{ customer_id: string }>({
      name: 'find_processor_customer',
      text: FIND,
      values: toKey(of),
    });
    return rows[0]?.customer_id ?? null;
  };
  const get = async (of: OfCustomer): Promise<string> => {
    const kept = await find(of);
    assert(kept, 'a customer that was kept is there');
    return kept;
  };
  return {
    find,
    keep: async (of, customerId) => {
      const values = [...toKey(of), customerId];
      await pool.query({ name: 'keep_processor_customer', text: KEEP, values });
      return get(of);
    },
    replace: async (of, gone, customerId) => {
      const values = [...toKey(of), customerId, gone];
      await pool.query({ name: 'replace_processor_customer', text: REPLACE, values });
      return get(of);
    },
  };
}

interface WantedCustomer {
  of: OfCustomer;
  metadata: Readonly<Record<string, string>>;
}

/** Made with the first method that is kept. One whose answer was lost, or that was not noted, holds nothing. */
export async function findOrMakeCustomer(
  client: StripeClient,
  store: CustomerStore,
  wanted: WantedCustomer,
): Promise<string> {
  const known = await store.find(wanted.of);
  return known ?? store.keep(wanted.of, await make(client, wanted, toKeyOf(wanted)));
}

/** Whom the merchant has deleted in Stripe's dashboard is gone with all that was kept there, and is made anew. */
export async function replaceCustomer(
  client: StripeClient,
  store: CustomerStore,
  { gone, ...wanted }: WantedCustomer & { gone: string },
): Promise<string> {
  // Under the key of before Stripe would answer the one that is gone.
  const made = await make(client, wanted, `${toKeyOf(wanted)}:${gone}`);
  return store.replace(wanted.of, gone, made);
}

/** A call named a customer who is not there any more. */
export function isCustomerGone(error: unknown): boolean {
  if (!(error instanceof StripeFailure)) return false;
  const { code, param } = error.facts;
  return code === 'resource_missing' && param === 'customer';
}

const toKeyOf = ({ of: { connectionId, userId } }: WantedCustomer) => `${connectionId}:customer:${userId}`;

async function make(client: StripeClient, { of, metadata }: WantedCustomer, key: string): Promise<string> {
  const { cf_install = '', cf_store = '' } = metadata;
  const made = await askByKeys(client, {
    key,
    call: (sdk, options) =>
      sdk.customers.create({ metadata: { cf_install, cf_store, cf_user: of.userId } }, options),
    look: 'moves nothing',
  });
  return made.id;
}
