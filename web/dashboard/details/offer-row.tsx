import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { COUNTRIES } from '../../ui/countries.ts';
import { call } from '../api/client.ts';
import { nameOffer, numberOf, type Row, rowOf, textOf } from '../api/objects.ts';
import { toQueryKey, useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { Amount, Stamp } from '../ui/cells.tsx';
import { useLocale } from '../ui/locale.tsx';
import { DialogButton } from './dialog-button.tsx';
import { useTools } from './tools.ts';

/** An offer within its product: price, what a buyer of a country pays, what is left of it. */
export function OfferRow({ offer, hasKeys, country }: { offer: Row; hasKeys: boolean; country: string }) {
  const { t, tName } = useLocale();
  const tools = useTools();
  const interval = textOf(offer, 'recurringInterval');
  const url = `${window.location.origin}/checkout/${textOf(offer, 'id')}`;
  return (
    <li>
      <Stamp status={textOf(offer, 'status')} tools={tools} names="productStatus." />
      <strong>{nameOffer(offer)}</strong>
      <span>
        <Amount minor={numberOf(offer, 'price')} currency={textOf(offer, 'currency')} tools={tools} />
        {interval ? <span className="soft"> {tName('per.', interval)}</span> : null}
      </span>
      <BuyerPays offer={offer} country={country} />
      <span className="soft">{t('product.sold', { count: numberOf(offer, 'soldItems') ?? 0 })}</span>
      <Stock offer={offer} hasKeys={hasKeys} />
      <a href={url} target="_blank" rel="noreferrer">
        {t('product.checkout')}
      </a>
      <DialogButton dialog="edit-offer" row={offer} label="action.edit" area="offers" />
      <DialogButton dialog="archive-offer" row={offer} label="action.archive" area="offers" isDanger />
      {hasKeys ? (
        <>
          <DialogButton dialog="add-keys" row={offer} label="action.addKeys" area="offer-keys" />
          <DialogButton
            dialog="remove-unsold-keys"
            row={offer}
            label="action.removeUnsoldKeys"
            area="offer-keys"
            isDanger
          />
        </>
      ) : null}
    </li>
  );
}

/** Where the buyer is thought to be whose price is shown. */
export function BuyerCountry({ country, choose }: { country: string; choose: (country: string) => void }) {
  const { t, countryName } = useLocale();
  return (
    <p className="buyer-country">
      <label>
        {t('product.buyerCountry')}{' '}
        <select value={country} onChange={(event) => choose(event.currentTarget.value)}>
          {COUNTRIES.map((code) => ({ code, name: countryName(code) }))
            .sort((a, b) => a.name.localeCompare(b.name))
            .map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
        </select>
      </label>
    </p>
  );
}

const PRICE_MS = 60_000;

/** As the API computes it; nothing where it cannot say, as of a country that needs a postal code. */
function BuyerPays({ offer, country }: { offer: Row; country: string }) {
  const { t, money } = useLocale();
  const { store, may } = useStore();
  const body = { offerId: textOf(offer, 'id'), customer: { countryCode: country } };
  const path = '/v0/tax/calculate';
  const read = useQuery<Row>({
    queryKey: [...toQueryKey(store, path), JSON.stringify(body), textOf(offer, 'version')],
    queryFn: ({ signal }) => call<Row>({ store, method: 'POST', path, body, signal }),
    enabled: may('tax') && textOf(offer, 'status') === 'ACTIVE',
    staleTime: PRICE_MS,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (read.isError) return <span className="soft">{t('product.buyerPaysUnknown', { country })}</span>;
  const tax = rowOf(read.data, 'tax');
  const total = numberOf(tax, 'total');
  if (total === null) return null;
  return (
    <span>
      {t('product.buyerPays', {
        country,
        amount: money(total, textOf(tax, 'currency'), numberOf(tax, 'currencyDecimals')),
      })}
    </span>
  );
}

function Stock({ offer, hasKeys }: { offer: Row; hasKeys: boolean }) {
  const { t } = useLocale();
  const { may } = useStore();
  const read = useRead<{ offer: Row }>(`/v0/offers/${textOf(offer, 'id')}`, {
    enabled: hasKeys && may('offers'),
  });
  const limit = numberOf(offer, 'limit');
  const keys = numberOf(rowOf(read.data?.offer, 'keys'), 'available');
  const left = limit === null ? null : Math.max(limit - (numberOf(offer, 'soldItems') ?? 0), 0);
  return (
    <>
      {keys === null ? null : <span className="soft">{t('product.keysLeft', { count: keys })}</span>}
      {left === null ? null : <span className="soft">{t('product.salesLeft', { count: left })}</span>}
    </>
  );
}
