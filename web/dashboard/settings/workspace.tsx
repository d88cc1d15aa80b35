import { notifications } from '@mantine/notifications';
import type { Row } from '../api/objects.ts';
import { useStore } from '../app/store.tsx';
import { DeclaredForm } from '../forms/declared-form.tsx';
import type { FormDeclaration } from '../forms/types.ts';
import { Failure } from '../ui/failure.tsx';
import { useLocale } from '../ui/locale.tsx';
import { useTitle } from '../ui/use-title.ts';
import { Waiting } from '../ui/waiting.tsx';
import { useOwnWorkspace } from './use-own-workspace.ts';
import { EndOfWorkspace, LeaveWorkspace } from './workspace-end.tsx';
import { Transfer } from './workspace-transfer.tsx';

const FIELDS: FormDeclaration = {
  title: 'settings.workspace',
  submit: 'save',
  method: 'PATCH',
  path: '/v0/workspace/update',
  fields: [
    { name: 'name', label: 'field.workspaceName', kind: 'text', required: true },
    { name: 'portalSlug', kind: 'text', required: true, hint: 'workspace.slugHint' },
  ],
};

export function WorkspaceSettings() {
  const { t, tName } = useLocale();
  useTitle(t('settings.workspace'));
  const { workspace, may } = useStore();
  const { read, own, changed } = useOwnWorkspace();
  return (
    <section className="sheet form-sheet" aria-labelledby="workspace-title">
      <div className="sheet-head">
        <h1 id="workspace-title">{t('settings.workspace')}</h1>
      </div>
      <p className="soft">{t('workspace.yourRole', { role: tName('role.', workspace.role) })}</p>
      {read.isError ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
      {own ? <Sections own={own} changed={() => void changed()} /> : read.isError ? null : <Waiting />}
      {own && !may('workspace', 'write') ? <p className="soft">{t('workspace.readOnly')}</p> : null}
    </section>
  );
}

function Sections({ own, changed }: { own: Row; changed: () => void }) {
  const { t } = useLocale();
  const { workspace, may } = useStore();
  const done = () => {
    notifications.show({ message: t('form.done') });
    changed();
  };
  return (
    <>
      {may('workspace', 'write') ? (
        <DeclaredForm declaration={FIELDS} current={own} currency="USD" done={done} />
      ) : (
        <p>{workspace.name}</p>
      )}
      <Transfer own={own} changed={changed} />
      <LeaveWorkspace />
      <EndOfWorkspace own={own} changed={changed} />
    </>
  );
}
