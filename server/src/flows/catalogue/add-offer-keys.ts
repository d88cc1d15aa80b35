/** New stock of an offer: what is new goes on the shelf, and from there first to buyers who paid and wait. */
import type { Static } from 'typebox';
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { isLongerThan } from '../../domain/characters.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { isBlank } from '../../domain/require-words.ts';
import { planStock } from '../../domain/stock.ts';
import {
  countStocked,
  insertOfferKeys,
  lockAvailableKeys,
  lockItemsAwaitingStock,
  updateKeysSold,
} from '../../resources/offer-keys/offer-keys.queries.ts';
import type { AddOfferKeys } from '../../resources/offer-keys/offer-keys.schema.ts';
import { lockOffer, updateOffer } from '../../resources/offers/offers.queries.ts';
import { updateItemFulfilment } from '../../resources/orders/orders.queries.ts';
import { queueBuyerMails } from '../outbox/queue-mail.ts';

type Input = Static<typeof AddOfferKeys>;

/** A key that cannot be stocked, by its place in the request. */
interface InvalidKey {
  index: number;
  message: string;
}

export interface AddedKeys {
  added: number;
  duplicates: number;
  /** Of a dry run alone: an add refuses them. */
  invalid: InvalidKey[];
}

const KEY_LENGTH_MAX = 512;

/** Throws not_found, keys_on_subscription, and invalid_input for a productId of another product. */
export async function addOfferKeys(
  ctx: Step,
  scope: Scope,
  { tx, offerId, input }: { tx: Tx; offerId: string; input: Input },
): Promise<AddedKeys> {
  const texts = chooseTexts(input);
  // The lock makes two adds, or an add and a purchase that finds the shelf empty, come one after the other.
  const offer = await lockOffer(tx, scope, offerId);
  if (!offer) throw new Refusal('not_found');
  if (offer.productType === 'Subscription') throw new Refusal('keys_on_subscription');
  if (input.productId !== undefined && input.productId !== offer.productId) {
    throw invalidField('productId', "must be the offer's product");
  }

  const invalid = findInvalid(texts);
  if (input.dryRun) return tryKeys(tx, scope, { offerId, texts, invalid });
  const [first] = invalid;
  if (first)
    throw invalidField(`${input.productKeys ? 'productKeys' : 'keys'}.${first.index}`, first.message);

  const keys = [...new Set(texts)].map((text) => ({ id: ctx.ids.next(ctx.nowMs), text }));
  const fileName = input.fileName ?? null;
  const added = await insertOfferKeys(tx, scope, { offerId, fileName, createdAt: ctx.nowMs, keys });
  if (!offer.hasKeys) await updateOffer(tx, scope, { id: offerId, hasKeys: true, updatedAt: ctx.nowMs });
  await deliverStock(ctx, scope, { tx, offerId });
  return { added, duplicates: texts.length - added, invalid: [] };
}

/** What would become of each key; nothing is written. */
async function tryKeys(
  tx: Tx,
  scope: Scope,
  { offerId, texts, invalid }: { offerId: string; texts: string[]; invalid: InvalidKey[] },
): Promise<AddedKeys> {
  const left = new Set(invalid.map(({ index }) => index));
  const valid = texts.filter((_text, index) => !left.has(index));
  const named = [...new Set(valid)];
  const added = named.length - (await countStocked(tx, scope, { offerId, texts: named }));
  return { added, duplicates: valid.length - added, invalid };
}

function findInvalid(texts: readonly string[]): InvalidKey[] {
  return texts.flatMap((text, index) => {
    if (isBlank(text)) return [{ index, message: 'must not be empty' }];
    return isLongerThan(text, KEY_LENGTH_MAX)
      ? [{ index, message: `must have at most ${KEY_LENGTH_MAX} characters` }]
      : [];
  });
}

/**
 * `keys` is the older name of `productKeys`. White space around a key is of the file that it was read from, no part
 * of the key: with it, one key would stand on the shelf twice and be sold twice.
 */
function chooseTexts({ productKeys, keys }: Input): string[] {
  if (productKeys && keys) throw invalidField('keys', 'must be left out where productKeys is given');
  const texts = productKeys ?? keys;
  if (!texts) throw invalidField('productKeys', 'is required');
  return texts.map((text) => text.trim());
}

async function deliverStock(
  ctx: Step,
  scope: Scope,
  { tx, offerId }: { tx: Tx; offerId: string },
): Promise<void> {
  const waiting = await lockItemsAwaitingStock(tx, scope, offerId);
  if (waiting.length === 0) return;
  const count = waiting.reduce((sum, { missing }) => sum + Math.max(missing, 0), 0);
  const keyIds = await lockAvailableKeys(tx, scope, { offerId, count });
  const { deliveries, completed } = planStock(waiting, keyIds);
  if (deliveries.length > 0) await updateKeysSold(tx, scope, { keys: deliveries, soldAt: ctx.nowMs });
  if (completed.length > 0) await updateItemFulfilment(tx, scope, completed, 'delivered');
  await queueBuyerMails(
    tx,
    scope,
    waiting
      .filter(({ id }) => completed.includes(id))
      .map(({ id, orderId }) => ({
        kind: 'key_delivery',
        key: `key_delivery:${id}`,
        at: ctx.nowMs,
        orderId,
        params: { itemIds: [id] },
      })),
  );
}
