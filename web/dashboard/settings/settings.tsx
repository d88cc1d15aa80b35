import { type Row, rowOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import type { Field } from '../forms/types.ts';
import { Failure } from '../ui/failure.tsx';
import { later } from '../ui/later.tsx';
import { useLocale } from '../ui/locale.tsx';
import { Lonely } from '../ui/lonely.tsx';
import type { TextKey } from '../ui/texts.ts';
import { useTitle } from '../ui/use-title.ts';
import { Waiting } from '../ui/waiting.tsx';
import { BlockFields } from './block-fields.tsx';
import { BLOCKS } from './blocks.ts';
import { CopyFromTest } from './copy-from-test.tsx';
import { NotificationSettings } from './notifications.tsx';
import { SecuritySettings } from './security.tsx';
import { WorkspaceSettings } from './workspace.tsx';

/** Lists, whose script no other page of the settings needs. */
const AuditLog = later(() => import('../audit/audit-log.tsx'));
const Team = later(() => import('./team.tsx'));

export default function Settings({ page }: { page: string }) {
  const { t } = useLocale();
  if (page === 'team') return <Team />;
  if (page === 'audit-log') return <AuditLog />;
  if (page === 'workspace') return <WorkspaceSettings />;
  if (page === 'security') return <SecuritySettings />;
  if (page === 'notifications') return <NotificationSettings />;
  const fields = Object.hasOwn(BLOCKS, page) ? BLOCKS[page] : undefined;
  if (!fields)
    return <Lonely title={t('notFound.title')} text={t('notFound.text')} to="/" action={t('nav.home')} />;
  return <Block key={page} page={page} fields={fields} />;
}

/** A page of settings shows what this installation's API knows of it: a field that it does not tell is not asked. */
function Block({ page, fields }: { page: string; fields: readonly Field[] }) {
  const { t } = useLocale();
  const title = t(`settings.${page}` as TextKey);
  useTitle(title);
  const read = useRead<Row>('/v0/settings');
  const settings = rowOf(read.data, 'settings') ?? read.data;
  return (
    <section className="sheet form-sheet" aria-labelledby="settings-title">
      <div className="sheet-head">
        <h1 id="settings-title">{title}</h1>
        {settings ? <CopyFromTest live={settings} /> : null}
      </div>
      {read.isError ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
      {settings ? (
        <BlockFields page={page} fields={fields} settings={settings} />
      ) : read.isError ? null : (
        <Waiting />
      )}
    </section>
  );
}
