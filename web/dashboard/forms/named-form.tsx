import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Row, textOf } from '../api/objects.ts';
import { useStore } from '../app/store.tsx';
import { useLocale } from '../ui/locale.tsx';
import { DeclaredForm } from './declared-form.tsx';
import { toForm } from './forms.ts';
import { ImportForm } from './import-form.tsx';
import { Once } from './once.tsx';
import { narrowScopes } from './scopes.ts';
import { UploadForm } from './upload-form.tsx';
import { useCurrency } from './use-currency.ts';

/** What is made over a form: then to its page, or shown once where it is secret. */
export default function NamedForm(props: {
  form: string;
  given?: Record<string, unknown>;
  close: () => void;
}) {
  const { t } = useLocale();
  const [, navigate] = useLocation();
  const { workspace, may } = useStore();
  const currency = useCurrency();
  const [made, setMade] = useState<Row | null>(null);
  if (props.form === 'file') return <UploadForm close={props.close} />;
  if (props.form === 'import') return <ImportForm close={props.close} />;
  const declared = toForm(props.form, props.given);
  const declaration =
    props.form === 'key-pair'
      ? { ...declared, fields: narrowScopes(declared.fields, { role: workspace.role, may }) }
      : declared;
  if (made) return <Once secrets={pick(made, declaration.reveals ?? [])} close={props.close} />;
  const done = (data: Row) => {
    if ((declaration.reveals ?? []).some((path) => path in pick(data, declaration.reveals ?? [])))
      return setMade(data);
    props.close();
    notifications.show({ message: t('form.done') });
    const next = declaration.next?.(data);
    if (next) navigate(next);
  };
  return <DeclaredForm declaration={declaration} currency={currency} done={done} />;
}

/** Values to show once, wherever they lie in the answer. */
function pick(data: Row, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  const visit = (at: unknown): void => {
    if (typeof at !== 'object' || at === null) return;
    for (const [name, value] of Object.entries(at)) {
      if (names.includes(name) && typeof value === 'string') found[name] = textOf(at as Row, name);
      else visit(value);
    }
  };
  visit(data);
  return found;
}
