/**
 * Records what became of deliveries: the attempt, the delivery, its due row and its webhook hold or fall
 * together, so that a worker that lost its lease records nothing. What ends while a transaction is under way
 * is gathered for the next one: a commit costs the same for one as for many.
 */
import type { Service } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { MailParams } from '../../domain/mails/kinds.ts';
import { toSettings } from '../../domain/settings.ts';
import { move } from '../../domain/states/machine.ts';
import { WEBHOOK } from '../../domain/states/webhook.ts';
import {
  type AttemptEnd,
  applyAttempt,
  type HealthChange,
  type Thresholds,
} from '../../domain/webhooks/health.ts';
import { deleteDueWork, insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { writeDeliverySteps } from '../../resources/webhooks/attempts.queries.ts';
import type { DeliveryStep } from '../../resources/webhooks/attempts.sql.ts';
import { lockWebhookHealth, updateWebhookHealth } from '../../resources/webhooks/webhooks.queries.ts';
import type { HealthRow } from '../../resources/webhooks/webhooks.sql.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { queueOwnerMails } from '../outbox/queue-mail.ts';

export interface EndedDelivery {
  step: DeliveryStep;
  /** What the attempt says of its webhook; null without an attempt. */
  webhook: { id: string; end: AttemptEnd; facts: AttemptFacts } | null;
}

/** What mails say of an attempt. */
export type AttemptFacts = Pick<MailParams['webhook_failing'], 'reason' | 'failure' | 'statusCode'>;

interface Waiting {
  ended: EndedDelivery;
  resolve: () => void;
  reject: (error: unknown) => void;
}

const HOUR_MS = 3_600_000;
const NO_FACTS: AttemptFacts = { reason: null, failure: null, statusCode: null };
const NO_LIMITS: Thresholds = { failures: Number.POSITIVE_INFINITY, lookAfterMs: Number.POSITIVE_INFINITY };
/** Answers of 64 KiB at most are written: so many of them are a statement of a few megabytes. */
const GROUP_MAX = 96;
/** Groups that are written at a time: one more than waits for the disk. */
const GROUPS_MAX = 2;

/** Resolves once it is written; nothing is of a delivery whose lease was lost. */
export function createRecorder(service: Service): (ended: EndedDelivery) => Promise<void> {
  let waiting: Waiting[] = [];
  let running = 0;

  async function run(): Promise<void> {
    if (running >= GROUPS_MAX) return;
    running += 1;
    while (waiting.length > 0) {
      const group = waiting.slice(0, GROUP_MAX);
      waiting = waiting.slice(GROUP_MAX);
      await recordGroup(service, group);
    }
    running -= 1;
  }

  return (ended) =>
    new Promise((resolve, reject) => {
      waiting.push({ ended, resolve, reject });
      // One turn later, so that those which end in this one come along.
      if (running < GROUPS_MAX) setImmediate(run);
    });
}

async function recordGroup(service: Service, group: Waiting[]): Promise<void> {
  try {
    const all = group.map(({ ended }) => ended);
    await inTransaction(service.db, (tx) => write(tx, all));
    for (const { resolve } of group) resolve();
  } catch (error) {
    // One that cannot be written must not keep the others from it.
    if (group.length === 1) for (const { reject } of group) reject(error);
    else for (const one of group) await recordGroup(service, [one]);
  }
}

async function write(tx: Tx, ended: EndedDelivery[]): Promise<void> {
  const held = await writeDeliverySteps(
    tx,
    ended.map(({ step }) => step),
  );
  const told = ended.filter(({ step }) => held.has(step.refId));
  // The webhooks' rows come last: all deliveries of one wait for each other here.
  await noteOnWebhooks(tx, told);
}

async function noteOnWebhooks(tx: Tx, ended: EndedDelivery[]): Promise<void> {
  const keys = new Map(
    ended.flatMap(({ step, webhook }) =>
      webhook ? [[webhook.id, { scope: step.scope, id: webhook.id }] as const] : [],
    ),
  );
  if (keys.size === 0) return;
  const thresholds = createThresholds(tx);
  const rows = await lockWebhookHealth(tx, [...keys.values()]);
  const changed: HealthRow[] = [];
  for (const row of rows) {
    let after = row;
    for (const { webhook } of ended) {
      if (webhook?.id !== row.id) continue;
      // A 2xx asks for no limits, and most attempts are one.
      const limits = webhook.end.kind === 'delivered' ? NO_LIMITS : await thresholds(toScope(row));
      const change = applyAttempt(after, webhook.end, limits);
      after = { ...row, ...change.after };
      await followHealth(tx, { row, change, at: webhook.end.atMs, facts: webhook.facts });
    }
    if (after.status !== row.status) move(WEBHOOK, row.status, after.status);
    changed.push(after);
  }
  await updateWebhookHealth(tx, changed);
}

const toScope = ({ workspaceId, testMode }: HealthRow): Scope => ({ workspaceId, testMode });

/** Reads the settings of each store once. */
function createThresholds(tx: Tx): (scope: Scope) => Promise<Thresholds> {
  const read = new Map<string, Promise<Thresholds>>();
  return (scope) => {
    const key = `${scope.workspaceId}:${scope.testMode}`;
    const known = read.get(key) ?? readThresholds(tx, scope);
    read.set(key, known);
    return known;
  };
}

export async function readThresholds(tx: Tx, scope: Scope): Promise<Thresholds> {
  const settings = toSettings((await getStore(tx, scope)).settings);
  return { failures: settings.webhookDisableFailures, lookAfterMs: settings.webhookDisableHours * HOUR_MS };
}

interface Followed {
  row: Pick<HealthRow, 'workspaceId' | 'testMode' | 'id' | 'url'>;
  change: HealthChange;
  at: number;
  /** Of the last attempt; null where none is at hand. */
  facts: AttemptFacts | null;
}

/** The mails and the look that a change of health asks for. */
export async function followHealth(tx: Tx, { row, change, at, facts }: Followed): Promise<void> {
  const { workspaceId, testMode, id, url } = row;
  const scope = { workspaceId, testMode };
  if (change.look === 'never') await deleteDueWork(tx, scope, 'judge_webhook', id);
  else if (change.look !== null) {
    await insertDueWork(tx, scope, [{ kind: 'judge_webhook', refId: id, dueMs: change.look }]);
  }
  if (change.mails.length === 0) return;
  // One mail of a kind per streak: what begins a streak names it.
  const streak = change.after.streakStartedAt ?? at;
  await queueOwnerMails(
    tx,
    scope,
    change.mails.map((kind) => ({
      kind,
      key: `${kind}:${id}:${streak}`,
      at,
      params: { url, ...(facts ?? NO_FACTS) },
    })),
  );
}
