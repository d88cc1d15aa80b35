/** A method of a customer whom a processor has known before this store did. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import type { KeptMethod } from '../../providers/payment/payment-provider.ts';
import { insertPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';

export interface BroughtMethod extends KeptMethod {
  /** The kind of the connection. */
  processor: string;
  connectionId: string;
}

/** It becomes the one that is charged when no other is named. Answers its id. */
export async function keepBroughtMethod(
  { ids, nowMs: createdAt }: Step,
  scope: Scope,
  { tx, userId, brought }: { tx: Tx; userId: string; brought: BroughtMethod },
): Promise<string> {
  const as = 'chosen' as const;
  return insertPaymentMethod(tx, scope, { id: ids.next(createdAt), userId, ...brought, createdAt, as });
}
