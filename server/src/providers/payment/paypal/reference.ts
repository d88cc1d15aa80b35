/**
 * PayPal keeps no metadata: what a charge is of stands in the name of its order's only unit, 256 characters at most, so
 * that it is known as ours where our rows of the last hour are lost. The charge itself is the unit's `custom_id`.
 */
import { WHOLE_ID } from '../../../domain/numbers.ts';

const NAMES = [
  'cf_install',
  'cf_store',
  'cf_payment',
  'cf_order',
  'cf_purpose',
  'cf_subscription',
  'cf_period',
] as const;
const VERSION = 'cf1';
/** Of a unit that says nothing: PayPal's own word. */
const NOTHING = 'default';
const MAX = 256;

/** Ids are written without their dashes, else there is no room. */
export function writeReference(metadata: Readonly<Record<string, string>>): string {
  if (metadata.cf_install === undefined) return NOTHING;
  const words = NAMES.map((name) => (metadata[name] ?? '').replaceAll('-', ''));
  const text = [VERSION, ...words].join('.');
  return text.length <= MAX ? text : NOTHING;
}

/** Empty where it is none of ours, which anybody may have written. */
export function readReference(
  reference: string | null,
  chargeId: string | null,
): Readonly<Record<string, string>> {
  const [version, ...words] = (reference ?? '').split('.');
  if (version !== VERSION || words.length !== NAMES.length || chargeId === null || !WHOLE_ID.test(chargeId))
    return {};
  const told = NAMES.map((name, place) => [name, toWhole(words[place] ?? '')] as const);
  return { ...Object.fromEntries(told.filter(([, word]) => word !== '')), cf_charge: chargeId };
}

/** An id with its dashes; a store is an id and its mode. */
function toWhole(word: string): string {
  return word.replace(
    /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})/,
    '$1-$2-$3-$4-$5',
  );
}
