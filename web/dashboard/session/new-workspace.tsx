import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, call, newKey } from '../api/client.ts';
import { type Row, textOf } from '../api/objects.ts';
import { useSessionChange } from '../api/use-session.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';
import { useTitle } from '../ui/use-title.ts';
import { Entrance } from './entrance.tsx';
import { toErrors, WorkspaceFields } from './setup.tsx';
import { useFormErrors } from './use-form-errors.ts';

/** A further workspace: two stores of its own, and no key pair. */
export default function NewWorkspace() {
  const { t } = useLocale();
  useTitle(t('workspace.create'));
  const [, navigate] = useLocation();
  const { ask } = useSessionChange();
  const [values, setValues] = useState({ name: '', country: '', currency: '' });
  const { form, errors, setErrors } = useFormErrors();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setErrors({});
    try {
      const path = '/v0/workspaces/create';
      const idempotencyKey = newKey();
      const { workspace } = await call<{ workspace: Row }>({
        method: 'POST',
        store: null,
        path,
        body: values,
        idempotencyKey,
      });
      await ask();
      navigate(`/${textOf(workspace, 'id')}/test`);
    } catch (error) {
      if (error instanceof ApiError) setErrors(toErrors(error));
    }
  };
  return (
    <Entrance title={t('workspace.create')}>
      <form ref={form} className="stack" onSubmit={(event) => void submit(event)} noValidate>
        <ErrorNotice text={errors['']} />
        <WorkspaceFields values={values} errors={errors} change={setValues} />
        <button type="submit" className="main-button">
          {t('workspace.create')}
        </button>
      </form>
    </Entrance>
  );
}
