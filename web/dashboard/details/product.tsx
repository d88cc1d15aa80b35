import { useState } from 'react';
import { nameOffer, numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { FormButton } from '../forms/form-button.tsx';
import { Amount, Stamp, Time } from '../ui/cells.tsx';
import { useLocale } from '../ui/locale.tsx';
import { CopyToLiveButton } from './copy-to-live-button.tsx';
import { CopyableId, Detail, Fact, Facts, Part, Read } from './detail.tsx';
import { DialogButton } from './dialog-button.tsx';
import { BuyerCountry, OfferRow } from './offer-row.tsx';
import { Pictures, usePicture } from './pictures.tsx';
import { useTools } from './tools.ts';

export function Product({ id }: { id: string }) {
  const path = `/v0/products/${encodeURIComponent(id)}`;
  return <Read path={path} show={(data) => <Shown path={path} data={data} />} />;
}

function Shown({ path, data }: { path: string; data: Row }) {
  const { t } = useLocale();
  const tools = useTools();
  const { may } = useStore();
  const product = rowOf(data, 'product') ?? data;
  const plans = rowsOf(product, 'plans');
  const offers = rowsOf(product, 'offers');
  const isSubscription = textOf(product, 'type') === 'Subscription';
  const isArchived = numberOf(product, 'archivedAt') !== null;
  const [country, setCountry] = useState('DE');
  const given = { productId: textOf(product, 'id'), plans, isSubscription };
  return (
    <Detail
      title={textOf(product, 'name')}
      path={path}
      data={data}
      status={
        <Stamp
          status={isArchived ? 'archived' : textOf(product, 'status')}
          tools={tools}
          names="productStatus."
        />
      }
      stub={<ProductStub product={product} />}
      actions={
        <>
          <DialogButton dialog="edit-product" row={product} label="action.edit" area="products" />
          <CopyToLiveButton row={product} dialog="copy-product" area="products" />
          {isArchived ? (
            <DialogButton dialog="unarchive-product" row={product} label="action.unarchive" area="products" />
          ) : (
            <DialogButton
              dialog="archive-product"
              row={product}
              label="action.archive"
              area="products"
              isDanger
            />
          )}
        </>
      }
      overview={
        <>
          {textOf(product, 'description') ? <p className="lead">{textOf(product, 'description')}</p> : null}
          <Pictures product={product} />
          {isSubscription ? <Plans plans={plans} given={given} /> : null}
          <Part
            id="offers"
            title={t('product.offers')}
            aside={
              may('offers', 'write') ? (
                <FormButton form="offer" given={given} label={t('form.createOffer')} />
              ) : null
            }
          >
            {offers.length === 0 ? (
              <p className="soft">{t('product.noOffers')}</p>
            ) : (
              <BuyerCountry country={country} choose={setCountry} />
            )}
            <ul className="row-list">
              {offers.map((offer) => (
                <OfferRow
                  key={textOf(offer, 'id')}
                  offer={offer}
                  country={country}
                  hasKeys={['Game', 'SoftwareKey', 'GiftCard'].includes(textOf(product, 'type'))}
                />
              ))}
            </ul>
          </Part>
          <ArchivedOffers productId={textOf(product, 'id')} />
        </>
      }
    />
  );
}

function Plans({ plans, given }: { plans: Row[]; given: Record<string, unknown> }) {
  const { t } = useLocale();
  const { may } = useStore();
  return (
    <Part
      id="plans"
      title={t('product.plans')}
      aside={
        may('products', 'write') ? <FormButton form="plan" given={given} label={t('form.addPlan')} /> : null
      }
    >
      {plans.length === 0 ? <p className="soft">{t('none')}</p> : null}
      <ul className="row-list">
        {plans.map((plan) => (
          <li key={textOf(plan, 'id')}>
            <strong>{textOf(plan, 'name')}</strong>
            <span className="soft">{textOf(plan, 'description')}</span>
            <DialogButton dialog="edit-plan" row={plan} label="action.edit" area="products" />
            <DialogButton dialog="archive-plan" row={plan} label="action.archive" area="products" isDanger />
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** What is sold no more, until somebody takes it back. */
function ArchivedOffers({ productId }: { productId: string }) {
  const { t } = useLocale();
  const tools = useTools();
  const { may } = useStore();
  const query = new URLSearchParams({ product: productId, archived: 'true', take: '100' }).toString();
  const read = useRead<{ offers: Row[] }>('/v0/offers/list', { query, enabled: may('offers') });
  const offers = read.data?.offers ?? [];
  if (offers.length === 0) return null;
  return (
    <Part id="archived-offers" title={t('product.archivedOffers')}>
      <ul className="row-list">
        {offers.map((offer) => (
          <li key={textOf(offer, 'id')}>
            <strong>{nameOffer(offer)}</strong>
            <Amount minor={numberOf(offer, 'price')} currency={textOf(offer, 'currency')} tools={tools} />
            <DialogButton dialog="unarchive-offer" row={offer} label="action.unarchive" area="offers" />
          </li>
        ))}
      </ul>
    </Part>
  );
}

function ProductStub({ product }: { product: Row }) {
  const { t, tName } = useLocale();
  const tools = useTools();
  const cover = textOf(product, 'cover');
  const { isShown, onError } = usePicture(cover);
  return (
    <>
      {isShown ? <img className="stub-picture" src={cover} alt="" onError={onError} /> : null}
      <Facts>
        <Fact name={t('column.type')}>{tName('product.', textOf(product, 'type'))}</Fact>
        <Fact name={t('product.cover')}>{isShown ? null : cover}</Fact>
        <Fact name={t('column.internalId')}>{textOf(product, 'internalId')}</Fact>
        <Fact name={t('product.withdrawal')}>{tName('withdrawalOf.', textOf(product, 'withdrawal'))}</Fact>
        <Fact name={t('column.created')}>
          <Time ms={numberOf(product, 'createdAt')} tools={tools} />
        </Fact>
        <Fact name={t('column.id')}>
          <CopyableId id={textOf(product, 'id')} />
        </Fact>
      </Facts>
    </>
  );
}
