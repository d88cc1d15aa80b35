/** A form from its declaration: what the API refuses stands at its field, and the first of them has the focus. */

import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { decimalsOf } from '../../ui/money.ts';
import type { ApiError } from '../api/client.ts';
import type { Row } from '../api/objects.ts';
import { useWrite } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { later } from '../ui/later.tsx';
import { type Locale, useLocale } from '../ui/locale.tsx';
import { type Conflict, readConflict } from './conflict.ts';
import { FieldInput, labelOf } from './field-input.tsx';
import { collect, listAsked, toStart } from './filled.ts';
import { toRestOfError } from './rest-of-error.ts';
import type { Field, FormDeclaration } from './types.ts';
import { type Edited, useEditor } from './use-editor.ts';
import { useFocusOnError } from './use-focus-on-error.ts';
import { nest, readFields, type Values, writeAmount } from './values.ts';

const ConflictDialog = later(() => import('../dialogs/conflict.tsx'));

interface FormProps {
  declaration: FormDeclaration;
  /** Of an edit: what is there now; only what differs is sent. */
  current?: Row;
  currency: string;
  done: (data: Row) => void;
  /** Of an edit: what is told of it while the form is open, and never written over somebody else's. */
  edited?: Edited;
  extra?: ReactNode;
  /** Told what the fields hold, each time that one changes. */
  watch?: (values: Values) => void;
}

interface Asked {
  conflict: Conflict;
  name: string;
  filled: Values;
}

/** Dots are part of an API's path, and mean something of their own to the form's keeper. */
const KEY_DOT = '__';
/** As the API says it. */
const REQUIRED = 'is required';
const toKey = (name: string) => name.replaceAll('.', KEY_DOT);
/** An amount that shows how one is written. */
const EXAMPLE_MINOR = 1999;

export function DeclaredForm({ declaration, current, currency, done, edited, extra, watch }: FormProps) {
  const { t, tName, language } = useLocale();
  const { fields, method, path } = declaration;
  // Of when it was opened: what was typed by one clock is not sent by another.
  const { zone: storeZone } = useStore();
  const [zone] = useState(storeZone);
  const { initial, before } = useMemo(() => {
    const start = toStart(fields, current, { language, currency, zone });
    return { initial: toKeyed(start.inputs), before: start.before };
  }, [fields, current, language, currency, zone]);
  const form = useForm<Values>({ initialValues: initial });
  const write = useWrite<Row>();
  const element = useRef<HTMLFormElement>(null);
  const named = toNamed(form.values);
  const shown = listAsked(fields, named);
  const editor = useEditor(edited ?? null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const send = (filled: Values, ifMatch: string | undefined) => {
    const body = declaration.toBody ? declaration.toBody(filled, currency) : nest(filled);
    write.mutate(
      { method, path, body, ifMatch },
      {
        onSuccess: (data) => {
          form.clearErrors();
          done(data);
        },
        onError: (error) => {
          const conflict = current
            ? readConflict(error, { fields, base: current, mine: filled, shape: edited?.shape })
            : null;
          if (conflict) void settle(conflict, filled);
          else
            form.setErrors({
              ...(current ? {} : toBlanks(error, shown, filled)),
              ...toFieldErrors(error, shown, filled),
              ...toNoAmounts(shown, filled, { t, language, currency }),
            });
        },
      },
    );
  };
  /** Other fields go together; of the same field a person decides. */
  const settle = async (conflict: Conflict, filled: Values) => {
    const name = await editor.findName();
    if (conflict.both.length > 0) return setAsked({ conflict, name, filled });
    const what = conflict.theirs.map((field) => labelOf(field, { t, tName })).join(', ');
    notifications.show({ message: t('conflict.merged', { name, fields: what || t('conflict.other') }) });
    send(filled, conflict.version);
  };
  const decide = (theirs: ReadonlySet<string>) => {
    if (!asked) return;
    setAsked(null);
    const left = Object.entries(asked.filled).filter(([field]) => !theirs.has(field));
    if (left.length === 0) return done(asked.conflict.current);
    send(Object.fromEntries(left), asked.conflict.version);
  };
  const submit = () =>
    send(
      collect(fields, named, { before: current ? before : null, language, currency, zone }),
      edited?.version,
    );
  const { values } = form;
  useEffect(() => watch?.(toNamed(values)), [watch, values]);
  // Once for each refusal: what is mended at one field does not take the focus to the next.
  useFocusOnError(element, write.error);
  const isConflict = write.error?.code === 'edit_conflict' && current !== undefined;
  const rest =
    write.error && !isConflict
      ? toRestOfError(write.error, (path) => findField(shown, path) !== undefined)
      : null;
  return (
    <>
      <form
        ref={element}
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!write.isPending) submit();
        }}
      >
        {editor.changedBy ? (
          <p className="notice" role="status">
            {t('conflict.notice', { name: editor.changedBy })}
          </p>
        ) : null}
        <ErrorNotice text={rest} />
        {shown.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={form.values[toKey(field.name)]}
            error={toText(form.errors[toKey(field.name)])}
            change={(value) => form.setFieldValue(toKey(field.name), value)}
          />
        ))}
        {extra}
        <button type="submit" className="main-button" aria-busy={write.isPending}>
          {t(declaration.submit)}
        </button>
      </form>
      {asked ? (
        <Suspense fallback={null}>
          <ConflictDialog
            name={asked.name}
            fields={asked.conflict.both}
            mine={asked.filled}
            current={readFields(fields, asked.conflict.current)}
            currency={currency}
            close={() => setAsked(null)}
            decide={decide}
          />
        </Suspense>
      ) : null}
    </>
  );
}

const toText = (error: ReactNode): string | null => (typeof error === 'string' ? error : null);
const toKeyed = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [toKey(name), value]));
const toNamed = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key.replaceAll(KEY_DOT, '.'), value]));

/** The API names what is wrong by path, deeper than the field at times: `offersIds.0`. */
const findField = (fields: readonly Field[], path: string) =>
  fields.find(({ name }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`)) ??
  fields.find(({ name }) => path.split(/[.[]/).at(-1) === name);

/** What is not there keeps the API from looking any further: all that is still blank is told at once. */
function toBlanks(error: ApiError, fields: readonly Field[], filled: Values): Record<string, string> {
  if (!error.details.some(({ message }) => message === REQUIRED)) return {};
  const blank = fields.filter(({ name, required }) => required && filled[name] === undefined);
  return Object.fromEntries(blank.map(({ name }) => [toKey(name), REQUIRED]));
}

/** Of a field that cannot be emptied and was, the API says of what kind its value is to be. */
function toFieldErrors(error: ApiError, fields: readonly Field[], filled: Values): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of error.details) {
    const field = findField(fields, path);
    if (field)
      errors[toKey(field.name)] ??= field.required && filled[field.name] === null ? REQUIRED : message;
  }
  return errors;
}

/** What could not be read as money was sent as it was typed: that it is no whole number would help nobody. */
function toNoAmounts(
  fields: readonly Field[],
  filled: Values,
  { t, language, currency }: Pick<Locale, 't' | 'language'> & { currency: string },
): Record<string, string> {
  const wrong = fields.filter(({ name, kind }) => kind === 'money' && typeof filled[name] === 'string');
  const say = (of: string) =>
    t('filter.noAmount', { currency: of, example: writeAmount(EXAMPLE_MINOR, decimalsOf(of), language) });
  return Object.fromEntries(wrong.map((field) => [toKey(field.name), say(field.currency ?? currency)]));
}
