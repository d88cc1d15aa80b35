/** The fields of a page of settings: each is one of PATCH /v0/settings/update. */
import { notifications } from '@mantine/notifications';
import { useMemo, useState } from 'react';
import { type Row, rowOf, textOf } from '../api/objects.ts';
import { useStore } from '../app/store.tsx';
import { DeclaredForm } from '../forms/declared-form.tsx';
import { labelOf } from '../forms/field-input.tsx';
import type { Field, FormDeclaration } from '../forms/types.ts';
import { useCurrency } from '../forms/use-currency.ts';
import { readPath } from '../forms/values.ts';
import { writeValue } from '../forms/written.ts';
import { useLocale } from '../ui/locale.tsx';
import type { TextKey } from '../ui/texts.ts';
import { BrandingPreview } from './branding-preview.tsx';

export function BlockFields({
  page,
  fields,
  settings,
}: {
  page: string;
  fields: readonly Field[];
  settings: Row;
}) {
  const { t } = useLocale();
  const { may } = useStore();
  const currency = useCurrency();
  // What the form was filled from stays, whatever others change meanwhile: their news must not take what was typed.
  const [base, setBase] = useState(settings);
  const [typed, setTyped] = useState<Record<string, unknown>>({});
  const declaration: FormDeclaration = useMemo(
    () => ({
      title: `settings.${page}` as TextKey,
      submit: 'save',
      method: 'PATCH',
      path: '/v0/settings/update',
      fields: fields.filter(({ name }) => readPath(settings, name) !== undefined),
    }),
    [page, fields, settings],
  );
  if (declaration.fields.length === 0) return <p className="soft">{t('settings.none')}</p>;
  if (!may('settings', 'write'))
    return <ReadOnly fields={declaration.fields} settings={settings} currency={currency} />;
  const edited = {
    object: 'settings',
    id: null,
    read: { path: '/v0/settings', in: 'settings' },
    version: `"${textOf(base, 'version')}"`,
  };
  return (
    <>
      <DeclaredForm
        key={edited.version}
        declaration={declaration}
        current={base}
        currency={currency}
        edited={edited}
        done={(data) => {
          setBase(rowOf(data, 'settings') ?? data);
          notifications.show({ message: t('form.done') });
        }}
        watch={page === 'branding' ? setTyped : undefined}
      />
      {page === 'branding' ? <BrandingPreview values={typed} /> : null}
    </>
  );
}

function ReadOnly(props: { fields: readonly Field[]; settings: Row; currency: string }) {
  const locale = useLocale();
  const { fields, settings, currency } = props;
  return (
    <dl className="facts">
      {fields.map((field) => (
        <div key={field.name}>
          <dt>{labelOf(field, locale)}</dt>
          <dd>{writeValue(field, readPath(settings, field.name), { locale, currency }) || '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
