/**
 * What becomes of a workspace that nobody uses and that never took a paid order: it is suspended, later archived, in
 * the end purged, and its people are warned before each step. All of it is real time.
 */
import type { WorkspaceState } from '../states/workspace.ts';

const DAY_MS = 86_400_000;

/** Days without use: when its people are first told, and when each step comes. */
export interface SweepDays {
  notice: number;
  suspend: number;
  archive: number;
  purge: number;
}

export const SWEEP_DAYS: SweepDays = { notice: 60, suspend: 90, archive: 120, purge: 150 };

/** How long before each step its two warnings go out. */
const FIRST_MS = 14 * DAY_MS;
const SECOND_MS = 3 * DAY_MS;
/** How long a workspace can be taken back that its Owner closed. */
export const REOPEN_DAYS = 30;

export type SweepStep = 'suspended' | 'archived' | 'purged';
export type StateBy = 'owner' | 'admin' | 'sweep';

/** What has gone out before the step that comes next. */
export interface Warned {
  step: SweepStep;
  noticedAt: number | null;
  firstAt: number | null;
  secondAt: number | null;
}

export interface SweepFacts {
  state: WorkspaceState;
  stateBy: StateBy | null;
  /** When it came to be in its state; null while it is active. */
  stateSince: number | null;
  lastActiveAt: number;
  /** It took a paid order once, or an admin archived it: it is never touched. */
  isKept: boolean;
  warned: Warned | null;
}

export interface SweepPlan {
  /** The step that comes next. */
  step: SweepStep;
  /** The earliest moment of the step, by what has gone out so far. */
  actsAt: number;
  /** What is to be done now; null = nothing. */
  now: 'notice' | 'first' | 'second' | 'act' | null;
}

/** Null = the sweep has nothing to do with it. A service that stood still warns first, and waits anew. */
export function planSweep(facts: SweepFacts, days: SweepDays, nowMs: number): SweepPlan | null {
  const step = findStep(facts);
  if (step === null) return null;
  if (facts.stateBy === 'owner') return planClosed(facts, nowMs);
  const warned = facts.warned?.step === step ? facts.warned : null;
  const { firstAt = null, secondAt = null, noticedAt = null } = warned ?? {};
  const idleSince = Math.max(facts.stateSince ?? 0, facts.lastActiveAt);
  const plannedMs = idleSince + daysUntil(step, days) * DAY_MS;
  if (firstAt === null) {
    if (nowMs >= plannedMs - FIRST_MS)
      return { step, actsAt: Math.max(plannedMs, nowMs + FIRST_MS), now: 'first' };
    const isNotice = step === 'suspended' && noticedAt === null && nowMs >= idleSince + days.notice * DAY_MS;
    return { step, actsAt: plannedMs, now: isNotice ? 'notice' : null };
  }
  // One that was warned late is given all of its time.
  const dueMs = Math.max(plannedMs, firstAt + FIRST_MS);
  if (secondAt === null) return { step, actsAt: dueMs, now: nowMs >= dueMs - SECOND_MS ? 'second' : null };
  const actsAt = Math.max(dueMs, secondAt + SECOND_MS);
  return { step, actsAt, now: nowMs >= actsAt ? 'act' : null };
}

function findStep({ state, stateBy, isKept }: SweepFacts): SweepStep | null {
  if (isKept || stateBy === 'admin') return null;
  if (state === 'active') return 'suspended';
  return state === 'suspended' ? 'archived' : 'purged';
}

/** Its Owner closed it, and knows: nobody is warned. */
function planClosed({ stateSince }: SweepFacts, nowMs: number): SweepPlan {
  const actsAt = (stateSince ?? nowMs) + REOPEN_DAYS * DAY_MS;
  return { step: 'purged', actsAt, now: nowMs >= actsAt ? 'act' : null };
}

/** From the state before it. */
function daysUntil(step: SweepStep, days: SweepDays): number {
  if (step === 'suspended') return days.suspend;
  return step === 'archived' ? days.archive - days.suspend : days.purge - days.archive;
}
