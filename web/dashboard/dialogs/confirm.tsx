import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { decimalsOf } from '../../ui/money.ts';
import { numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { Fact, Facts } from '../details/detail.tsx';
import { FieldInput, labelOf } from '../forms/field-input.tsx';
import { Once } from '../forms/once.tsx';
import type { Field } from '../forms/types.ts';
import { useCurrency } from '../forms/use-currency.ts';
import { nameAmount, nest, parseAmount, toInput, toSent, type Values } from '../forms/values.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useLocale } from '../ui/locale.tsx';
import { showUndo } from '../ui/undo-toast.tsx';
import type { ConfirmDeclaration } from './confirm-declaration.ts';
import { DialogFrame } from './frame.tsx';

export function Confirm({
  declaration,
  row,
  close,
}: {
  declaration: ConfirmDeclaration;
  row: Row;
  close: () => void;
}) {
  const locale = useLocale();
  const { t, language } = locale;
  const standard = useCurrency();
  const { zone: storeZone } = useStore();
  const [zone] = useState(storeZone);
  const currency = textOf(row, 'currency') || standard;
  const { fields = [], method, path } = declaration;
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(
      fields.map((field) => [field.name, toInput(field, field.initial, { language, currency, zone })]),
    ),
  );
  const taken = useTaken(declaration, row, { amount: values.amount, currency });
  const write = useWrite<Row>();
  const takeBack = useWrite<Row>();
  const submit = () => {
    const filled: Values = { ...declaration.body, ...declaration.toBody?.(row) };
    for (const field of fields) {
      const sent = toSent(field, values[field.name], { language, currency, zone });
      if (sent !== undefined) filled[field.name] = sent;
    }
    write.mutate(
      { method, path: path(row), body: nest(filled) },
      {
        onSuccess: (answer) => {
          if (declaration.reveals) return;
          const undo = declaration.undo?.(row);
          if (undo) showUndo(t('undo.done', { name: nameOf(row) }), () => takeBack.mutateAsync(undo), locale);
          else notifications.show({ message: sayDone(answer) });
          close();
        },
      },
    );
  };
  const sayDone = (answer: Row) => {
    if (!declaration.done) return t('form.done');
    const { text, count } = declaration.done;
    return count === undefined ? t(text) : t(text, { count: locale.number(numberOf(answer, count) ?? 0) });
  };
  const errorOf = (name: string) =>
    write.error?.details.find((detail) => detail.path === name || detail.path.startsWith(`${name}.`))
      ?.message ?? null;
  if (declaration.reveals && write.data) {
    return (
      <Dialog onClose={close} title={t(declaration.title)}>
        <Once secrets={pick(write.data, declaration.reveals)} close={close} />
      </Dialog>
    );
  }
  return (
    <DialogFrame
      title={t(declaration.title)}
      text={t(declaration.text, { name: nameOf(row) })}
      confirm={taken ?? t(declaration.confirm)}
      isDanger={declaration.isDanger}
      isBusy={write.isPending}
      error={write.error}
      shows={fields.map(({ name }) => name)}
      close={close}
      submit={submit}
    >
      {declaration.showsNow ? <Now fields={fields} row={row} /> : null}
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={values[field.name]}
          error={errorOf(field.name)}
          change={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
    </DialogFrame>
  );
}

/** What the button says of the money that it takes; null until that is known, and where it takes none. */
function useTaken(
  { takes }: ConfirmDeclaration,
  row: Row,
  { amount, currency }: { amount: unknown; currency: string },
): string | null {
  const { t, language } = useLocale();
  const path = `/v0/subscriptions/${encodeURIComponent(textOf(row, 'id'))}/upcoming-payment`;
  const read = useRead<Row>(path, { enabled: takes !== undefined });
  const upcoming = rowOf(read.data, 'upcomingPayment');
  if (!takes) return null;
  const isNext = takes === 'upcomingPayment';
  const minor = isNext
    ? numberOf(upcoming, 'value')
    : parseAmount(String(amount ?? ''), decimalsOf(currency), language);
  if (minor === null) return null;
  const named = nameAmount(minor, currency, language);
  if (isNext) return t('endTrial.confirm', { amount: named });
  // What is typed is a price: where prices are without tax, the tax of the next payment comes on top here, too.
  const isPlusTax = rowsOf(upcoming, 'lines').some(
    (line) => line.inclusive === false && numberOf(line, 'tax'),
  );
  return t(isPlusTax ? 'charge.confirmPlusTax' : 'charge.confirm', { amount: named });
}

const NAMES = ['name', 'number', 'email', 'url', 'id'];
const nameOf = (row: Row) => NAMES.map((name) => textOf(row, name)).find(Boolean) ?? '';

/** What stands in the fields before: what is typed below comes after. */
function Now({ fields, row }: { fields: readonly Field[]; row: Row }) {
  const locale = useLocale();
  const write = ({ name, kind, names }: Field) => {
    const minor = numberOf(row, name);
    if (kind === 'money' && minor !== null)
      return locale.money(minor, textOf(row, 'currency'), numberOf(row, 'currencyDecimals'));
    return locale.tName(names ?? '', textOf(row, name));
  };
  return (
    <section aria-label={locale.t('correctOrder.now')}>
      <Facts>
        {fields.map((field) => (
          <Fact key={field.name} name={labelOf(field, locale)}>
            {write(field)}
          </Fact>
        ))}
      </Facts>
    </section>
  );
}

function pick(data: Row, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const at of [data, ...Object.values(data)]) {
    if (typeof at !== 'object' || at === null) continue;
    for (const name of names) {
      const value = (at as Row)[name];
      if (typeof value === 'string') found[name] = value;
    }
  }
  return found;
}
