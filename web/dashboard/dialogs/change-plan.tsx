import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiError, call } from '../api/client.ts';
import { numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { useTools } from '../details/tools.ts';
import { nameAmount } from '../forms/values.ts';
import { Amount, Time } from '../ui/cells.tsx';
import { nameLine } from '../ui/line-name.ts';
import { useLocale } from '../ui/locale.tsx';
import { DialogFrame } from './frame.tsx';

const PRORATIONS = ['create_prorations', 'always_invoice', 'none'] as const;

/** Another plan or quantity, with what it costs before it is done: the very sum that will be charged. */
export function ChangePlan({ row, close }: { row: Row; close: () => void }) {
  const { t, tName, money, language } = useLocale();
  const { store } = useStore();
  const [item] = rowsOf(row, 'items');
  const currency = textOf(row, 'currency');
  const current = textOf(item, 'offerId');
  const [offerId, setOfferId] = useState(current);
  const [quantity, setQuantity] = useState(numberOf(item, 'quantity') ?? 1);
  const [proration, setProration] = useState<string>('create_prorations');
  const write = useWrite();
  const offers = useRead<{ offers: Row[] }>('/v0/offers/list', {
    query: 'product.types=Subscription&statuses=ACTIVE&take=100',
  });
  const path = `/v0/subscriptions/${encodeURIComponent(textOf(row, 'id'))}`;
  const body = { offerId, quantity, prorationBehavior: proration };
  const isChanged = offerId !== current || quantity !== (numberOf(item, 'quantity') ?? 1);
  const preview = useQuery<{ preview: Row }, ApiError>({
    queryKey: [`${store.workspaceId}/${store.mode}`, `${path}/preview-update`, JSON.stringify(body)],
    queryFn: ({ signal }) => call({ store, method: 'POST', path: `${path}/preview-update`, body, signal }),
    enabled: isChanged && quantity > 0,
  });
  const due = numberOf(preview.data?.preview, 'amountDue');
  const submit = () =>
    write.mutate(
      { method: 'PATCH', path: `${path}/update`, body },
      {
        onSuccess: () => {
          notifications.show({ message: t('form.done') });
          close();
        },
      },
    );
  const options = (offers.data?.offers ?? []).filter((offer) => textOf(offer, 'currency') === currency);
  // One that is sold no more is still what they have.
  const isSold = options.some((offer) => textOf(offer, 'id') === current);
  return (
    <DialogFrame
      title={t('action.changePlan')}
      text={t('changePlan.text')}
      confirm={
        due
          ? t('changePlan.confirmPay', { amount: nameAmount(due, currency, language) })
          : t('action.changePlan')
      }
      isBusy={write.isPending}
      isOff={!isChanged}
      error={write.error ?? preview.error}
      close={close}
      submit={submit}
    >
      <label className="text-field">
        {t('column.plan')}
        <select value={offerId} onChange={(event) => setOfferId(event.currentTarget.value)}>
          {isSold ? null : <option value={current}>{textOf(item, 'name')}</option>}
          {options.map((offer) => (
            <option key={textOf(offer, 'id')} value={textOf(offer, 'id')}>
              {`${textOf(offer, 'name')} · ${money(Number(offer.price), currency)} ${tName('per.', textOf(offer, 'recurringInterval'))}`}
            </option>
          ))}
        </select>
      </label>
      <label className="text-field">
        {t('field.quantity')}
        <input
          type="number"
          min={1}
          value={quantity}
          onChange={(event) => setQuantity(Number(event.currentTarget.value))}
        />
      </label>
      <div className="option-list" role="radiogroup" aria-label={t('changePlan.proration')}>
        <span className="choice-title">{t('changePlan.proration')}</span>
        {PRORATIONS.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="proration"
              checked={proration === one}
              onChange={() => setProration(one)}
            />
            {t(`proration.${one}`)}
          </label>
        ))}
      </div>
      {isChanged ? <Preview preview={preview.data?.preview ?? null} currency={currency} /> : null}
    </DialogFrame>
  );
}

function Preview({ preview, currency }: { preview: Row | null; currency: string }) {
  const locale = useLocale();
  const { t } = locale;
  const tools = useTools();
  const next = rowOf(preview, 'nextPayment');
  return (
    <section className="happens" aria-label={t('preview.title')} aria-busy={preview === null}>
      <h3>{t('preview.title')}</h3>
      <dl className="totals">
        {rowsOf(preview, 'lines').map((line, index) => (
          <div key={textOf(line, 'id') || `${textOf(line, 'name')} ${index}`}>
            <dt>{nameLine(textOf(line, 'name'), locale)}</dt>
            <dd>
              <Amount minor={numberOf(line, 'total')} currency={currency} tools={tools} />
            </dd>
          </div>
        ))}
        <div className="strong">
          <dt>{t('preview.dueNow')}</dt>
          <dd>
            <Amount minor={numberOf(preview, 'amountDue')} currency={currency} tools={tools} />
          </dd>
        </div>
        {numberOf(preview, 'amountReturned') ? (
          <div>
            <dt>{t('preview.returned')}</dt>
            <dd>
              <Amount minor={numberOf(preview, 'amountReturned')} currency={currency} tools={tools} />
            </dd>
          </div>
        ) : null}
        {next ? (
          <div>
            <dt>
              {t('subscription.next')} <Time ms={numberOf(next, 'date')} tools={tools} isDay />
            </dt>
            <dd>
              <Amount minor={numberOf(next, 'value')} currency={currency} tools={tools} />
            </dd>
          </div>
        ) : null}
      </dl>
    </section>
  );
}
