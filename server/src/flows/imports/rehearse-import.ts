/** An import is tried in a test store: brought in, activated, and charged by a clock that is moved on. */
import type { Context } from '../../context.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { boundaryMs, type Interval } from '../../domain/subscriptions/period.ts';
import { listFirstCharges } from '../../resources/imports/activation.queries.ts';
import { findImport, type ImportRow, updateImport } from '../../resources/imports/imports.queries.ts';
import { SHOWN_MAX } from '../../resources/imports/imports.schema.ts';
import { activateImport } from './activate-import.ts';
import { takeBatch } from './run-import.ts';

const WORDS = /^([1-9][0-9]{0,2})(day|week|month|year)s?$/;

/** Ms on the store's clock. Of a word that the schema let through. */
export function toRehearsalEnd(rehearse: string, nowMs: number): number {
  const [, count, unit] = WORDS.exec(rehearse) ?? [];
  assert(count !== undefined && unit !== undefined, 'the schema lets nothing else through');
  return boundaryMs(nowMs, { unit: unit as Interval['unit'], count: Number(count) }, 1);
}

/** Answers when the clock is there. What another process has done of it already is not done again. */
export async function rehearseImport(
  ctx: Context,
  scope: Scope,
  { importId, untilMs }: { importId: string; untilMs: number },
): Promise<ImportRow> {
  while (await takeBatch(ctx, scope, importId));
  await activateImport(ctx, scope, { importId, names: null, chargeMissed: false, invite: false });
  if (ctx.nowMs < untilMs) await ctx.clock.advance(scope, untilMs);
  const imported = await findImport(ctx.db, scope, importId);
  assert(imported, 'an import that was committed stays');
  const rehearsal = toJson(await compare(ctx, scope, { imported, untilMs }));
  return updateImport(ctx.db, scope, { id: importId, rehearsal });
}

async function compare(
  ctx: Context,
  scope: Scope,
  { imported, untilMs }: { imported: ImportRow; untilMs: number },
) {
  const rows = await listFirstCharges(ctx.db, scope, imported);
  const compared = rows.map(
    ({ ref, number, currency, waiting, cancelAtIntervalEnd, nextAt, nextTotal, ourAt, ourAmount }) => {
      const amount = nextTotal === null ? null : Number(nextTotal);
      const isDue = !cancelAtIntervalEnd && nextAt <= untilMs;
      const theirs = isDue ? { at: nextAt, amount } : null;
      const ours = ourAt === null ? null : { at: ourAt, amount: Number(ourAmount) };
      const isEqual =
        theirs?.at === ours?.at && (amount === null || theirs === null || theirs.amount === ours?.amount);
      return { isEqual, waiting, charge: { ref, subscriptionId: number, currency, theirs, ours } };
    },
  );
  return {
    until: untilMs,
    subscriptions: rows.length,
    charged: compared.filter(({ charge }) => charge.ours !== null).length,
    equal: compared.filter(({ isEqual, charge }) => isEqual && charge.ours !== null).length,
    waiting: compared.filter(({ waiting }) => waiting).length,
    differences: compared.flatMap(({ isEqual, charge }) => (isEqual ? [] : [charge])).slice(0, SHOWN_MAX),
  };
}
