/** Whom Stripe knows our users as: it keeps methods by a customer of its own. */
import type pg from 'pg';
import { assert } from '../../../domain/assert.ts';
import type { ProviderScope } from '../payment-provider.ts';
import { askByKeys } from './ask-again.ts';
import type { StripeClient } from './client.ts';

export interface CustomerStore {
  find(of: OfCustomer): Promise<string | null>;
  /** Answers who is kept: of two who come at once the first. */
  keep(of: OfCustomer, customerId: string): Promise<string>;
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
  return {
    find,
    keep: async (of, customerId) => {
      const values = [...toKey(of), customerId];
      await pool.query({ name: 'keep_processor_customer', text: KEEP, values });
      const kept = await find(of);
      assert(kept, 'a customer that was kept is there');
      return kept;
    },
  };
}

/** Made with the first method that is kept. One whose answer was lost, or that was not noted, holds nothing. */
export async function findOrMakeCustomer(
  client: StripeClient,
  store: CustomerStore,
  { of, metadata }: { of: OfCustomer; metadata: Readonly<Record<string, string>> },
): Promise<string> {
  const known = await store.find(of);
  if (known !== null) return known;
  const { cf_install = '', cf_store = '' } = metadata;
  const made = await askByKeys(client, {
    key: `${of.connectionId}:customer:${of.userId}`,
    call: (sdk, options) =>
      sdk.customers.create({ metadata: { cf_install, cf_store, cf_user: of.userId } }, options),
    look: 'moves nothing',
  });
  return store.keep(of, made.id);
}
