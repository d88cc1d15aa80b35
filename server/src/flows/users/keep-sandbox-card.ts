import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { toSandboxConnectionId } from '../../providers/payment/sandbox/sandbox-connection.ts';
import {
  insertPaymentMethod,
  type NewPaymentMethod,
} from '../../resources/payment-methods/payment-methods.queries.ts';

/** Keeps a card of the sandbox by the sandbox's reference, and answers its id. Such a card never expires. */
export async function keepSandboxCard(
  ctx: Context,
  scope: Scope,
  { tx, userId, reference, as }: { tx: Tx; userId: string; reference: string; as: NewPaymentMethod['as'] },
): Promise<string> {
  const { sandbox } = ctx.payments;
  return insertPaymentMethod(tx, scope, {
    id: ctx.ids.next(ctx.nowMs),
    userId,
    processor: sandbox.name,
    connectionId: toSandboxConnectionId(scope.workspaceId),
    reference,
    details: sandbox.describeReference(reference),
    expiry: null,
    createdAt: ctx.nowMs,
    as,
  });
}
