import { notifications } from '@mantine/notifications';
import { numberOf, type Row, rowOf, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { PlaceLink } from '../app/place-link.tsx';
import { useStore } from '../app/store.tsx';
import { Stamp, Time } from '../ui/cells.tsx';
import { Failure } from '../ui/failure.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { useLocale } from '../ui/locale.tsx';
import { CopyableId, Detail, Fact, Facts, Part, Read } from './detail.tsx';
import { DialogButton } from './dialog-button.tsx';
import { useTools } from './tools.ts';

const WATCH_MS = 3_000;

export function Webhook({ id }: { id: string }) {
  const path = `/v0/webhooks/${encodeURIComponent(id)}`;
  return <Read path={path} show={(data) => <Shown path={path} data={data} />} />;
}

function Shown({ path, data }: { path: string; data: Row }) {
  const { t } = useLocale();
  const tools = useTools();
  const webhook = rowOf(data, 'webhook') ?? data;
  const id = textOf(webhook, 'id');
  const isArchived = numberOf(webhook, 'deletedAt') !== null;
  const attempts = useAttempts(id);
  // Of what the address was refused for, the newest try tells.
  const refused = attempts.data?.attempts.find(({ error }) => error === 'blocked');
  const blockReason = textOf(webhook, 'health') === 'blocked' ? textOf(refused, 'errorDetail') : '';
  return (
    <Detail
      title={textOf(webhook, 'url')}
      path={path}
      data={data}
      status={
        <>
          <Stamp status={textOf(webhook, 'health')} tools={tools} names="health." />
          <Stamp status={isArchived ? 'archived' : textOf(webhook, 'status')} tools={tools} />
        </>
      }
      stub={
        <Facts>
          <Fact name={t('column.events')}>
            {Array.isArray(webhook.events) ? webhook.events.map(String).join(', ') : ''}
          </Fact>
          <Fact name={t('webhook.blockReason')}>{blockReason}</Fact>
          <Fact name={t('webhook.description')}>{textOf(webhook, 'description')}</Fact>
          <Fact name={t('column.lastSuccess')}>
            <Time ms={numberOf(webhook, 'lastSuccessAt')} tools={tools} />
          </Fact>
          <Fact name={t('webhook.lastFailure')}>
            <Time ms={numberOf(webhook, 'lastFailureAt')} tools={tools} />
          </Fact>
          <Fact name={t('column.id')}>
            <CopyableId id={id} />
          </Fact>
        </Facts>
      }
      actions={<Actions webhook={webhook} isArchived={isArchived} />}
      overview={
        <>
          <Deliveries id={id} />
          <Part id="attempts" title={t('webhook.attempts')}>
            <Loaded read={attempts}>{(data) => <Attempts attempts={data.attempts} />}</Loaded>
          </Part>
        </>
      }
    />
  );
}

function Actions({ webhook, isArchived }: { webhook: Row; isArchived: boolean }) {
  return isArchived ? (
    <DialogButton dialog="unarchive-webhook" row={webhook} label="action.unarchive" area="webhooks" />
  ) : (
    <>
      <TestEvent webhook={webhook} />
      <DialogButton dialog="edit-webhook" row={webhook} label="action.edit" area="webhooks" />
      <DialogButton dialog="resend-since" row={webhook} label="action.resendSince" area="webhooks" />
      <DialogButton
        dialog="rotate-secret"
        row={webhook}
        label="action.rotateSecret"
        area="webhooks"
        isDanger
      />
      <DialogButton dialog="reveal-secret" row={webhook} label="action.reveal" area="webhooks" />
      <DialogButton dialog="archive-webhook" row={webhook} label="action.archive" area="webhooks" isDanger />
    </>
  );
}

function TestEvent({ webhook }: { webhook: Row }) {
  const { t } = useLocale();
  const { may } = useStore();
  const write = useWrite();
  if (!may('webhooks', 'write')) return null;
  const press = () => {
    const [eventType] = Array.isArray(webhook.events) ? webhook.events : [];
    const body = { webhookId: textOf(webhook, 'id'), eventType };
    write.mutate(
      { method: 'POST', path: '/v0/webhooks/sendTestEvent', body },
      {
        onSuccess: () => notifications.show({ message: t('webhook.sent') }),
        onError: (error) => notifications.show({ color: 'danger', message: error.message }),
      },
    );
  };
  return (
    <button type="button" className="plain-button" aria-busy={write.isPending} onClick={press}>
      {t('action.sendTestEvent')}
    </button>
  );
}

/** What waits, was dropped or given up, with its reason; each can be sent again. */
function Deliveries({ id }: { id: string }) {
  const { t, tName } = useLocale();
  const tools = useTools();
  const { may } = useStore();
  const read = useRead<{ deliveries: Row[] }>(`/v0/webhooks/${id}/deliveries`, {
    query: 'take=20',
    everyMs: WATCH_MS,
  });
  const deliveries = read.data?.deliveries ?? [];
  if (deliveries.length === 0 && !read.isError) return null;
  return (
    <Part id="deliveries" title={t('column.deliveries')}>
      {read.isError ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
      <ul className="row-list">
        {deliveries.map((delivery) => {
          const eventId = textOf(delivery, 'eventId');
          const type = textOf(delivery, 'eventType') || eventId;
          const reason = textOf(delivery, 'reason');
          return (
            <li key={textOf(delivery, 'id')}>
              <Stamp status={textOf(delivery, 'status')} tools={tools} names="delivery." />
              {eventId !== '' && may('events') ? (
                <PlaceLink href={`/developers/events/${eventId}`} className="code-text">
                  {type}
                </PlaceLink>
              ) : (
                <span className="code-text">{type}</span>
              )}
              {reason === '' ? null : <span>{tName('delivery.', reason)}</span>}
              <Time ms={numberOf(delivery, 'createdAt')} tools={tools} />
              {eventId === '' ? null : (
                <DialogButton
                  dialog="resend-event"
                  row={{ id: eventId, webhookId: id }}
                  label="action.resend"
                  area="events"
                />
              )}
            </li>
          );
        })}
      </ul>
    </Part>
  );
}

function useAttempts(id: string) {
  return useRead<{ attempts: Row[] }>(`/v0/webhooks/${id}/attempts`, {
    query: 'take=50',
    everyMs: WATCH_MS,
  });
}

function Attempts({ attempts }: { attempts: Row[] }) {
  const { t, tName, number } = useLocale();
  const tools = useTools();
  return (
    <>
      {attempts.length === 0 ? <p className="soft">{t('webhook.noAttempts')}</p> : null}
      <ul className="attempts">
        {attempts.map((attempt) => {
          const code = numberOf(attempt, 'statusCode');
          const isGood = code !== null && code >= 200 && code < 300;
          return (
            <li key={textOf(attempt, 'id')}>
              <details>
                <summary>
                  <span className="stamp" data-tone={isGood ? 'good' : 'bad'}>
                    {code ?? tName('attemptError.', textOf(attempt, 'error'))}
                  </span>
                  <span className="code-text">{textOf(attempt, 'eventType')}</span>
                  <span className="soft">
                    {t('webhook.ms', { ms: number(numberOf(attempt, 'durationMs') ?? 0) })}
                  </span>
                  <Time ms={numberOf(attempt, 'createdAt')} tools={tools} />
                </summary>
                {textOf(attempt, 'errorDetail') ? (
                  <p className="field-error">{textOf(attempt, 'errorDetail')}</p>
                ) : null}
                <pre className="code">{JSON.stringify(attempt.request, null, 2)}</pre>
                <pre className="code">
                  {textOf(attempt, 'responseText') || JSON.stringify(attempt.response, null, 2)}
                </pre>
              </details>
            </li>
          );
        })}
      </ul>
    </>
  );
}
