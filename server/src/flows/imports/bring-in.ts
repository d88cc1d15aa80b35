/** Writes a batch of lines as it was decided, in one transaction: a killed commit goes on with the next one. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { assertNever } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import type { ImportLine, LineKind } from '../../domain/imports/lines.ts';
import { markDone, type NewRef, upsertRefs } from '../../resources/imports/import-rows.queries.ts';
import type { ImportRow } from '../../resources/imports/imports.queries.ts';
import { bringInDiscount, bringInOffer, bringInProduct, bringInVariant } from './bring-in-catalogue.ts';
import { bringInCustomer, bringInMethod } from './bring-in-customer.ts';
import { bringInKey, bringInPurchase, settleKeys } from './bring-in-purchase.ts';
import { bringInSubscription } from './bring-in-subscription.ts';
import type { BringingIn, BroughtIn } from './bringing.ts';
import type { Looked, LookedBatch } from './look-at-lines.ts';

/** No line of these kinds writes what another of its kind reads: what they write leaves together, not a round trip each. */
const APART: ReadonlySet<string> = new Set<LineKind>(['customer', 'purchase', 'key', 'subscription']);

type OpenLine = Looked & { line: ImportLine };

/** What a plan could not see: a verb of ours that refused a line, which is told of the line and stops no other. */
export class LineRefused extends Error {
  override readonly name = 'LineRefused';

  readonly looked: Looked;
  readonly refusal: Refusal;

  constructor(looked: Looked, refusal: Refusal) {
    super(refusal.message, { cause: refusal });
    this.looked = looked;
    this.refusal = refusal;
  }
}

/** Whether there is something to write of it. */
function isOpen(looked: Looked): looked is OpenLine {
  const { line, decision, brought } = looked;
  if (line === null || decision.outcome === 'refused') return false;
  return brought === null || (decision.outcome !== 'same' && decision.outcome !== 'conflict');
}

async function inTurn<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (const one of all) done.push(await work(one));
  return done;
}

export async function bringInBatch(
  ctx: Context,
  scope: Scope,
  { tx, imported, batch }: { tx: Tx; imported: ImportRow; batch: LookedBatch },
): Promise<void> {
  const open = batch.looked.flatMap((looked) => (isOpen(looked) ? [looked] : []));
  const toRef = async (looked: OpenLine): Promise<NewRef[]> => {
    const { line, bodyHash } = looked;
    const made = await bringIn(ctx, scope, { tx, imported, line, looked, batch }).catch((error: unknown) => {
      throw error instanceof Refusal ? new LineRefused(looked, error) : error;
    });
    return made ? [{ kind: line.kind, ref: line.ref, bodyHash, ...made, ...toNext(line) }] : [];
  };
  // A batch is of one kind.
  const areApart = APART.has(open[0]?.line.kind ?? '');
  const refs = areApart ? await Promise.all(open.map(toRef)) : await inTurn(open, toRef);
  await upsertRefs(tx, scope, { source: imported.source, importId: imported.id, refs: refs.flat() });
  if (batch.looked[0]?.line?.kind === 'key') await settleKeys(tx, scope, batch);
  await markDone(
    tx,
    scope,
    imported.id,
    batch.looked.map(({ row }) => row.line),
  );
}

/** What a rehearsal is compared with. */
function toNext(line: ImportLine): Pick<NewRef, 'nextAt' | 'nextTotal'> {
  if (line.kind !== 'subscription') return { nextAt: null, nextTotal: null };
  const { paidUntil: nextAt, nextTotal } = line;
  return { nextAt, nextTotal: nextTotal == null ? null : BigInt(nextTotal) };
}

async function bringIn(ctx: Context, scope: Scope, bringing: BringingIn): Promise<BroughtIn> {
  const { line } = bringing;
  switch (line.kind) {
    case 'product':
      return bringInProduct(ctx, scope, { ...bringing, line });
    case 'variant':
      return bringInVariant(ctx, scope, { ...bringing, line });
    case 'offer':
      return bringInOffer(ctx, scope, { ...bringing, line });
    case 'discount':
      return bringInDiscount(ctx, scope, { ...bringing, line });
    case 'customer':
      return bringInCustomer(ctx, scope, { ...bringing, line });
    case 'payment_method':
      return bringInMethod(ctx, scope, { ...bringing, line });
    case 'purchase':
      return bringInPurchase(ctx, scope, { ...bringing, line });
    case 'key':
      return bringInKey(ctx, scope, { ...bringing, line });
    case 'subscription':
      return bringInSubscription(ctx, scope, { ...bringing, line });
    default:
      return assertNever(line);
  }
}
