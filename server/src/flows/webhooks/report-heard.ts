/** What a developer's machine says of the deliveries that it took: each makes an attempt and ends its delivery. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { move } from '../../domain/states/machine.ts';
import { DELIVERY } from '../../domain/states/webhook.ts';
import type { ReportedAttempt } from '../../resources/listeners/listeners.queries.ts';
import { endHearings, findListener, lockWaiting } from '../../resources/listeners/listeners.queries.ts';
import type { ReportedResult } from '../../resources/listeners/listeners.schema.ts';

/**
 * Answers how many were noted: what has ended stays as it is, so that a report may be sent again. A listener's delivery
 * has one try, since who develops sees it fail and asks for it anew.
 */
export async function reportHeard(
  ctx: Context,
  scope: Scope,
  { listenerId, results }: { listenerId: string; results: readonly ReportedResult[] },
): Promise<number> {
  const reported = new Map(results.map((result, index) => [result.id, toAttempt(result, index)]));
  return inTransaction(ctx.db, async (tx) => {
    if (!(await findListener(tx, scope, listenerId))) throw new Refusal('not_found');
    const waiting = await lockWaiting(tx, scope, { listenerId, ids: [...reported.keys()] });
    const ended = waiting.flatMap((delivery) => {
      const attempt = reported.get(delivery.id);
      if (!attempt) return [];
      const isTaken = attempt.statusCode !== null && attempt.statusCode >= 200 && attempt.statusCode <= 299;
      const status = move(DELIVERY, delivery.status, isTaken ? 'delivered' : 'failed');
      const reason = isTaken ? null : 'receiver_failed';
      const attemptId = ctx.ids.next(ctx.nowMs);
      return [{ attemptId, listenerId, delivery, status, reason, attempt, createdAt: ctx.nowMs }];
    });
    await endHearings(tx, scope, ended);
    return ended.length;
  });
}

/** A receiver answered, or it did not: one of both is said. */
function toAttempt(result: ReportedResult, index: number): ReportedAttempt {
  const { statusCode = null, error = null, responseText = null, durationMs } = result;
  if ((statusCode === null) === (error === null))
    throw invalidField(`results[${index}].statusCode`, 'is given where the receiver answered, else error is');
  return {
    ...{ statusCode, error, responseText, durationMs },
    errorDetail: null,
    address: null,
    webhookVersion: null,
  };
}
