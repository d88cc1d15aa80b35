/** Taking keys off the shelf. Putting them on it is the flow `add-offer-keys`. */
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import {
  deleteAvailableKeys,
  deleteOfferKey,
  lockOfferKey,
} from '../../resources/offer-keys/offer-keys.queries.ts';
import { hasOffer } from '../../resources/offers/offers.queries.ts';

/** A key that a buyer has seen (sold, revoked) or may be about to see (reserved) stays. */
export async function removeOfferKey(
  tx: Tx,
  scope: Scope,
  { offerId, keyId }: { offerId: string; keyId: string },
): Promise<void> {
  const key = await lockOfferKey(tx, scope, { offerId, keyId });
  if (!key) throw new Refusal('not_found');
  if (key.status === 'reserved') throw new Refusal('key_reserved');
  if (key.status !== 'available') throw new Refusal('key_sold');
  await deleteOfferKey(tx, scope, keyId);
}

/** The offer goes on selling only what is in stock: it is sold out then. Returns the number removed. */
export async function removeAllUnsoldKeys(tx: Tx, scope: Scope, offerId: string): Promise<number> {
  if (!(await hasOffer(tx, scope, offerId))) throw new Refusal('not_found');
  return deleteAvailableKeys(tx, scope, offerId);
}
