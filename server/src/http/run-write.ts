/** A write from its idempotency key to its answer: one transaction that the door opens, or a flow's own. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { inTransaction } from '../db/transaction.ts';
import { closeSetup } from '../resources/accounts/accounts.queries.ts';
import { type Audit, createAudit } from './audit.ts';
import type { Actor } from './authenticate.ts';
import { checkVersion, readIfMatch } from './edit-versions.ts';
import {
  answerKey,
  closeKey,
  computeFingerprint,
  createClaim,
  holdKey,
  inTurn,
  isRefusedByItself,
  KeyBegunElsewhere,
  type KeyedRequest,
  openKey,
  type ResumedKey,
  toIdempotencyKey,
} from './idempotency.ts';
import { toPathAsked } from './path-asked.ts';
import type { Route, RouteRequest } from './route.ts';

export interface Run {
  input: RouteRequest<unknown, unknown, unknown>;
  actor: Actor;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Its key, and who asks with it. */
interface KeyedRun extends Run {
  keyed: KeyedRequest | null;
  audit: Audit;
  /** The versions that the change may have been made of; null = any. */
  madeOf: ReadonlySet<number> | null;
}

/** Answers what the operation answers, or what it answered before under the same key. */
export async function runWrite(service: Service, route: Route, run: Run): Promise<unknown> {
  const keyed = toKeyedRequest(route, run);
  return inTurn(keyed && toTurn(keyed), () => runOnce(service, route, { ...run, keyed }));
}

async function runOnce(
  service: Service,
  route: Route,
  run: Run & { keyed: KeyedRequest | null },
): Promise<unknown> {
  const { keyed } = run;
  // Meets its own key again at most once: the other request has committed by then.
  for (;;) {
    const replay = keyed ? await openKey(service.db, keyed) : null;
    if (replay?.kind === 'answer') {
      run.reply.header('idempotent-replayed', 'true');
      return replay.data;
    }
    const keyedRun = {
      ...run,
      audit: createAudit(route, run),
      madeOf: readIfMatch(route.isEdit ? run.request.headers['if-match'] : undefined),
    };
    try {
      return route.kind === 'write'
        ? await runInOne(route, keyedRun)
        : await runFlow(route, keyedRun, replay?.resumed ?? null);
    } catch (error) {
      if (!(error instanceof KeyBegunElsewhere)) throw error;
    }
  }
}

const toTurn = ({ scope, asker, key }: KeyedRequest) =>
  `${scope.workspaceId}:${scope.testMode}:${asker}:${key}`;

function toKeyedRequest(route: Route, { request, actor }: Run): KeyedRequest | null {
  const key = toIdempotencyKey(request.headers['idempotency-key']);
  if (key === null) return null;
  const path = toPathAsked(route.path, request.params);
  const fingerprint = computeFingerprint(request.method, path, request.body);
  return { scope: actor.scope, asker: actor.asker, key, fingerprint, keepsAnswer: !route.answersSecret };
}

async function runInOne(route: Route, { input, keyed, audit, madeOf }: KeyedRun): Promise<unknown> {
  const { ctx } = input;
  const outside = await route.checkOutside?.(input as never);
  return inTransaction(ctx.db, async (tx) => {
    if (keyed) await holdKey(tx, keyed);
    // What the handler found under its lock; the change goes with the transaction.
    const keep: Audit['keep'] = (before, objectId) => {
      checkVersion(madeOf, before);
      audit.keep(before, objectId);
    };
    const data = await route.run({ ...input, outside, tx, audit: keep } as never);
    await audit.write(tx, data);
    if (input.actor.member && closesSetup(route)) await closeSetup(tx);
    if (keyed) await answerKey(tx, keyed, data);
    return data;
  });
}

/** Key pairs and members: whoever makes them by a session is no newcomer any more. */
const MAKES_OTHERS: ReadonlySet<string> = new Set(['createApiKey', 'createInvitation', 'acceptInvitation']);

function closesSetup({ closesSetup: isSaid, operationId }: Route): boolean {
  return isSaid ?? MAKES_OTHERS.has(operationId);
}

async function runFlow(
  route: Route,
  { input, keyed, audit }: KeyedRun,
  resumed: ResumedKey | null,
): Promise<unknown> {
  const { ctx } = input;
  // The request that this one goes on from wrote its row with its effect.
  let isAudited = (resumed?.resourceId ?? null) !== null;
  const claim = createClaim(keyed, {
    resumed,
    onBegin: async (tx, resourceId, made) => {
      await audit.write(tx, made ?? { id: resourceId, asked: input.body }, resourceId);
      isAudited = true;
    },
  });
  let isFinished = false;
  const finish = async (tx: Tx, data: unknown) => {
    if (!isAudited) await audit.write(tx, data);
    if (keyed && claim.isHeld()) await answerKey(tx, keyed, data);
    isFinished = true;
  };
  try {
    const data = await route.run({ ...input, claim, audit: audit.keep, finish } as never);
    if (!isFinished) await inTransaction(ctx.db, (tx) => finish(tx, data));
    return data;
  } catch (error) {
    const leaseUntil = claim.leaseUntil();
    if (keyed && leaseUntil !== null && !(error instanceof KeyBegunElsewhere))
      await closeKey(ctx.db, keyed, { error, leaseUntil });
    if (keyed && !claim.isHeld() && (await isRefusedByItself(ctx.db, keyed, error))) {
      throw new KeyBegunElsewhere();
    }
    throw error;
  }
}
