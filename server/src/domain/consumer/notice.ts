/** A contract that is cancelled without signing in (§ 312k BGB). */
import { toCanonicalJson } from './canonical-json.ts';

export const NOTICE_TYPES = ['ordinary', 'cause'] as const;
export type NoticeType = (typeof NOTICE_TYPES)[number];
export const NOTICE_STATUSES = ['received', 'unmatched', 'done', 'refused'] as const;

/** What was stated, and is hashed. */
export interface NoticeStatement {
  id: string;
  number: string;
  type: NoticeType;
  statedReason: string | null;
  name: string;
  email: string;
  contractNumber: string;
  endDate: number | null;
  source: string;
  receivedAt: number;
}

/** Its canonical JSON: what is hashed. */
export function writeNotice(statement: NoticeStatement): string {
  const { id, number, type, statedReason, name, email, contractNumber, endDate, source, receivedAt } =
    statement;
  const stated = { object: 'cancellation_notice', id, number, type, statedReason, name, email };
  return toCanonicalJson({ ...stated, contractNumber, endDate, source, receivedAt });
}

/**
 * Whether the contract is to end with its running interval: the last one that ends before the date that was asked for. A
 * date within the running interval is too early to be met, and ends it, too.
 */
export function endsWithInterval(
  { currentIntervalEnd, nextIntervalEnd }: { currentIntervalEnd: number; nextIntervalEnd: number },
  endDate: number | null,
): boolean {
  return endDate === null || endDate < currentIntervalEnd || endDate < nextIntervalEnd;
}
