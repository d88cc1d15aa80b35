/** When the holder of a card is warned that it expires. Times are ms. */

const DAY_MS = 86_400_000;
/** Before the card's last day. */
const LEAD_DAYS = [30, 7] as const;

export interface ExpiringCard {
  year: number;
  /** 1 to 12. */
  month: number;
}

export interface CardWarning {
  atMs: number;
  daysBefore: number;
}

/** The beginning of the last day on which it can be charged. */
export function computeLastDayMs({ year, month }: ExpiringCard): number {
  return Date.UTC(year, month, 1) - DAY_MS;
}

/** The next after a moment; null = all are over. */
export function findNextWarning(card: ExpiringCard, afterMs: number): CardWarning | null {
  return listWarnings(card).find(({ atMs }) => atMs > afterMs) ?? null;
}

/** What is due at a moment: the last that has begun, while the card can still be charged. */
export function findDueWarning(card: ExpiringCard, nowMs: number): CardWarning | null {
  if (nowMs >= computeLastDayMs(card) + DAY_MS) return null;
  return listWarnings(card).findLast(({ atMs }) => atMs <= nowMs) ?? null;
}

function listWarnings(card: ExpiringCard): CardWarning[] {
  const lastDayMs = computeLastDayMs(card);
  return LEAD_DAYS.map((daysBefore) => ({ atMs: lastDayMs - daysBefore * DAY_MS, daysBefore }));
}
