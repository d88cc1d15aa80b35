/** Creating and changing webhooks: the rules that a schema cannot say. */
import type { Static } from 'typebox';
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { move } from '../../domain/states/machine.ts';
import { WEBHOOK } from '../../domain/states/webhook.ts';
import { HEALTHY } from '../../domain/webhooks/health.ts';
import { isValidWebhookSecret } from '../../domain/webhooks/secret.ts';
import { deleteDueWork } from '../../resources/due-work/due-work.queries.ts';
import {
  archiveWebhookRow,
  insertWebhook,
  lockWebhook,
  lockWebhookCount,
  unarchiveWebhookRow,
  updateWebhook,
} from '../../resources/webhooks/webhooks.queries.ts';
import type { CreateWebhook, UpdateWebhook } from '../../resources/webhooks/webhooks.schema.ts';

type CreateInput = Static<typeof CreateWebhook>;
type UpdateInput = Static<typeof UpdateWebhook>;
interface Change {
  before: Row<'webhooks'>;
  after: Row<'webhooks'>;
}

/** Unarchived webhooks of a store. */
const WEBHOOKS_MAX = 10;
const SECRET_BYTES = 24;
/** How long an old secret signs along. */
const ROTATION_MS = 24 * 60 * 60 * 1000;

/** Resolves the host, hence outside of any transaction. Refuses with webhook_url_blocked. */
export async function checkWebhookUrl({ egress }: Context, url: string | undefined): Promise<void> {
  if (url === undefined) return;
  const verdict = await egress.checkUrl(url);
  if (verdict.kind === 'ok') return;
  throw new Refusal('webhook_url_blocked', {
    message: `url must be http(s) and lead to a public address, but ${verdict.reason}`,
    details: [{ path: 'url', message: verdict.reason }],
  });
}

/** Expects a checked URL. Refuses with webhook_secret_invalid or webhook_limit_reached. */
export async function createWebhook(
  ctx: Step,
  scope: Scope,
  { tx, input }: { tx: Tx; input: CreateInput },
): Promise<Row<'webhooks'>> {
  checkSecret(input.secret);
  if ((await lockWebhookCount(tx, scope)) >= WEBHOOKS_MAX) throw new Refusal('webhook_limit_reached');
  return insertWebhook(tx, scope, {
    id: ctx.ids.next(ctx.nowMs),
    url: input.url,
    status: input.status ?? 'active',
    secret: input.secret ?? generateSecret(ctx),
    events: [...new Set(input.events)],
    description: input.description ?? null,
    createdAt: ctx.nowMs,
  });
}

/** Missing fields stay as they are. Expects a checked URL; an archived webhook stays as it was (archived). */
export async function changeWebhook(
  scope: Scope,
  { tx, id, input }: { tx: Tx; id: string; input: UpdateInput },
): Promise<Change> {
  checkSecret(input.secret);
  const before = await lockWebhook(tx, scope, id);
  if (!before) throw new Refusal('not_found');
  if (before.deletedAt !== null) throw new Refusal('archived');
  const { id: _id, events, status, secret, ...rest } = input;
  // What was to be judged is forgotten with the streak.
  if (before.status !== 'active' && status === 'active') await deleteDueWork(tx, scope, 'judge_webhook', id);
  const after = await updateWebhook(tx, scope, {
    ...rest,
    id,
    ...(events ? { events: [...new Set(events)] } : {}),
    ...toStatusChange(before, status),
    // A secret given by hand replaces at once: what was being rotated out goes with it.
    ...(secret === undefined ? {} : { secret, previousSecret: null, previousSecretUntil: null }),
  });
  return { before, after };
}

/** What switched a webhook off is forgotten when its owner switches it on again. */
function toStatusChange(before: Row<'webhooks'>, status: UpdateInput['status']) {
  if (status === undefined || status === before.status) return {};
  const moved = move(WEBHOOK, before.status, status);
  return status === 'active' ? { status: moved, ...HEALTHY } : { status: moved };
}

/**
 * A new secret; the one before it signs along for a day of real time, so that receivers can change theirs
 * without losing an event. A second rotation within the day ends the first: no more than two are live.
 */
export async function rotateWebhookSecret(
  ctx: Step,
  scope: Scope,
  { tx, id, secret }: { tx: Tx; id: string; secret: string | undefined },
): Promise<Change> {
  checkSecret(secret);
  const before = await lockWebhook(tx, scope, id);
  if (!before) throw new Refusal('not_found');
  if (before.deletedAt !== null) throw new Refusal('archived');
  const after = await updateWebhook(tx, scope, {
    id,
    secret: secret ?? generateSecret(ctx),
    previousSecret: before.secret,
    previousSecretUntil: ctx.realNowMs() + ROTATION_MS,
  });
  return { before, after };
}

/** It hears what happens from now on. Refuses with webhook_limit_reached. */
export async function unarchiveWebhook(scope: Scope, { tx, id }: { tx: Tx; id: string }): Promise<Change> {
  const before = await lockWebhook(tx, scope, id);
  if (!before) throw new Refusal('not_found');
  if (before.deletedAt === null) return { before, after: before };
  if ((await lockWebhookCount(tx, scope)) >= WEBHOOKS_MAX) throw new Refusal('webhook_limit_reached');
  return { before, after: await unarchiveWebhookRow(tx, scope, id) };
}

/** What waits for delivery is dropped when its turn comes. A second time changes nothing. */
export async function archiveWebhook(
  ctx: Step,
  scope: Scope,
  { tx, id }: { tx: Tx; id: string },
): Promise<Change> {
  const before = await lockWebhook(tx, scope, id);
  if (!before) throw new Refusal('not_found');
  if (before.deletedAt !== null) return { before, after: before };
  return { before, after: await archiveWebhookRow(tx, scope, { id, deletedAt: ctx.nowMs }) };
}

/** Throws webhook_secret_invalid. */
export function checkSecret(secret: string | undefined): void {
  if (secret !== undefined && !isValidWebhookSecret(secret)) throw new Refusal('webhook_secret_invalid');
}

export function generateSecret({ ids }: Step): string {
  return `whsec_${Buffer.from(ids.randomBytes(SECRET_BYTES)).toString('base64')}`;
}
