/** Checkout elements in the API: embeddable checkouts of a fixed cart. */
import { type Static, Type } from 'typebox';
import { pageAnswer, pageQuery, statusQuery, TAKE_MAX } from '../paging.ts';
import { Answer, Body, Component, Described, Nullable, StringEnum, Text, Uuid, Version } from '../shapes.ts';
import type { CheckoutElementRow } from './checkout-elements.queries.ts';

export const CheckoutElement = Answer('CheckoutElement', {
  object: StringEnum(['checkoutElement']),
  id: Uuid(),
  name: Nullable(Type.String()),
  subscriptionOffer: Type.Boolean({ description: 'The cart is one offer of a subscription.' }),
  offers: Type.Array(
    Answer(null, { id: Uuid(), object: StringEnum(['offer']), internalId: Nullable(Type.String()) }),
    { description: 'The cart in its order; an offer named twice is bought twice.' },
  ),
  allowedOrigins: Type.Array(Type.String(), {
    description:
      'Sites that may show it in a frame, fewer than authorizedDomains names; empty: all of those.',
  }),
  status: StringEnum(['active', 'archived']),
  version: Version(),
  url: Type.String({ description: 'The hosted page, also what an overlay or frame opens.' }),
});

const OfferIds = Type.Array(Uuid(), { minItems: 1, maxItems: 100 });

const fields = {
  offersIds: Type.Optional(OfferIds),
  offers: Type.Optional(Described(OfferIds, 'The same as `offersIds`.')),
  name: Type.Optional(Nullable(Text(150))),
  allowedOrigins: Type.Optional(
    Type.Array(Text(260), {
      maxItems: 50,
      description: 'Hosts or origins that authorizedDomains covers; in test mode of the own machine, too.',
    }),
  ),
  type: Type.Optional(Type.Unknown({ description: 'Ignored: what is sold is the offers’ to say.' })),
  // Declared only to be refused with a code of its own: clients once sent it and it was lost.
  customFields: Type.Optional(Type.Unknown({ description: 'Always refused: fields are defined per store.' })),
};

export const CreateCheckoutElement = Body(fields);
export const UpdateCheckoutElement = Body({ id: Type.Optional(Uuid()), ...fields });
export const ArchiveCheckoutElement = Body({ id: Type.Optional(Uuid()) });
export const CheckoutElementParams = Type.Object({ elementId: Uuid() });
export const ListCheckoutElements = Type.Object({
  ...pageQuery,
  // The seed's own bounds: another page size is refused here, not clamped, and any number is an offset.
  take: Type.Optional(Type.Integer({ minimum: 1, maximum: TAKE_MAX })),
  skip: Type.Optional(Type.Number({ minimum: 0, maximum: Number.MAX_VALUE })),
  ...statusQuery(['active', 'archived']),
  term: Type.Optional(Type.String({ maxLength: 200, description: 'Part of its name.' })),
  archived: Type.Optional(Type.Boolean()),
  withArchived: Type.Optional(Type.Boolean()),
});

export const CheckoutElementData = Answer(null, { checkoutElement: Component(CheckoutElement) });
/** A row of the list. */
export const ListedCheckoutElement = Answer('ListedCheckoutElement', {
  ...CheckoutElement.properties,
  paidOrders: Type.Integer({ description: 'Orders of it that were ever paid.' }),
});
export const CheckoutElementsData = Answer(null, {
  checkoutElements: Type.Array(Component(ListedCheckoutElement)),
  ...pageAnswer,
});

export function toListedCheckoutElement(
  row: CheckoutElementRow,
  publicUrl: string,
): Static<typeof ListedCheckoutElement> {
  return { ...toCheckoutElement(row, publicUrl), paidOrders: row.paidOrders };
}

/** `publicUrl` is where the buyer's pages are. */
export function toCheckoutElement(
  row: CheckoutElementRow,
  publicUrl: string,
): Static<typeof CheckoutElement> {
  return {
    object: 'checkoutElement',
    id: row.id,
    name: row.name,
    subscriptionOffer: row.subscriptionOffer,
    offers: row.offers.map(({ id, internalId }) => ({ id, object: 'offer', internalId })),
    allowedOrigins: row.allowedOrigins,
    status: row.archivedAt === null ? 'active' : 'archived',
    version: row.version,
    url: `${publicUrl}/checkout-element/${row.id}`,
  };
}
