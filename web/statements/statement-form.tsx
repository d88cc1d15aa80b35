import type { ComponentChildren } from 'preact';
import type { FieldErrors } from '../ui/form.ts';
import type { Locale } from '../ui/locale.tsx';
import { TextField } from '../ui/parts/field.tsx';
import { Notice } from '../ui/parts/notice.tsx';
import type { FormPage } from '../ui/statement.ts';
import { Frame } from './frame.tsx';
import { s } from './text.ts';
import type { Bound, Statement } from './use-statement.ts';

interface StatementFormProps<V extends Record<string, string>, T> {
  page: FormPage;
  /** Which of the texts are this form's. */
  kind: 'withdraw' | 'cancel';
  statement: Statement<V, T>;
  submit(): Promise<void>;
  children: ComponentChildren;
}

/** A statement's sheet: what it is, its fields, what went wrong, and the button that sends it. */
export function StatementForm<V extends Record<string, string>, T>({
  page,
  kind,
  statement,
  submit,
  children,
}: StatementFormProps<V, T>) {
  return (
    <Frame page={page} title={s(`${kind}.title`)}>
      <h1>{s(`${kind}.title`)}</h1>
      <p>{s(`${kind}.text`, { seller: page.seller.name })}</p>
      <form
        class="statement-form"
        ref={statement.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {children}
        {statement.notice && <Notice text={statement.notice} />}
        <button type="submit" class="primary" disabled={statement.isBusy} aria-busy={statement.isBusy}>
          <span>{s(`${kind}.submit`)}</span>
        </button>
      </form>
    </Frame>
  );
}

export function NameField({ bound }: { bound: Bound }) {
  return <TextField label={s('statement.name')} {...bound} input={{ autocomplete: 'name' }} />;
}

/** Where the confirmation goes. */
export function EmailField({ label, bound }: { label: string; bound: Bound }) {
  const input = { type: 'email', autocomplete: 'email', inputMode: 'email', spellcheck: false } as const;
  return <TextField label={label} {...bound} input={input} />;
}

/** What every statement has to say of who makes it. */
export function findMissingContact(
  { name, email }: { name: string; email: string },
  { t }: Locale,
): FieldErrors {
  return {
    ...(name.trim() ? {} : { name: s('missing.name') }),
    ...(/^\S+@\S+$/.test(email.trim()) ? {} : { email: t('missing.email') }),
  };
}
