/** What becomes of a line that was looked at: pure, so that the plan and the commit decide alike. */
import type { LineKind } from './lines.ts';

export type Outcome = 'new' | 'changed' | 'same' | 'conflict' | 'refused';

/** Why a line is not brought in. */
export interface Fault {
  code: string;
  path: string | null;
  message: string;
}

/** What an earlier import has made of a line with this ref. */
export interface Brought {
  objectId: string;
  bodyHash: string;
  objectVersion: number;
}

export interface Standing {
  /** Null = nothing was brought in under this ref. */
  brought: Brought | null;
  /** Of our object as it is now; null = it is gone. */
  version: number | null;
  bodyHash: string;
  /** What was activated is ours alone. */
  isSettled: boolean;
}

/** A line that is here already is written anew only where it has changed there, and not here. */
export function decideOutcome({
  brought,
  version,
  bodyHash,
  isSettled,
}: Standing): Exclude<Outcome, 'refused'> {
  if (brought === null) return 'new';
  if (brought.bodyHash === bodyHash || isSettled || version === null) return 'same';
  return version === brought.objectVersion ? 'changed' : 'conflict';
}

/** What is never changed by a later import: it is history, or nothing of it is kept but that it was there. */
export const SETTLED_KINDS: ReadonlySet<LineKind> = new Set(['purchase', 'key', 'payment_method']);

export interface PlannedCharge {
  /** `2026-11-23`, in UTC. */
  day: string;
  amount: number;
}

export interface PriceChange {
  theirs: number;
  ours: number;
}

/** All that is known of a line before anything is written. */
export interface Decision {
  outcome: Outcome;
  fault: Fault | null;
  warnings: string[];
  charges: PlannedCharge[];
  priceChange: PriceChange | null;
  /** Our object and its version, where there is one. */
  ours: { id: string; version: number | null } | null;
}

/** Two that differ in anything differ in this text: what a plan promised is compared by it. */
export function describeDecision({ outcome, fault, warnings, charges, priceChange, ours }: Decision): string {
  return JSON.stringify([outcome, fault?.code ?? null, warnings, charges, priceChange, ours]);
}
