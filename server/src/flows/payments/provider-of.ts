/** The processor that a charge, a refund or a kept method belongs to: by its connection, whatever that is called now. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { toHalted } from '../../providers/payment/halted-provider.ts';
import { toHonest } from '../../providers/payment/honest-provider.ts';
import type { PaymentProvider } from '../../providers/payment/payment-provider.ts';
import { findProcessor } from '../../resources/processors/processors.queries.ts';
import { openCredentials } from './seal-credentials.ts';

export interface OfConnection {
  /** The kind. */
  processor: string;
  connectionId: string | null;
}

type Asking = Pick<Context, 'db' | 'payments' | 'sealing' | 'books'>;

/**
 * Null where nobody can be asked: it was marked by hand, or the kind is none of ours. `read`: connections that were read just
 * now, by their ids.
 */
export async function providerOf(
  ctx: Asking,
  scope: Scope,
  { processor, connectionId }: OfConnection,
  read?: ReadonlyMap<string, Row<'processors'>>,
): Promise<PaymentProvider | null> {
  if (processor === ctx.payments.sandbox.name) return ctx.payments.openSandbox();
  if (connectionId === null) return null;
  const row = read?.get(connectionId) ?? (await findProcessor(ctx.db, scope, connectionId));
  return row ? openProvider(ctx, scope, row) : null;
}

/** Nothing is sent over it, and nothing is booked: what is due waits. */
export function isHalted({ status, health }: Pick<Row<'processors'>, 'status' | 'health'>): boolean {
  return status === 'paused' || health === 'broken';
}

/** It takes no new charge; of one that is retired what it has charged is still looked after. */
export function isResting(row: Pick<Row<'processors'>, 'status' | 'health'>): boolean {
  return isHalted(row) || row.status === 'retired';
}

/** By which something new is charged there, by a method that is kept; null where nothing may be now. */
export async function findCharging(
  ctx: Asking,
  scope: Scope,
  { processor, connectionId }: OfConnection,
): Promise<PaymentProvider | null> {
  if (processor === ctx.payments.sandbox.name) return ctx.payments.openSandbox();
  const row = connectionId === null ? undefined : await findProcessor(ctx.db, scope, connectionId);
  return row && !isResting(row) ? openProvider(ctx, scope, row) : null;
}

/** The same for whoever asks for a charge. Throws processor_not_configured, before anything is booked. */
export async function getCharging(ctx: Asking, scope: Scope, of: OfConnection): Promise<PaymentProvider> {
  const provider = await findCharging(ctx, scope, of);
  if (provider) return provider;
  throw new Refusal('processor_not_configured', {
    message: 'The processor of this payment method takes no charges now.',
  });
}

export function openProvider(
  ctx: Pick<Context, 'payments' | 'sealing' | 'books'>,
  scope: Scope,
  row: Row<'processors'>,
): PaymentProvider | null {
  const { id, kind, details } = row;
  const credentials = openCredentials(ctx, scope, row);
  const provider = ctx.payments.openConnection({ id, scope, kind, details, credentials });
  if (!provider) return null;
  if (isHalted(row)) return toHalted(provider, { isLockedOut: row.health === 'broken' });
  // What a restored store has lost may be what is to be charged.
  return toHonest(provider, async () => row.adoptFrom === null && ctx.books.read(scope, id));
}
