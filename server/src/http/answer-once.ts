/**
 * Idempotency-Key of what belongs to no store: ways in, accounts, the installation, the doors of portals. Their
 * handlers open transactions of their own, so that the key is begun before them and ended after: a second request
 * finds the first at work or its answer, and where a process died in between the work is done anew.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../db/database.ts';
import { Refusal } from '../domain/errors.ts';
import {
  beginAccountKey,
  endAccountKey,
  findAccountKey,
  freeAccountKey,
} from '../resources/idempotency-keys/account-keys.queries.ts';
import { computeFingerprint, inTurn, toIdempotencyKey } from './idempotency.ts';
import { toPathAsked } from './path-asked.ts';
import type { Route } from './route.ts';

export interface AskedOnce {
  route: Route;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Whose key it is. */
  asker: string;
}

/** Answers what `work` answers, or what it answered before under the same key. */
export async function answerOnce(
  db: Db,
  { route, request, reply, asker }: AskedOnce,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const key = route.method === 'GET' ? null : toIdempotencyKey(request.headers['idempotency-key']);
  if (key === null) return work();
  const path = toPathAsked(route.path, request.params);
  const asked = { asker, key, fingerprint: computeFingerprint(request.method, path, request.body) };
  return inTurn(`${asker}:${key}`, async () => {
    if (!(await beginAccountKey(db, asked))) {
      const data = await findAnswer(db, asked);
      reply.header('idempotent-replayed', 'true');
      return data;
    }
    const data = await work().catch(async (error: unknown) => {
      await freeAccountKey(db, asked);
      throw error;
    });
    // A cookie is given once.
    const isKept = !route.answersSecret && reply.getHeader('set-cookie') === undefined;
    await endAccountKey(db, asked, isKept ? JSON.stringify(data) : null);
    return data;
  });
}

/** Throws idempotency_key_reused, answer_not_kept and request_in_progress. */
async function findAnswer(
  db: Db,
  asked: { asker: string; key: string; fingerprint: string },
): Promise<unknown> {
  const found = await findAccountKey(db, asked);
  if (found && found.fingerprint !== asked.fingerprint) throw new Refusal('idempotency_key_reused');
  if (!found?.isEnded) throw new Refusal('request_in_progress');
  if (found.response === null) throw new Refusal('answer_not_kept', { facts: [] });
  return JSON.parse(found.response);
}
