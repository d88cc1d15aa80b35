import { numberOf, type Row, rowOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { Actor } from '../app/actor.tsx';
import { Plan } from '../imports/plan.tsx';
import { Rehearsal } from '../imports/rehearsal.tsx';
import { isUnderWay, WATCH_MS } from '../imports/under-way.ts';
import { Stamp, Time } from '../ui/cells.tsx';
import { Failure } from '../ui/failure.tsx';
import { useLocale, useRoom } from '../ui/locale.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { CopyableId, Detail, Fact, Facts, Nowhere } from './detail.tsx';
import { DialogButton } from './dialog-button.tsx';
import { useTools } from './tools.ts';

export function Import({ id }: { id: string }) {
  const isReady = useRoom('imports');
  const path = `/v0/imports/${encodeURIComponent(id)}`;
  const read = useRead<Row>(path, {
    everyMs: (data) => (isUnderWay(rowOf(data, 'import')) ? WATCH_MS : false),
  });
  if (read.error?.code === 'invalid_input' && !read.data) return <Nowhere />;
  if (read.isError && !read.data)
    return <Failure error={read.error} retry={() => void read.refetch()} isScreen />;
  if (!isReady || !read.data) return <Waiting />;
  return <Shown path={path} data={read.data} />;
}

function Shown({ path, data }: { path: string; data: Row }) {
  const { t, tName } = useLocale();
  const tools = useTools();
  const imported = rowOf(data, 'import') ?? data;
  const status = textOf(imported, 'status');
  const plan = rowOf(imported, 'plan');
  const rehearsal = rowOf(imported, 'rehearsal');
  const waiting = numberOf(imported, 'waiting') ?? 0;
  return (
    <Detail
      title={t('import.title', { source: tName('importSource.', textOf(imported, 'source')) })}
      path={path}
      data={data}
      status={<Stamp status={status} tools={tools} names="importStatus." />}
      stub={<Stub imported={imported} />}
      actions={
        <>
          {status === 'planned' ? (
            <DialogButton dialog="commit-import" row={imported} label="import.commit" area="imports" />
          ) : null}
          {status === 'committed' && waiting > 0 ? (
            <DialogButton dialog="activate-import" row={imported} label="import.activate" area="imports" />
          ) : null}
        </>
      }
      overview={
        <>
          <Progress imported={imported} />
          {status === 'failed' ? <p className="notice">{t('import.failed')}</p> : null}
          {rehearsal ? <Rehearsal rehearsal={rehearsal} /> : null}
          {plan ? <Plan plan={plan} path={path} /> : null}
        </>
      }
    />
  );
}

/** How far it is; where nobody has counted the bar says only that something happens. */
function Progress({ imported }: { imported: Row }) {
  const { t, number } = useLocale();
  const progress = rowOf(imported, 'progress');
  const [done, total] = [numberOf(progress, 'done'), numberOf(progress, 'total')];
  const label = textOf(imported, 'status') === 'planning' ? t('import.planning') : t('import.committing');
  return (
    <div role="status">
      {isUnderWay(imported) ? (
        <div className="stack">
          <p>{label}</p>
          <progress
            aria-label={label}
            {...(done === null || total === null || total === 0 ? {} : { value: done, max: total })}
          />
          {done === null || total === null ? null : (
            <p className="soft">{t('import.progress', { done: number(done), total: number(total) })}</p>
          )}
        </div>
      ) : null}
    </div>
  );
}

function Stub({ imported }: { imported: Row }) {
  const { t, tName, number } = useLocale();
  const tools = useTools();
  const lines = numberOf(rowOf(imported, 'plan'), 'lines');
  const committedAt = numberOf(imported, 'committedAt');
  const waiting = numberOf(imported, 'waiting') ?? 0;
  return (
    <Facts>
      <Fact name={t('import.source')}>{tName('importSource.', textOf(imported, 'source'))}</Fact>
      <Fact name={t('import.lines')}>{lines === null ? null : number(lines)}</Fact>
      <Fact name={t('import.waiting')}>{waiting === 0 ? null : number(waiting)}</Fact>
      <Fact name={t('column.who')}>
        <Actor actor={textOf(imported, 'createdBy')} />
      </Fact>
      <Fact name={t('column.created')}>
        <Time ms={numberOf(imported, 'createdAt')} tools={tools} />
      </Fact>
      <Fact name={t('import.committed')}>
        {committedAt === null ? null : <Time ms={committedAt} tools={tools} />}
      </Fact>
      <Fact name={t('column.id')}>
        <CopyableId id={textOf(imported, 'id')} />
      </Fact>
    </Facts>
  );
}
