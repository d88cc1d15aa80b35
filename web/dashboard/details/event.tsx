import { numberOf, type Row, rowOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { PlaceLink } from '../app/place-link.tsx';
import { useStore } from '../app/store.tsx';
import { Stamp, Time } from '../ui/cells.tsx';
import { Failure } from '../ui/failure.tsx';
import { useLocale } from '../ui/locale.tsx';
import { Code, CopyableId, Detail, Fact, Facts, Part, Read } from './detail.tsx';
import { DialogButton } from './dialog-button.tsx';
import { useTools } from './tools.ts';

export function Event({ id }: { id: string }) {
  const path = `/v0/events/${encodeURIComponent(id)}`;
  return <Read path={path} show={(data) => <Shown path={path} data={data} />} />;
}

function Shown({ path, data }: { path: string; data: Row }) {
  const { t } = useLocale();
  const tools = useTools();
  const event = rowOf(data, 'event') ?? data;
  const order = textOf(rowOf(rowOf(event, 'data'), 'order'), 'number');
  return (
    <Detail
      title={textOf(event, 'type')}
      path={path}
      data={data}
      stub={
        <Facts>
          <Fact name={t('column.order')}>
            {order ? <PlaceLink href={`/orders/${order}`}>{order}</PlaceLink> : null}
          </Fact>
          <Fact name={t('column.created')}>
            <Time ms={numberOf(event, 'createdAt')} tools={tools} />
          </Fact>
          <Fact name={t('column.id')}>
            <CopyableId id={textOf(event, 'id')} />
          </Fact>
        </Facts>
      }
      actions={<DialogButton dialog="resend-event" row={event} label="action.resend" area="events" />}
      overview={
        <>
          <Deliveries id={textOf(event, 'id')} />
          <Part id="body" title={t('event.body')}>
            <Code name="JSON" text={JSON.stringify(event.data, null, 2)} />
          </Part>
        </>
      }
    />
  );
}

function Deliveries({ id }: { id: string }) {
  const { t, tName } = useLocale();
  const tools = useTools();
  const { may } = useStore();
  const read = useRead<{ deliveries: Row[] }>(`/v0/events/${id}/deliveries`, { enabled: may('webhooks') });
  const deliveries = read.data?.deliveries ?? [];
  if (deliveries.length === 0 && !read.isError) return null;
  return (
    <Part id="deliveries" title={t('column.deliveries')}>
      {read.isError ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
      <ul className="row-list">
        {deliveries.map((delivery) => (
          <li key={textOf(delivery, 'id')}>
            <Stamp status={textOf(delivery, 'status')} tools={tools} names="delivery." />
            {textOf(delivery, 'listenerId') ? (
              <span>{t('event.listener')}</span>
            ) : (
              <PlaceLink href={`/developers/webhooks/${textOf(delivery, 'webhookId')}`} className="code-text">
                {textOf(delivery, 'webhookId')}
              </PlaceLink>
            )}
            <span>{textOf(delivery, 'reason') ? tName('delivery.', textOf(delivery, 'reason')) : ''}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}
