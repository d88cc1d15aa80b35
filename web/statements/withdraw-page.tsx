import { useState } from 'preact/hooks';
import { stateWithdrawal } from '../ui/api.ts';
import type { FieldErrors } from '../ui/form.ts';
import { useLocale } from '../ui/locale.tsx';
import { SelectField, TextField } from '../ui/parts/field.tsx';
import type { FormPage, OwnOrders, Received } from '../ui/statement.ts';
import { ReceivedPage } from './received.tsx';
import { EmailField, findMissingContact, NameField, StatementForm } from './statement-form.tsx';
import { s } from './text.ts';
import { useStatement } from './use-statement.ts';

/** An older order, or one of another address: its number is typed. */
const OTHER = 'other';

/** Withdraws from a contract: who, from which, and where the confirmation goes. No reason is asked. */
export function WithdrawPage({ page }: { page: FormPage }) {
  const locale = useLocale();
  const { language } = locale;
  const own = page.own?.orders.length ? page.own : null;
  const named = own?.orders.find(({ number }) => number === page.number);
  const first = page.number === '' ? own?.orders[0] : named;
  const [isOther, setOther] = useState(first === undefined);
  const [left, setLeft] = useState<readonly string[]>([]);
  const empty = {
    name: own?.name ?? '',
    orderNumber: first?.number ?? page.number,
    email: own?.email ?? '',
    part: '',
  };
  const statement = useStatement<typeof empty, Answered>(empty, ['items']);
  const { values, errors, received, bind } = statement;
  const order = isOther ? undefined : own?.orders.find(({ number }) => number === values.orderNumber);
  const ticked = order?.items.filter(({ id }) => !left.includes(id)) ?? [];
  const submit = () => {
    const { name, orderNumber, email, part } = values;
    const isPart = order !== undefined && ticked.length < order.items.length;
    const missing: FieldErrors = {
      ...(order !== undefined && ticked.length === 0 ? { items: s('missing.items') } : {}),
      ...findMissingContact(values, locale),
      ...(orderNumber.trim() ? {} : { orderNumber: s('missing.orderNumber') }),
    };
    const body = {
      ...{ store: page.store, testMode: page.testMode, language, part: part.trim() || null },
      items: isPart ? ticked.map(({ id }) => id) : null,
      ...{ name: name.trim(), orderNumber: orderNumber.trim(), email: email.trim() },
    };
    return statement.send(missing, () => stateWithdrawal(body));
  };
  if (received) {
    const items = order && ticked.length < order.items.length ? ticked.map(toCounted).join(', ') : '';
    return <WithdrawalReceived page={page} received={received} values={{ ...values, items }} />;
  }
  return (
    <StatementForm page={page} kind="withdraw" statement={statement} submit={submit}>
      <NameField bound={bind('name')} />
      {own && (
        <OwnOrder
          own={own}
          number={isOther ? OTHER : values.orderNumber}
          left={left}
          error={errors.items}
          onNumber={(value) => {
            setOther(value === OTHER);
            statement.change('orderNumber', value === OTHER ? '' : value);
          }}
          onLeft={(ids) => {
            statement.clearError('items');
            setLeft(ids);
          }}
        />
      )}
      {isOther && (
        <TextField
          label={s('statement.orderNumber')}
          {...bind('orderNumber')}
          hint={s('withdraw.orderHint')}
          input={{ autocomplete: 'off', spellcheck: false }}
        />
      )}
      <EmailField label={s('withdraw.email')} bound={bind('email')} />
      {isOther && <TextField label={s('withdraw.part')} {...bind('part')} input={{ autocomplete: 'off' }} />}
    </StatementForm>
  );
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
  const { date } = useLocale();
  const order = own.orders.find((one) => one.number === number);
  return (
    <>
      <SelectField
        label={s('withdraw.order')}
        name="orderNumber"
        value={number}
        placeholder=""
        options={[
          ...own.orders.map((one) => ({
            value: one.number,
            label: `${one.number} · ${date(one.paidAt)}`,
          })),
          { value: OTHER, label: s('withdraw.other') },
        ]}
        onValue={onNumber}
      />
      {order && (
        <fieldset class="statement-items">
          <legend>{s('withdraw.items')}</legend>
          {order.items.map(({ id, name, quantity }) => (
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
              {toCounted({ name, quantity })}
            </label>
          ))}
          {error && <p class="error">{error}</p>}
        </fieldset>
      )}
    </>
  );
}

const toCounted = ({ name, quantity }: { name: string; quantity: number }) =>
  quantity > 1 ? `${quantity} × ${name}` : name;

interface Answered {
  withdrawal: Received;
  confirmationUrl: string;
}

interface WithdrawalReceivedProps {
  page: FormPage;
  received: Answered;
  /** `items`: what was ticked, in words; empty where all of it was. */
  values: { orderNumber: string; items: string; part: string };
}

function WithdrawalReceived({ page, received, values }: WithdrawalReceivedProps) {
  const { withdrawal, confirmationUrl } = received;
  const facts = [
    [s('statement.name'), withdrawal.name],
    [s('statement.order'), values.orderNumber],
    ...[values.items, values.part.trim()].filter(Boolean).map((said) => [s('statement.part'), said] as const),
  ] as const;
  return <ReceivedPage {...{ page, facts, confirmationUrl }} kind="withdraw" received={withdrawal} />;
}
