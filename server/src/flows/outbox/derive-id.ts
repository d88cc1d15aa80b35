/**
 * Ids of what a period of a subscription brings by itself: its payment, the charges of it, their events and mails. They
 * follow from the period, so that two copies of one store, or one that was restored to before it, make the same ids of
 * the same work: the processor is asked with the same key, and receivers know what they have heard.
 */
import { createHash } from 'node:crypto';

/** A period of a subscription. */
export interface SubscriptionPeriod {
  subscriptionId: string;
  startMs: number;
}

export interface PeriodWork extends SubscriptionPeriod {
  workspaceId: string;
  kind: 'payment' | 'charge' | 'event' | 'mail' | `mail:${string}`;
  /** Tells the work from other work of its kind in the period. */
  n: number;
  /** Ids of one period sort by it, so that what bears the same moment stays in the order in which it was made. */
  place: number;
}

export const PLACE_MAX = 0xfff;

/**
 * In the form of a UUIDv7: the time is the period's start, twelve bits are the place, and the other 62 are the hash's.
 * The time is not the row's age, and may lie long before it.
 */
export function deriveId(work: PeriodWork): string {
  const { startMs, place } = work;
  const bytes = hash(work, work.kind).subarray(0, 16);
  bytes.writeUIntBE(startMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | Math.min(Math.max(place, 0), PLACE_MAX), 6);
  return toUuid(bytes);
}

/** The key that an event bears for its receivers, in the form of a UUIDv4. */
export function deriveKey(work: Omit<PeriodWork, 'kind' | 'place'>): string {
  const bytes = hash(work, 'key').subarray(0, 16);
  bytes.writeUInt8(0x40 | (bytes.readUInt8(6) & 0x0f), 6);
  return toUuid(bytes);
}

function hash(
  { workspaceId, subscriptionId, startMs, n }: Omit<PeriodWork, 'kind' | 'place'>,
  kind: string,
): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([workspaceId, subscriptionId, startMs, kind, n]))
    .digest();
}

/** With the variant's two bits set. */
function toUuid(bytes: Buffer): string {
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
