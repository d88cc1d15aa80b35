/**
 * How a webhook fares: a streak begins with a failed attempt and ends with a 2xx. What the streak has come to
 * decides health, mails and the end of a webhook that nobody answers for.
 */
import { assert } from '../assert.ts';

export type Health = 'ok' | 'failing' | 'blocked' | 'disabled';
export type HealthMail = 'webhook_blocked' | 'webhook_failing' | 'webhook_recovering' | 'webhook_disabled';

export interface WebhookState {
  status: 'active' | 'inactive';
  health: Health;
  /** The first failure of the streak that runs (ms); null = none runs. */
  streakStartedAt: number | null;
  streakFailures: number;
  /** When the streak was looked at and had too few failures to disable. */
  streakLookedAt: number | null;
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
}

export interface AttemptEnd {
  kind: 'delivered' | 'failed' | 'blocked' | 'gone';
  /** The receiver may know only the other of two secrets: such a failure begins no streak. */
  isExcused?: boolean;
  /** The attempt's moment (ms). */
  atMs: number;
}

export interface Thresholds {
  /** So many failures in one streak disable. */
  failures: number;
  /** How long after its start the streak is looked at (ms). */
  lookAfterMs: number;
}

export interface HealthChange {
  after: WebhookState;
  mails: HealthMail[];
  /** When the streak that has just begun is to be looked at (ms); `never` = it is over; null = as it was. */
  look: number | 'never' | null;
}

/** So many in a row, and the owner is told. */
const FAILING_AFTER = 5;
const NO_STREAK = { streakStartedAt: null, streakFailures: 0, streakLookedAt: null } as const;

/** What one attempt makes of its webhook. Attempts may end in any order: the latest moments stay. */
export function applyAttempt(before: WebhookState, end: AttemptEnd, thresholds: Thresholds): HealthChange {
  const isSuccess = end.kind === 'delivered';
  const noted: WebhookState = isSuccess
    ? { ...before, lastSuccessAt: Math.max(before.lastSuccessAt ?? 0, end.atMs) }
    : { ...before, lastFailureAt: Math.max(before.lastFailureAt ?? 0, end.atMs) };
  // Switched off while the attempt was out: nothing begins or ends any more.
  if (before.status === 'inactive') return { after: noted, mails: [], look: null };
  if (end.isExcused && before.streakStartedAt === null) return { after: noted, mails: [], look: null };
  return isSuccess ? recover(noted) : fail(noted, end, thresholds);
}

function recover(before: WebhookState): HealthChange {
  if (before.streakStartedAt === null) return { after: before, mails: [], look: null };
  // Who was told nothing bad needs no good news.
  const mails: HealthMail[] = before.health === 'ok' ? [] : ['webhook_recovering'];
  return { after: { ...before, ...NO_STREAK, health: 'ok' }, mails, look: 'never' };
}

function fail(before: WebhookState, end: AttemptEnd, thresholds: Thresholds): HealthChange {
  const isFirst = before.streakStartedAt === null;
  const startedAt = before.streakStartedAt ?? end.atMs;
  const failures = before.streakFailures + 1;
  const streak: WebhookState = { ...before, streakStartedAt: startedAt, streakFailures: failures };
  const mails: HealthMail[] = [];
  if (end.kind === 'blocked') {
    streak.health = 'blocked';
    if (before.health !== 'blocked') mails.push('webhook_blocked');
  } else if (failures >= FAILING_AFTER) {
    streak.health = 'failing';
  }
  if (failures === FAILING_AFTER) mails.push('webhook_failing');
  const isOver = before.streakLookedAt !== null && failures >= thresholds.failures;
  if (end.kind === 'gone' || isOver) return disable(streak, mails);
  return { after: streak, mails, look: isFirst ? startedAt + thresholds.lookAfterMs : null };
}

/** The streak stays to be read: how it came to this. */
function disable(streak: WebhookState, mails: HealthMail[]): HealthChange {
  return {
    after: { ...streak, status: 'inactive', health: 'disabled' },
    mails: [...mails, 'webhook_disabled'],
    look: 'never',
  };
}

/** The look at a streak, so many hours after its start: null when there is nothing to see at that moment. */
export function lookAtStreak(
  before: WebhookState,
  nowMs: number,
  thresholds: Thresholds,
): HealthChange | null {
  if (before.status === 'inactive' || before.streakStartedAt === null) return null;
  const lookMs = before.streakStartedAt + thresholds.lookAfterMs;
  // Another streak than the one that asked for the look, or a longer time set meanwhile.
  if (nowMs < lookMs) return { after: before, mails: [], look: lookMs };
  assert(before.streakFailures > 0, 'a streak has failures');
  if (before.streakFailures >= thresholds.failures) return disable(before, []);
  return { after: { ...before, streakLookedAt: nowMs }, mails: [], look: 'never' };
}

/** What its owner's switching on forgets. */
export const HEALTHY = { ...NO_STREAK, health: 'ok' } as const;
