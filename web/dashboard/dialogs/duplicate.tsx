/** The form that makes something, filled with what another one holds; what no two may share is left empty. */
import { notifications } from '@mantine/notifications';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { type Row, rowsOf, textOf } from '../api/objects.ts';
import { DeclaredForm } from '../forms/declared-form.tsx';
import { toForm } from '../forms/forms.ts';
import type { FormDeclaration } from '../forms/types.ts';
import { useCurrency } from '../forms/use-currency.ts';
import { nest, readPath } from '../forms/values.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useLocale } from '../ui/locale.tsx';

interface DuplicateDeclaration {
  /** By its name in FORMS. */
  form: string;
  without: readonly string[];
  shape?(row: Row): Row;
  /** What the form does not ask for goes along as it is. */
  along?(row: Row): Row;
}

export const DUPLICATES: Readonly<Record<string, DuplicateDeclaration>> = {
  'duplicate-discount': {
    form: 'discount',
    without: ['discountCode'],
    along: (row) => ({ timezone: row.timezone, excludedOffers: row.excludedOffers }),
  },
  'duplicate-checkout': {
    form: 'checkout',
    without: [],
    shape: (row) => ({ ...row, offersIds: rowsOf(row, 'offers').map((offer) => textOf(offer, 'id')) }),
  },
  'duplicate-custom-field': { form: 'custom-field', without: ['key'] },
};

function toFilled({ form, without, shape, along }: DuplicateDeclaration, row: Row): FormDeclaration {
  const declaration = toForm(form);
  const shaped = shape?.(row) ?? row;
  return {
    ...declaration,
    fields: declaration.fields.map((field) => ({
      ...field,
      initial: without.includes(field.name) ? undefined : (readPath(shaped, field.name) ?? undefined),
    })),
    toBody: (filled) => ({ ...along?.(row), ...nest(filled) }),
  };
}

export function Duplicate({
  declaration,
  row: given,
  close,
}: {
  declaration: DuplicateDeclaration;
  row: Row;
  close: () => void;
}) {
  const { t } = useLocale();
  const [, navigate] = useLocation();
  const standard = useCurrency();
  // What the form was filled from stays, whatever becomes of the row behind it.
  const [row] = useState(given);
  const form = useMemo(() => toFilled(declaration, row), [declaration, row]);
  const done = (data: Row) => {
    close();
    notifications.show({ message: t('form.done') });
    const next = form.next?.(data);
    if (next) navigate(next);
  };
  return (
    <Dialog onClose={close} title={t('action.duplicate')}>
      <DeclaredForm declaration={form} currency={textOf(row, 'currency') || standard} done={done} />
    </Dialog>
  );
}
