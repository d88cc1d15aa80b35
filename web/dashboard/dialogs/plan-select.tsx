/** The plans that an item may change to: those that the words find, and the one that it has. */
import { useState } from 'react';
import { numberOf, type Row, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { useOfferNames } from '../forms/use-offer-names.ts';
import { useLocale } from '../ui/locale.tsx';
import { usePaused } from '../ui/use-paused.ts';

const PLANS = { 'product.types': 'Subscription', statuses: 'ACTIVE', take: '100' };
const PAUSE_MS = 200;
/** From as many on a list is longer than the eye goes along. */
const SEARCHED_FROM = 12;

export function PlanSelect(props: {
  item: Row | undefined;
  currency: string;
  offerId: string;
  choose: (offerId: string) => void;
}) {
  const { may } = useStore();
  const { t, tName, money } = useLocale();
  const { item, currency, offerId, choose } = props;
  const [text, setText] = useState('');
  /** What is chosen stays to be seen, whatever is looked for after it. */
  const [chosen, setChosen] = useState<Row | null>(null);
  const term = usePaused(text.trim(), PAUSE_MS);
  const read = useRead<{ offers: Row[]; count: number }>('/v0/offers/list', {
    query: new URLSearchParams({ ...PLANS, ...(term === '' ? {} : { term }) }).toString(),
    keep: true,
    enabled: may('offers'),
  });
  const found = (read.data?.offers ?? []).filter((offer) => textOf(offer, 'currency') === currency);
  const has = (id: string) => found.some((offer) => textOf(offer, 'id') === id);
  const current = textOf(item, 'offerId');
  const isKept = chosen !== null && textOf(chosen, 'id') === offerId && offerId !== current && !has(offerId);
  const nameOf = useOfferNames(isKept ? [...found, chosen] : found);
  const name = (offer: Row) =>
    `${nameOf(offer)} · ${money(Number(offer.price), currency)} ${tName('per.', textOf(offer, 'recurringInterval'))}`;
  const take = (id: string) => {
    setChosen(found.find((offer) => textOf(offer, 'id') === id) ?? null);
    choose(id);
  };
  return (
    <>
      {text !== '' || (numberOf(read.data, 'count') ?? 0) > SEARCHED_FROM ? (
        <input
          type="search"
          value={text}
          aria-label={t('changePlan.search')}
          placeholder={t('changePlan.search')}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            // It looks by itself; the dialog is not what is meant.
            if (event.key === 'Enter') event.preventDefault();
          }}
        />
      ) : null}
      <label className="text-field">
        {t('column.plan')}
        <select value={offerId} onChange={(event) => take(event.currentTarget.value)}>
          {/* One that is sold no more is still what they have. */}
          {has(current) ? null : <option value={current}>{textOf(item, 'name')}</option>}
          {isKept ? <option value={offerId}>{name(chosen)}</option> : null}
          {found.map((offer) => (
            <option key={textOf(offer, 'id')} value={textOf(offer, 'id')}>
              {name(offer)}
            </option>
          ))}
        </select>
      </label>
      {read.data && found.length === 0 && term !== '' ? (
        <span className="soft" role="status">
          {t('changePlan.none')}
        </span>
      ) : null}
    </>
  );
}
