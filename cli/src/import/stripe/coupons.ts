/** Stripe's coupons and the codes that give them. */
import type { DiscountLine, Interval } from '../lines.ts';
import type { Source } from '../source.ts';
import type { Stays } from '../stays.ts';
import { createTaken } from '../taken-codes.ts';
import {
  at,
  countCharges,
  fromSeconds,
  type Item,
  isItem,
  isMonth,
  toCurrency,
  toNumber,
  toText,
} from '../values.ts';
import { toStripeMinor } from './amounts.ts';

/** Coupons of the list and of subscriptions that have one, by id. */
export async function readCoupons(source: Source): Promise<Map<string, Item>> {
  const coupons = new Map<string, Item>();
  for await (const coupon of source.list('coupons')) coupons.set(String(coupon.id), coupon);
  const add = (coupon: unknown) => {
    if (isItem(coupon) && !coupons.has(String(coupon.id))) coupons.set(String(coupon.id), coupon);
  };
  for await (const code of source.list('promotion_codes')) add(couponOf(code));
  for await (const subscription of source.list('subscriptions')) add(couponOf(findDiscount(subscription)));
  return coupons;
}

/** Its one discount, where the answer holds it. */
export function findDiscount(owner: Item): Item | null {
  const first = at(owner, 'discounts', 0);
  return isItem(owner.discount) ? owner.discount : isItem(first) ? first : null;
}

/** The coupon of a discount or of a code, or its id. */
export const couponOf = (owner: Item | null): unknown =>
  owner?.coupon ?? at(owner, 'source', 'coupon') ?? at(owner, 'promotion', 'coupon');

/** As their own list has it where it does: only there it says which products it is for. */
export function findCoupon(said: unknown, coupons: ReadonlyMap<string, Item>): Item | undefined {
  const listed = coupons.get(String(isItem(said) ? said.id : said));
  return listed ?? (isItem(said) ? said : undefined);
}

interface Terms
  extends Pick<DiscountLine, 'amountType' | 'amount' | 'currency' | 'duration' | 'durationIntervals'> {}

function toTerms(coupon: Item): Terms | null {
  const percent = toNumber(coupon.percent_off);
  const amount = percent ?? toStripeMinor(coupon.amount_off, coupon.currency);
  if (amount === null || amount <= 0) return null;
  const { duration } = coupon;
  const months = toNumber(coupon.duration_in_months);
  return {
    ...{ amountType: percent === null ? 'fixed' : 'percentage', amount },
    currency: percent === null ? toCurrency(coupon.currency) : null,
    duration: duration === 'forever' || duration === 'repeating' ? duration : 'once',
    durationIntervals: duration === 'repeating' ? months : null,
  };
}

/** Coupons themselves have no code that a buyer types: they come for the subscriptions that have them. */
export function* listCoupons(coupons: ReadonlyMap<string, Item>, stays: Stays): Generator<DiscountLine> {
  for (const [ref, coupon] of coupons) {
    const terms = toTerms(coupon);
    if (terms) yield { kind: 'discount', ref, name: toText(coupon.name, 200), ...terms };
    else stays.add('no_price', ref);
  }
}

/** Codes that are for all who type them. */
export async function* listCodes(
  source: Source,
  { coupons, isMonthly, stays }: { coupons: ReadonlyMap<string, Item>; isMonthly: boolean; stays: Stays },
): AsyncGenerator<DiscountLine> {
  const running: Array<string | null> = [];
  for await (const code of source.list('promotion_codes'))
    if (code.active !== false) running.push(toCodeText(code));
  const taken = createTaken(running);
  for await (const code of source.list('promotion_codes')) {
    const ref = String(code.id);
    const coupon = findCoupon(couponOf(code), coupons);
    const terms = coupon ? toTerms(coupon) : null;
    if (!coupon || !terms) stays.add('discount_unknown', ref);
    else if (isLimited(code) || isLimited(coupon)) stays.add('discount_limited', ref);
    else if (code.active === false && taken.has(toCodeText(code))) stays.add('code_again', ref);
    else {
      taken.add(toCodeText(code));
      if (terms.duration === 'repeating' && !isMonthly) stays.add('discount_months', ref);
      const validUntil = fromSeconds(code.expires_at) ?? fromSeconds(coupon.redeem_by);
      const isActive = code.active !== false && coupon.valid !== false;
      const name = toText(coupon.name, 200);
      yield {
        kind: 'discount',
        ref,
        name,
        code: toCodeText(code),
        ...terms,
        validUntil,
        active: isActive,
      };
    }
  }
}

const toCodeText = (code: Item) => toText(code.code, 100);

const isLimited = (owner: Item): boolean =>
  owner.max_redemptions != null ||
  owner.customer != null ||
  isItem(owner.applies_to) ||
  at(owner, 'restrictions', 'first_time_transaction') === true ||
  at(owner, 'restrictions', 'minimum_amount') != null;

export interface Given {
  ref: string;
  left: number | null;
  /** Of a discount whose months are no intervals of the subscription: it is a line of its own. */
  line: DiscountLine | null;
  coupon: Item;
}

/** What a running subscription has of a coupon still; null = nothing any more. */
export function toGiven(
  { discount, coupon }: { discount: Item; coupon: Item },
  { interval, paidUntil }: { interval: Interval; paidUntil: number },
): Given | null {
  const ref = String(coupon.id);
  const terms = toTerms(coupon);
  if (terms === null) return null;
  if (terms.duration === 'forever') return { ref, left: null, line: null, coupon };
  if (terms.duration === 'once') return { ref, left: 1, line: null, coupon };
  const endMs = fromSeconds(discount.end);
  const left = endMs === null ? (terms.durationIntervals ?? 0) : countCharges(paidUntil, interval, endMs);
  if (left === 0) return null;
  if (isMonth(interval)) return { ref, left, line: null, coupon };
  const own = `${ref}:${left}x${interval.count}${interval.unit}`;
  const line: DiscountLine = {
    ...{ kind: 'discount', ref: own, name: toText(coupon.name, 200), ...terms, durationIntervals: left },
  };
  return { ref: own, left, line, coupon };
}
