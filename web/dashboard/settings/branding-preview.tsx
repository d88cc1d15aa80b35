import { useMemo } from 'react';
import { type Row, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { CheckoutPreview } from '../details/checkout-preview.tsx';
import { useLocale } from '../ui/locale.tsx';

const BLOCK = 'branding.';
const CATALOGUE_MS = 60_000;

/** The first thing that is for sale, in the look that the form holds and nobody has saved yet. */
export function BrandingPreview({ values }: { values: Record<string, unknown> }) {
  const { t } = useLocale();
  const { may } = useStore();
  const offers = useRead<Row>('/v0/offers/list', {
    query: 'take=1',
    staleMs: CATALOGUE_MS,
    enabled: may('offers') && may('products'),
  });
  const [offer] = rowsOf(offers.data, 'offers');
  const branding = useMemo(() => {
    const entries = Object.entries(values).filter(([name]) => name.startsWith(BLOCK));
    return Object.fromEntries(entries.map(([name, value]) => [name.slice(BLOCK.length), value || null]));
  }, [values]);
  return (
    <section className="part" aria-labelledby="branding-preview">
      <h2 id="branding-preview">{t('checkout.preview')}</h2>
      {offer ? (
        <CheckoutPreview kind="offer" id={textOf(offer, 'id')} branding={branding} />
      ) : (
        <p className="soft">{t('settings.noPreview')}</p>
      )}
    </section>
  );
}
