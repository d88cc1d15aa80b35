/**
 * Users whom the merchant names by a processor's own name of them: who they are there is asked before anything is written,
 * outside of any transaction. Where no account of that kind is connected, the name is kept as it was given.
 */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { listProcessors } from '../../resources/processors/processors.queries.ts';
import type { BroughtMethod } from '../users/keep-brought-method.ts';
import { openProvider } from './provider-of.ts';

const FIELD = /^(\w+)CustomerId$/;

export interface NamedCustomers {
  /** The API's `paymentData`. */
  given: Readonly<Record<string, string | null>> | undefined;
  /** As it is kept of the user: what is sent back unchanged is not asked for. */
  known?: Readonly<Record<string, string | null>>;
}

/** Throws unknown_processor_customer, unknown_reference and processor_unreachable. */
export async function findCustomers(
  ctx: Context,
  scope: Scope,
  { given = {}, known = {} }: NamedCustomers,
): Promise<BroughtMethod[]> {
  const { connectionId, ...names } = given;
  const asked = Object.entries(names).flatMap(([field, customerId]) => {
    const kind = FIELD.exec(field)?.[1];
    const isNew = customerId !== null && customerId !== known[field];
    return kind !== undefined && kind !== ctx.payments.sandbox.name && isNew
      ? [{ field, kind, customerId }]
      : [];
  });
  if (asked.length === 0) return [];
  const rows = (await listProcessors(ctx.db, scope)).filter(({ status }) => status !== 'retired');
  if (connectionId != null && !rows.some(({ id }) => id === connectionId))
    throw new Refusal('unknown_reference', {
      details: [{ path: 'paymentData.connectionId', message: 'is no processor' }],
    });
  const brought: BroughtMethod[] = [];
  for (const { field, kind, customerId } of asked) {
    const ofKind = rows.filter((row) => row.kind === kind);
    const row = ofKind.find(({ id }) => id === connectionId) ?? ofKind[0];
    const provider = row && openProvider(ctx, scope, row);
    const found = await provider?.findCustomer?.(customerId);
    if (found?.kind === 'no_answer') throw new Refusal('processor_unreachable');
    if (found?.kind === 'unknown')
      throw new Refusal('unknown_processor_customer', {
        details: [{ path: `paymentData.${field}`, message: 'is no customer of this processor' }],
      });
    if (row && found?.method) brought.push({ ...found.method, processor: kind, connectionId: row.id });
  }
  return brought;
}
