import { useState } from 'preact/hooks';
import { stateWithdrawal } from '../ui/api.ts';
import { useLocale } from '../ui/locale.tsx';
import { SelectField, TextField } from '../ui/parts/field.tsx';
import { Notice } from '../ui/parts/notice.tsx';
import type { FormPage, OwnOrders, Received } from '../ui/statement.ts';
import type { TextKey } from '../ui/texts.ts';
import { Frame } from './frame.tsx';
import { ReceivedPanel } from './received.tsx';
import { useStatement } from './use-statement.ts';

const FIELDS = ['name', 'orderNumber', 'email', 'part', 'items'];

/** Withdraws from a contract: who, from which, and where the confirmation goes. No reason is asked. */
export function WithdrawPage({ page }: { page: FormPage }) {
  const { t, language } = useLocale();
  const own = page.own?.orders.length ? page.own : null;
  const first = own?.orders.find(({ number }) => number === page.number) ?? own?.orders[0];
  const [values, setValues] = useState({
    name: own?.name ?? '',
    orderNumber: first?.number ?? page.number,
    email: own?.email ?? '',
    part: '',
  });
  const [left, setLeft] = useState<readonly string[]>([]);
  const order = own?.orders.find(({ number }) => number === values.orderNumber);
  const ticked = order?.items.filter(({ id }) => !left.includes(id)) ?? [];
  const statement = useStatement<{ withdrawal: Received; confirmationUrl: string }>(FIELDS);
  const { errors, received } = statement;
  const change = (field: keyof typeof values, value: string) => {
    statement.clearError(field);
    setValues((before) => ({ ...before, [field]: value }));
  };
  const submit = () => {
    const { name, orderNumber, email, part } = values;
    const isPart = order !== undefined && ticked.length < order.items.length;
    const missing = findMissing(values, { hasNoItem: order !== undefined && ticked.length === 0 });
    const body = {
      ...{ store: page.store, testMode: page.testMode, language, part: part.trim() || null },
      items: isPart ? ticked.map(({ id }) => id) : null,
      ...{ name: name.trim(), orderNumber: orderNumber.trim(), email: email.trim() },
    };
    return statement.send(missing, () => stateWithdrawal(body));
  };
  if (received) return <WithdrawalReceived page={page} received={received} values={values} />;
  return (
    <Frame page={page} title={t('withdraw.title')}>
      <h1>{t('withdraw.title')}</h1>
      <p>{t('withdraw.text', { seller: page.seller.name })}</p>
      <form
        class="statement-form"
        ref={statement.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          label={t('statement.name')}
          name="name"
          value={values.name}
          error={errors.name}
          onValue={(value) => change('name', value)}
          input={{ autocomplete: 'name' }}
        />
        {own ? (
          <OwnOrder
            own={own}
            number={values.orderNumber}
            left={left}
            error={errors.items}
            onNumber={(value) => change('orderNumber', value)}
            onLeft={(ids) => {
              statement.clearError('items');
              setLeft(ids);
            }}
          />
        ) : (
          <TextField
            label={t('statement.orderNumber')}
            name="orderNumber"
            value={values.orderNumber}
            error={errors.orderNumber}
            hint={t('withdraw.orderHint')}
            onValue={(value) => change('orderNumber', value)}
            input={{ autocomplete: 'off', spellcheck: false }}
          />
        )}
        <TextField
          label={t('withdraw.email')}
          name="email"
          value={values.email}
          error={errors.email}
          onValue={(value) => change('email', value)}
          input={{ type: 'email', autocomplete: 'email', inputMode: 'email', spellcheck: false }}
        />
        {!own && (
          <TextField
            label={t('withdraw.part')}
            name="part"
            value={values.part}
            error={errors.part}
            onValue={(value) => change('part', value)}
            input={{ autocomplete: 'off' }}
          />
        )}
        {statement.notice && <Notice text={statement.notice} />}
        <button type="submit" class="primary" disabled={statement.isBusy} aria-busy={statement.isBusy}>
          <span>{t('withdraw.submit')}</span>
        </button>
      </form>
    </Frame>
  );
}

/** What has to be said for the statement to be one, by its field. */
function findMissing(
  { name, orderNumber, email }: { name: string; orderNumber: string; email: string },
  { hasNoItem }: { hasNoItem: boolean },
): Record<string, TextKey> {
  return {
    ...(hasNoItem ? { items: 'missing.items' } : {}),
    ...(name.trim() ? {} : { name: 'missing.name' }),
    ...(orderNumber.trim() ? {} : { orderNumber: 'missing.orderNumber' }),
    ...(/^\S+@\S+$/.test(email.trim()) ? {} : { email: 'missing.email' }),
  };
}

interface OwnOrderProps {
  own: OwnOrders;
  number: string;
  /** What is not withdrawn from. */
  left: readonly string[];
  error: string | undefined;
  onNumber(number: string): void;
  onLeft(ids: string[]): void;
}

/** What whoever is signed in has bought: an order, and of it all or some. */
function OwnOrder({ own, number, left, error, onNumber, onLeft }: OwnOrderProps) {
  const { t, date } = useLocale();
  const order = own.orders.find((one) => one.number === number);
  return (
    <>
      <SelectField
        label={t('withdraw.order')}
        name="orderNumber"
        value={number}
        placeholder=""
        options={own.orders.map((one) => ({
          value: one.number,
          label: `${one.number} · ${date(one.paidAt)}`,
        }))}
        onValue={onNumber}
      />
      <fieldset class="statement-items">
        <legend>{t('withdraw.items')}</legend>
        {order?.items.map(({ id, name, quantity }) => (
          <label key={id}>
            <input
              type="checkbox"
              name="items"
              aria-invalid={error ? 'true' : undefined}
              checked={!left.includes(id)}
              onChange={({ currentTarget: { checked } }) =>
                onLeft(checked ? left.filter((one) => one !== id) : [...left, id])
              }
            />
            {quantity > 1 ? `${quantity} × ${name}` : name}
          </label>
        ))}
        {error && <p class="error">{error}</p>}
      </fieldset>
    </>
  );
}

interface WithdrawalReceivedProps {
  page: FormPage;
  received: { withdrawal: Received; confirmationUrl: string };
  values: { orderNumber: string; part: string };
}

function WithdrawalReceived({ page, received, values }: WithdrawalReceivedProps) {
  const { t, moment } = useLocale();
  const { number, receivedAt, name, email } = received.withdrawal;
  return (
    <Frame page={page} title={t('withdraw.receivedTitle')}>
      <ReceivedPanel
        title={t('withdraw.receivedTitle')}
        text={t('withdraw.receivedText', { email })}
        facts={[
          [t('statement.number'), number],
          [t('statement.received'), moment(receivedAt)],
          [t('statement.name'), name],
          [t('statement.order'), values.orderNumber],
          ...(values.part.trim() ? [[t('statement.part'), values.part] as [string, string]] : []),
        ]}
        confirmationUrl={received.confirmationUrl}
      />
    </Frame>
  );
}
