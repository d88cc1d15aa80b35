/** What a converter leaves where it is, and says: nothing is lost in silence. */

const MESSAGES = {
  tiered_price: 'is priced by tiers',
  metered_price: 'is charged by use',
  custom_price: 'has a price that the buyer chooses',
  fractional_price: 'has a price below the smallest unit of its currency',
  grouped_quantity: 'is priced by groups of units',
  free_price: 'costs nothing, and recurs',
  send_invoice: 'is paid by invoices that are sent',
  paused_collection: 'is paused',
  open_dispute: 'is disputed: the case goes on there',
  ended: 'has ended',
  no_period: 'does not say until when it is paid',
  no_email: 'has no e-mail address',
  several_discounts: 'has more than one discount',
  discount_unknown: 'has a discount that the lists do not hold',
  discount_limited: 'is a discount that is not for all offers or buyers, or limited in number',
  code_again: 'has ended, and its code is that of another',
  discount_months: 'lasts some months there, and here as many charges, of longer plans too',
  later_change: 'comes without the change that is planned there for later',
  card: 'has its card there: buyers without a transferred one are asked for it',
  source_card: 'is an old kind of card that cannot be charged here',
  card_without_method: 'has a transferred card whose pm_… is not said',
  refunded: 'was refunded',
  disputed: 'was disputed',
  key_of_subscription: 'is the key of a subscription, whose offers have none here',
  unknown_offer: 'names a price or product that the lists do not hold',
  unknown_customer: 'names a customer that the lists do not hold',
  no_price: 'says no price',
  unpaid: 'was not paid',
} as const;
export type StayCode = keyof typeof MESSAGES;

export interface Stay {
  code: StayCode;
  message: string;
  count: number;
  /** The first hundred. */
  refs: string[];
}

const SHOWN_MAX = 100;

export interface Stays {
  add(code: StayCode, ref: string): void;
  list(): Stay[];
}

export function createStays(): Stays {
  const found = new Map<StayCode, Stay>();
  return {
    add(code, ref) {
      const stay = found.get(code) ?? { code, message: MESSAGES[code], count: 0, refs: [] };
      stay.count += 1;
      if (stay.refs.length < SHOWN_MAX) stay.refs.push(ref);
      found.set(code, stay);
    },
    list: () => [...found.values()],
  };
}

const NAMED = 3;

/** A line for each reason: how many, why, and some of them by name. */
export const toSentence = ({ message, count, refs }: Stay): string =>
  `Stays there: ${count} × ${message} (${refs.slice(0, NAMED).join(', ')}${count > NAMED ? ', …' : ''}).`;
