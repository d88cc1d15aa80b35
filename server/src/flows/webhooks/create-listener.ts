/** A listener: a webhook without an address, for a machine that nobody can reach. */
import type { Static } from 'typebox';
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { requireWords } from '../../domain/require-words.ts';
import { countLivingListeners, insertListener } from '../../resources/listeners/listeners.queries.ts';
import type { CreateListener } from '../../resources/listeners/listeners.schema.ts';
import { lockStore } from '../../resources/workspaces/workspaces.queries.ts';
import { checkSecret, generateSecret } from './edit-webhook.ts';

/** Living ones of a store. */
const LISTENERS_MAX = 5;

/** Refuses with webhook_secret_invalid or listener_limit_reached. */
export async function createListener(
  ctx: Step,
  scope: Scope,
  { tx, input }: { tx: Tx; input: Static<typeof CreateListener> },
): Promise<Row<'listeners'>> {
  requireWords({ name: input.name });
  checkSecret(input.secret);
  const realMs = ctx.realNowMs();
  // Of two at once one waits, so that neither counts past the other.
  await lockStore(tx, scope);
  if ((await countLivingListeners(tx, scope, realMs)) >= LISTENERS_MAX)
    throw new Refusal('listener_limit_reached');
  return insertListener(tx, scope, {
    id: ctx.ids.next(ctx.nowMs),
    name: input.name,
    secret: input.secret ?? generateSecret(ctx),
    events: [...new Set(input.events)],
    askedRealMs: realMs,
    createdAt: ctx.nowMs,
  });
}
