import { Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { type Row, textOf } from '../api/objects.ts';
import { useWrite } from '../api/use-api.ts';
import { FieldInput } from '../forms/field-input.tsx';
import { Once } from '../forms/once.tsx';
import { useCurrency } from '../forms/use-currency.ts';
import { nest, toInput, toSent, type Values } from '../forms/values.ts';
import { useLocale } from '../ui/locale.tsx';
import type { ConfirmDeclaration } from './confirms.ts';
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
  const { t, language } = useLocale();
  const standard = useCurrency();
  const currency = textOf(row, 'currency') || standard;
  const { fields = [], method, path } = declaration;
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(
      fields.map((field) => [field.name, toInput(field, field.initial, { language, currency })]),
    ),
  );
  const write = useWrite<Row>();
  const submit = () => {
    const filled: Values = { ...declaration.body, ...declaration.toBody?.(row) };
    for (const field of fields) {
      const sent = toSent(field, values[field.name], currency);
      if (sent !== undefined) filled[field.name] = sent;
    }
    write.mutate(
      { method, path: path(row), body: nest(filled) },
      {
        onSuccess: () => {
          if (declaration.reveals) return;
          notifications.show({ message: t('form.done') });
          close();
        },
      },
    );
  };
  const errorOf = (name: string) =>
    write.error?.details.find((detail) => detail.path === name || detail.path.startsWith(`${name}.`))
      ?.message ?? null;
  if (declaration.reveals && write.data) {
    return (
      <Modal
        opened
        onClose={close}
        title={t(declaration.title)}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <Once secrets={pick(write.data, declaration.reveals)} close={close} />
      </Modal>
    );
  }
  return (
    <DialogFrame
      title={t(declaration.title)}
      text={t(declaration.text, {
        name: textOf(row, 'name') || textOf(row, 'number') || textOf(row, 'email'),
      })}
      confirm={t(declaration.confirm)}
      isDanger={declaration.isDanger}
      isBusy={write.isPending}
      error={write.error}
      close={close}
      submit={submit}
    >
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
