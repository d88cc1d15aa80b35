import { numberOf, type Row, rowOf } from '../api/objects.ts';

/** Kinds whose processor tells nothing of what happens there, and has no books to compare. */
export const SILENT_KINDS: ReadonlySet<string> = new Set(['sandbox', 'manual']);

/** What only a person can explain; the rest a report has seen to by itself. */
export const OPEN_KINDS = ['missing_money', 'unknown_money', 'amount_differs'] as const;

export function stateOfReport(report: Row): 'acknowledged' | 'clean' | 'open' {
  const counts = rowOf(report, 'counts');
  const found = OPEN_KINDS.reduce((sum, kind) => sum + (numberOf(counts, kind) ?? 0), 0);
  if (found === 0) return 'clean';
  return numberOf(report, 'acknowledgedAt') === null ? 'open' : 'acknowledged';
}
