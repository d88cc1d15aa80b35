/** Who may withdraw from what they bought, and until when (Directive 2011/83/EU, and the United Kingdom's likewise). */
import type { ConsumerBlock } from '../settings-blocks.ts';
import { isEuMember } from '../tax/eu.ts';

/** What is sold: a service that is used up over time, content that is handed over, or neither. */
export type Withdrawable = 'service' | 'content' | 'excluded';

/** What an order gave its buyer when it was made; later changes of settings or products alter none. */
export type WithdrawalRight = 'granted' | 'business' | 'excluded' | 'elsewhere';

const BESIDE_EU = new Set(['GB', 'IS', 'LI', 'NO']);
/** Parts of member states with a code of their own, where the Union's law holds (TFEU, articles 349 and 355). */
const FAR_PARTS_OF_EU = new Set(['AX', 'GF', 'GP', 'MF', 'MQ', 'RE', 'YT']);

/** Whether consumers of the country have the right by law: the EEA and the United Kingdom. */
export function isConsumerCountry(country: string | null): boolean {
  if (country === null) return false;
  return isEuMember(country) || FAR_PARTS_OF_EU.has(country) || BESIDE_EU.has(country);
}

export interface RightFacts {
  rule: ConsumerBlock['withdrawal'];
  country: string | null;
  isCompany: boolean;
  /** Of each line. */
  kinds: readonly Withdrawable[];
  /** Given away: there is nothing to give back. */
  isGift: boolean;
}

export function decideRight({ rule, country, isCompany, kinds, isGift }: RightFacts): WithdrawalRight {
  if (isCompany) return 'business';
  const isHere = rule === 'everyone' || (rule === 'eu' && isConsumerCountry(country));
  if (!isHere) return 'elsewhere';
  return isGift || kinds.every((kind) => kind === 'excluded') ? 'excluded' : 'granted';
}

const DAY_MS = 24 * 3_600_000;
/** The day of the purchase, 14 days, and one since a day of the buyer's may end a day later than one of UTC. */
const DAYS = 15;
/** No right lasts longer: its last day, and a Saturday and a Sunday that are passed over. */
export const LONGEST_RIGHT_MS = (DAYS + 3) * DAY_MS;

/**
 * The last millisecond in UTC of the 15th day after that of the purchase, so that wherever the buyer lives 14 whole days
 * have gone by; a Saturday or Sunday is passed over (Regulation 1182/71, article 3).
 */
export function computeWithdrawableUntil(purchasedAtMs: number): number {
  const day = Math.floor(purchasedAtMs / DAY_MS) + DAYS;
  const weekday = new Date(day * DAY_MS).getUTCDay();
  const moved = weekday === 6 ? day + 2 : weekday === 0 ? day + 1 : day;
  return (moved + 1) * DAY_MS - 1;
}
