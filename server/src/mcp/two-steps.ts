/**
 * Money moves in two steps: a plan, and the word of whoever uses the assistant. What confirms a plan names the tool, its
 * arguments, the pair and the object as it was, holds for ten minutes, and is the Idempotency-Key of what it lets happen:
 * used once, it is known.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { SETTINGS_DEFAULTS, toSettings } from '../domain/settings.ts';
import { findIdempotencyKey } from '../resources/idempotency-keys/idempotency-keys.queries.ts';
import { getInstallationSecret } from '../resources/installation/installation.queries.ts';
import { countOnce, findWaitMs } from '../resources/limits/limits.queries.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';
import { type Caller, ToolRefusal } from './caller.ts';
import type { Call, Outcome } from './tool.ts';

const LIFETIME_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
/** As the door names whose keys those of a store's pairs are. */
const KEY_PAIRS = 'keys';

export interface Confirmed {
  confirmToken?: string;
}

export interface Planned {
  plan: Record<string, unknown>;
  /** What of the object the plan was made of: another one makes another plan. */
  madeOf: unknown;
  /** The question, in a sentence of ours. */
  question: string;
}

interface Steps {
  tool: string;
  /** Throws ToolRefusal where nothing can be planned. */
  load: () => Promise<Planned>;
  /** Does it, once for each key. */
  act: (planned: Planned, idempotencyKey: string) => Promise<Record<string, unknown>>;
}

/** Answers a plan, a question, or what was done. Throws ToolRefusal. */
export async function inTwoSteps<A extends Confirmed>(call: Call<A>, steps: Steps): Promise<Outcome> {
  const { caller, answered } = call;
  const { confirmToken: given, ...args } = call.args;
  const token = answered?.state ?? given;
  const secret = await getInstallationSecret(caller.service.db, 'signed-links');
  const signed = { secret, tool: steps.tool, args, caller };
  if (token === undefined) {
    const planned = await steps.load();
    const made = sign(signed, {
      madeOf: planned.madeOf,
      expiresAtMs: caller.service.realNowMs() + LIFETIME_MS,
    });
    if (caller.canAsk) return { question: { message: planned.question, state: made.token } };
    return {
      data: { status: 'planned', plan: planned.plan, confirmToken: made.token, expiresAt: made.expiresAtMs },
    };
  }
  const opened = open(signed, token);
  if (answered && answered.isConfirmed !== true) return { data: { status: 'declined' } };
  const idempotencyKey = `mcp ${createHash('sha256').update(token).digest('base64url')}`;
  await refuseUsed(caller, idempotencyKey);
  const planned = await steps.load().catch((error: unknown) => {
    // What cannot be planned any more has changed.
    if (error instanceof ToolRefusal && error.told.status < 500)
      throw refuse(409, 'plan_changed', error.message);
    throw error;
  });
  if (digest(planned.madeOf) !== opened.madeOf)
    throw refuse(409, 'plan_changed', 'The object was changed after the plan was made: plan anew.');
  await countMoneyCall(caller);
  return { data: { status: 'done', plan: planned.plan, ...(await steps.act(planned, idempotencyKey)) } };
}

const refuse = (status: number, code: string, message: string) => new ToolRefusal({ status, code, message });

interface Signed {
  secret: string;
  tool: string;
  args: object;
  caller: Caller;
}

function sign(signed: Signed, { madeOf, expiresAtMs }: { madeOf: unknown; expiresAtMs: number }) {
  const parts = [expiresAtMs.toString(36), digest(madeOf)];
  return { token: [...parts, computeMac(signed, parts)].join('.'), expiresAtMs };
}

function open(signed: Signed, token: string): { madeOf: string } {
  const [expiry = '', madeOf = '', mac = ''] = token.split('.');
  const [given, expected] = [Buffer.from(mac), Buffer.from(computeMac(signed, [expiry, madeOf]))];
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw refuse(409, 'confirmation_invalid', 'This confirms another plan: other arguments, or other keys.');
  if (Number.parseInt(expiry, 36) <= signed.caller.service.realNowMs())
    throw refuse(409, 'confirmation_expired', 'A plan is confirmed within 10 minutes: plan anew.');
  return { madeOf };
}

function computeMac({ secret, tool, args, caller }: Signed, parts: readonly string[]): string {
  const { scope, publicKey } = caller;
  const said = JSON.stringify([
    'mcp-confirm',
    tool,
    digest(args),
    publicKey,
    scope.workspaceId,
    scope.testMode,
    ...parts,
  ]);
  return createHmac('sha256', Buffer.from(secret, 'hex')).update(said).digest('base64url');
}

/** The same for the same fields in any order. */
function digest(value: unknown): string {
  const sorted = (_name: string, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner;
  return createHash('sha256').update(JSON.stringify(value, sorted)).digest('base64url');
}

async function refuseUsed({ service, scope }: Caller, key: string): Promise<void> {
  if (await findIdempotencyKey(service.db, scope, { asker: KEY_PAIRS, key }))
    throw refuse(409, 'confirmation_used', 'This plan was confirmed before: plan anew.');
}

/** Each pair has so many an hour, in all processes together. */
async function countMoneyCall({ service, scope, publicKey }: Caller): Promise<void> {
  const { mcpMoneyCallsPerHour: max = SETTINGS_DEFAULTS.mcpMoneyCallsPerHour } = toSettings(
    (await getStore(service.db, scope)).settings,
  );
  const subject = createHash('sha256').update(publicKey).digest('base64url');
  const counter = { kind: 'mcp_money_by_pair', subject, max, windowMs: HOUR_MS };
  if (max > 0 && (await countOnce(service.db, [counter])) === 1) return;
  const waitMs = max > 0 ? await findWaitMs(service.db, [counter]) : HOUR_MS;
  throw refuse(
    429,
    'rate_limited',
    `These keys move money ${max} times an hour by a tool: again in ${Math.max(1, Math.ceil(waitMs / 1000))} s.`,
  );
}
