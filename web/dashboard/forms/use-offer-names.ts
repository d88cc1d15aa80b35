import { nameOffer, type Row, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';

const CATALOGUE_MS = 60_000;

/** Names of offers; one without is called by its product, of which a list of offers tells the id alone. */
export function useOfferNames(offers: readonly Row[]): (offer: Row) => string {
  const { may } = useStore();
  const nameless = offers.filter((offer) => nameOffer(offer) === '');
  const ids = [...new Set(nameless.map((offer) => textOf(offer, 'productId')))];
  const { data } = useRead<{ products: Row[] }>('/v0/products/list', {
    query: new URLSearchParams({ ids: ids.join(), withArchived: 'true', take: '100' }).toString(),
    enabled: ids.length > 0 && may('products'),
    keep: true,
    staleMs: CATALOGUE_MS,
  });
  return (offer) => {
    const product = data?.products.find((one) => textOf(one, 'id') === textOf(offer, 'productId'));
    return nameOffer({ ...offer, product });
  };
}
