import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiError, call } from '../api/client.ts';
import { numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useWrite } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { useTools } from '../details/tools.ts';
import { nameAmount } from '../forms/values.ts';
import { Amount, Time } from '../ui/cells.tsx';
import { nameLine } from '../ui/line-name.ts';
import { useLocale } from '../ui/locale.tsx';
import { DialogFrame } from './frame.tsx';
import { PlanSelect } from './plan-select.tsx';

const PRORATIONS = ['create_prorations', 'always_invoice', 'none'] as const;

/** Another plan or quantity of an item, with what it costs before it is done: the very sum that will be charged. */
export function ChangePlan({ row, close }: { row: Row; close: () => void }) {
  const { t, language } = useLocale();
  const items = rowsOf(row, 'items');
  const currency = textOf(row, 'currency');
  const [index, setIndex] = useState(0);
  const item = items[index];
  const [asked, ask] = useState(askedOf(item));
  const [proration, setProration] = useState<string>('create_prorations');
  const write = useWrite();
  const path = `/v0/subscriptions/${encodeURIComponent(textOf(row, 'id'))}`;
  const body = { items: toLines(items, { index, asked }), prorationBehavior: proration };
  const was = askedOf(item);
  const isChanged = asked.offerId !== was.offerId || asked.quantity !== was.quantity;
  const preview = usePreview(path, body, isChanged && asked.quantity > 0);
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
      {items.length > 1 ? (
        <ItemSelect
          items={items}
          index={index}
          choose={(next) => {
            setIndex(next);
            ask(askedOf(items[next]));
          }}
        />
      ) : null}
      <PlanSelect
        key={index}
        item={item}
        currency={currency}
        offerId={asked.offerId}
        choose={(offerId) => ask({ ...asked, offerId })}
      />
      <label className="text-field">
        {t('field.quantity')}
        <input
          type="number"
          min={1}
          value={asked.quantity}
          onChange={(event) => ask({ ...asked, quantity: Number(event.currentTarget.value) })}
        />
      </label>
      <Prorations chosen={proration} choose={setProration} />
      {isChanged ? <Preview preview={preview.data?.preview ?? null} currency={currency} /> : null}
    </DialogFrame>
  );
}

interface Asked {
  /** Empty: of an item that was given a name and a price of its own. */
  offerId: string;
  quantity: number;
}

const askedOf = (item: Row | undefined): Asked => ({
  offerId: textOf(item, 'offerId'),
  quantity: numberOf(item, 'quantity') ?? 1,
});

/** The whole new set: what is not named would be taken away. */
function toLines(items: readonly Row[], { index, asked }: { index: number; asked: Asked }) {
  return items.map((item, at) => {
    const { offerId, quantity } = at === index ? asked : askedOf(item);
    if (offerId !== '' && offerId !== textOf(item, 'offerId')) return { offerId, quantity };
    // At the price that it was sold at.
    const kept = { unitPrice: Number(item.value), quantity };
    return offerId === ''
      ? { ...kept, name: textOf(item, 'name'), currency: textOf(item, 'currency') }
      : { ...kept, offerId };
  });
}

function usePreview(path: string, body: object, enabled: boolean) {
  const { store } = useStore();
  return useQuery<{ preview: Row }, ApiError>({
    queryKey: [`${store.workspaceId}/${store.mode}`, `${path}/preview-update`, JSON.stringify(body)],
    queryFn: ({ signal }) => call({ store, method: 'POST', path: `${path}/preview-update`, body, signal }),
    enabled,
  });
}

function ItemSelect(props: { items: readonly Row[]; index: number; choose: (index: number) => void }) {
  const { t, money } = useLocale();
  return (
    <label className="text-field">
      {t('changePlan.item')}
      <select value={props.index} onChange={(event) => props.choose(Number(event.currentTarget.value))}>
        {props.items.map((item, at) => (
          <option key={textOf(item, 'id')} value={at}>
            {`${textOf(item, 'name')} · ${numberOf(item, 'quantity') ?? 1} × ${money(Number(item.value), textOf(item, 'currency'))}`}
          </option>
        ))}
      </select>
    </label>
  );
}

function Prorations({ chosen, choose }: { chosen: string; choose: (proration: string) => void }) {
  const { t } = useLocale();
  return (
    <div className="option-list" role="radiogroup" aria-label={t('changePlan.proration')}>
      <span className="choice-title">{t('changePlan.proration')}</span>
      {PRORATIONS.map((one) => (
        <label key={one}>
          <input type="radio" name="proration" checked={chosen === one} onChange={() => choose(one)} />
          {t(`proration.${one}`)}
        </label>
      ))}
    </div>
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
