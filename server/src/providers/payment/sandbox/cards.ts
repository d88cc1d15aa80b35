/**
 * The sandbox's cards: public test numbers, each with one behaviour. What is stored of a card is its
 * name here, so that no card number, not even one of these, ever lies in the store.
 */
import { type CardBrand, type CardWallet, isCardWallet } from '../../../domain/processors/card-words.ts';
import type { PaymentMethodDetails } from '../method-details.ts';
import type { DeclineReason } from './declines.ts';

export type CardBehaviour =
  | { kind: 'succeeds' }
  | { kind: 'declines'; reason: DeclineReason }
  /** Succeeds once the buyer approved it; then also off-session, as a bank exempts a card it has seen. */
  | { kind: 'authenticates' }
  | { kind: 'authenticates_then_declines' }
  /** As stored method it pays once: whatever comes later is declined. */
  | { kind: 'charges_once' }
  | { kind: 'is_disputed' }
  | { kind: 'is_unknown_first' };

export interface SandboxCard {
  /** Stable: it is stored, and is what a stored reference names. */
  name: string;
  number: string;
  brand: CardBrand;
  behaviour: CardBehaviour;
}

function card(
  name: string,
  number: string,
  behaviour: CardBehaviour,
  brand: CardBrand = 'visa',
): SandboxCard {
  return { name, number, brand, behaviour };
}

const succeeds: CardBehaviour = { kind: 'succeeds' };

export const SANDBOX_CARDS: readonly SandboxCard[] = [
  card('visa', '4242424242424242', succeeds),
  card('mastercard', '5555555555554444', succeeds, 'mastercard'),
  card('amex', '378282246310005', succeeds, 'amex'),
  card('discover', '6011111111111117', succeeds, 'discover'),
  card('diners', '3056930009020004', succeeds, 'diners'),
  card('jcb', '3566002020360505', succeeds, 'jcb'),
  card('unionpay', '6200000000000005', succeeds, 'unionpay'),
  card('declined', '4000000000000002', { kind: 'declines', reason: 'card_declined' }),
  card('insufficient_funds', '4000000000009995', { kind: 'declines', reason: 'insufficient_funds' }),
  card('lost', '4000000000009987', { kind: 'declines', reason: 'lost_card' }),
  card('expired', '4000000000000069', { kind: 'declines', reason: 'expired_card' }),
  card('incorrect_cvc', '4000000000000127', { kind: 'declines', reason: 'incorrect_cvc' }),
  card('authentication', '4000002500003155', { kind: 'authenticates' }),
  card('authentication_declined', '4000008400001629', { kind: 'authenticates_then_declines' }),
  card('charge_once', '4000000000000341', { kind: 'charges_once' }),
  card('disputed', '4000000000000259', { kind: 'is_disputed' }),
  card('unknown_first', '4000000000000119', { kind: 'is_unknown_first' }),
];

/** Where all sandbox cards were issued, which is evidence of the buyer's location. */
export const CARD_COUNTRY = 'US';

const byNumber = new Map(SANDBOX_CARDS.map((entry) => [entry.number, entry]));
const byName = new Map(SANDBOX_CARDS.map((entry) => [entry.name, entry]));
const byShownName = new Map(SANDBOX_CARDS.map((entry) => [toShownName(entry), entry]));

export function findCardByNumber(number: string): SandboxCard | undefined {
  return byNumber.get(number);
}

export function findCardByName(name: string): SandboxCard | undefined {
  return byName.get(name);
}

/** A card as it can be charged: alone, or by way of a wallet. */
export interface CardInWallet {
  card: SandboxCard;
  wallet: CardWallet | null;
}

const PREFIX = 'card_';

/** What a card is called where people read it: its brand and last four digits tell it from all others. */
function toShownName({ brand, number }: SandboxCard): string {
  return `${brand}_${number.slice(-4)}`;
}

/** The reference that charges the card again: `card_<name>`, or `card_<name>:<wallet>`. */
export function toReference({ card: { name }, wallet }: CardInWallet): string {
  return `${PREFIX}${name}${wallet ? `:${wallet}` : ''}`;
}

/** The reference as it is shown: `card_<brand>_<last four digits>`. It names the card, and holds no number. */
export function toShownReference({ card, wallet }: CardInWallet): string {
  return `${PREFIX}${toShownName(card)}${wallet ? `:${wallet}` : ''}`;
}

/**
 * The card that a reference stands for, null when it is none of the sandbox's. `card_<number>`, which a
 * merchant gives as `paymentData.sandboxCustomerId`, is understood as well, and so is what is shown of it.
 */
export function parseReference(reference: string): CardInWallet | null {
  if (!reference.startsWith(PREFIX)) return null;
  const [key = '', wallet] = reference.slice(PREFIX.length).split(':');
  const found = byNumber.get(key) ?? byName.get(key) ?? byShownName.get(key);
  if (!found) return null;
  if (wallet === undefined) return { card: found, wallet: null };
  return isCardWallet(wallet) ? { card: found, wallet } : null;
}

export function toCardDetails({ card: { number, brand }, wallet }: CardInWallet): PaymentMethodDetails {
  const last4 = number.slice(-4);
  const walletDetails = wallet ? { type: wallet, dynamicLast4: toDynamicLast4(last4) } : null;
  return {
    type: 'card',
    brand,
    last4,
    card: { brand, last4, country: CARD_COUNTRY, network: brand, wallet: walletDetails },
  };
}

/** A wallet pays with a number of the device's own, so that its last digits must differ from the card's. */
function toDynamicLast4(last4: string): string {
  return String((Number(last4) + 4821) % 10_000).padStart(4, '0');
}
