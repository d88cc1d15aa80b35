import { notifications } from '@mantine/notifications';
import { numberOf, type Row, rowOf, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { Stamp, Time } from '../ui/cells.tsx';
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
  return (
    <Detail
      title={textOf(webhook, 'url')}
      path={path}
      data={data}
      status={
        <>
          <Stamp status={textOf(webhook, 'health')} tools={tools} names="health." />
          <Stamp status={textOf(webhook, 'status')} tools={tools} />
        </>
      }
      stub={
        <Facts>
          <Fact name={t('column.events')}>
            {Array.isArray(webhook.events) ? webhook.events.map(String).join(', ') : ''}
          </Fact>
          <Fact name={t('webhook.blockReason')}>{textOf(webhook, 'blockReason')}</Fact>
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
      actions={
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
        </>
      }
      overview={<Attempts id={id} />}
    />
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

function Attempts({ id }: { id: string }) {
  const { t, number } = useLocale();
  const tools = useTools();
  const read = useRead<{ attempts?: Row[]; webhookAttempts?: Row[] }>(`/v0/webhooks/${id}/attempts`, {
    query: 'take=50',
    everyMs: WATCH_MS,
  });
  const attempts = read.data?.attempts ?? read.data?.webhookAttempts ?? [];
  return (
    <Part id="attempts" title={t('webhook.attempts')}>
      {read.data && attempts.length === 0 ? <p className="soft">{t('webhook.noAttempts')}</p> : null}
      <ul className="attempts">
        {attempts.map((attempt) => {
          const code = numberOf(attempt, 'statusCode');
          const isGood = code !== null && code >= 200 && code < 300;
          return (
            <li key={textOf(attempt, 'id')}>
              <details>
                <summary>
                  <span className="stamp" data-tone={isGood ? 'good' : 'bad'}>
                    {code ?? textOf(attempt, 'error')}
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
    </Part>
  );
}
