/** Offers to tick: those that the words find, and those that are ticked already. */
import { useState } from 'react';
import { type Row, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { useLocale } from '../ui/locale.tsx';
import { usePaused } from '../ui/use-paused.ts';
import { useOfferNames } from './use-offer-names.ts';

const CATALOGUE_MS = 60_000;
const PAUSE_MS = 200;

export function OffersInput(props: {
  name: string;
  chosen: readonly string[];
  toggle: (id: string) => void;
}) {
  const { t, money } = useLocale();
  const { name, chosen, toggle } = props;
  const [text, setText] = useState('');
  const term = usePaused(text.trim(), PAUSE_MS);
  const found = useOffers(term === '' ? {} : { term });
  const offers = found.data?.offers ?? [];
  // What is ticked stays in sight, whatever is looked for.
  const missing = chosen.filter((id) => !offers.some((offer) => textOf(offer, 'id') === id));
  const named =
    useOffers({ ids: chosen.join(), withArchived: 'true' }, missing.length > 0).data?.offers ?? [];
  const rows = [...offers, ...named.filter((offer) => missing.includes(textOf(offer, 'id')))];
  const nameOf = useOfferNames(rows);
  return (
    <>
      {offers.length > 0 || text !== '' ? (
        <input
          type="search"
          value={text}
          aria-label={t('form.searchOffers')}
          placeholder={t('form.searchOffers')}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            // It looks by itself; the form is not what is meant.
            if (event.key === 'Enter') event.preventDefault();
          }}
        />
      ) : null}
      {rows.map((offer) => {
        const id = textOf(offer, 'id');
        return (
          <label key={id}>
            <input type="checkbox" name={name} checked={chosen.includes(id)} onChange={() => toggle(id)} />
            {`${nameOf(offer)} · ${money(Number(offer.price), textOf(offer, 'currency') || 'USD')}`}
          </label>
        );
      })}
      {found.data && offers.length === 0 ? (
        <span className="soft" role="status">
          {t(term === '' ? 'form.noOffers' : 'form.noSuchOffer')}
        </span>
      ) : null}
    </>
  );
}

function useOffers(query: Record<string, string>, enabled = true) {
  const { may } = useStore();
  return useRead<{ offers: Row[] }>('/v0/offers/list', {
    query: new URLSearchParams({ ...query, take: '100' }).toString(),
    enabled: enabled && may('offers'),
    keep: true,
    staleMs: CATALOGUE_MS,
  });
}
