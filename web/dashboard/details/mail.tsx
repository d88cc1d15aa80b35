import { numberOf, type Row, rowOf, textOf } from '../api/objects.ts';
import { PlaceLink } from '../app/place-link.tsx';
import { useStore } from '../app/store.tsx';
import { isResendable } from '../lists/mail-kinds.ts';
import { Stamp, Time } from '../ui/cells.tsx';
import { useLocale } from '../ui/locale.tsx';
import { CopyableId, Detail, Fact, Facts, Part, Read } from './detail.tsx';
import { DialogButton } from './dialog-button.tsx';
import { useTools } from './tools.ts';

export function Mail({ id }: { id: string }) {
  const path = `/v0/mails/${encodeURIComponent(id)}`;
  return <Read path={path} show={(data) => <Shown path={path} data={data} />} />;
}

function Shown({ path, data }: { path: string; data: Row }) {
  const { t, tName } = useLocale();
  const tools = useTools();
  const { store } = useStore();
  const mail = rowOf(data, 'mail') ?? data;
  const id = textOf(mail, 'id');
  return (
    <Detail
      title={textOf(mail, 'subject') || tName('mail.', textOf(mail, 'kind'))}
      path={path}
      data={data}
      status={<Stamp status={textOf(mail, 'status')} tools={tools} names="mailStatus." />}
      stub={
        <Facts>
          <Fact name={t('column.to')}>{textOf(mail, 'to')}</Fact>
          <Fact name={t('mail.from')}>{textOf(mail, 'from')}</Fact>
          <Fact name={t('column.kind')}>{tName('mail.', textOf(mail, 'kind'))}</Fact>
          <Fact name={t('column.order')}>
            {textOf(mail, 'orderId') ? (
              <PlaceLink href={`/orders/${textOf(mail, 'orderId')}`}>{t('mail.order')}</PlaceLink>
            ) : null}
          </Fact>
          <Fact name={t('column.created')}>
            <Time ms={numberOf(mail, 'createdAt')} tools={tools} />
          </Fact>
          <Fact name={t('mail.sent')}>
            {numberOf(mail, 'sentAt') === null ? null : <Time ms={numberOf(mail, 'sentAt')} tools={tools} />}
          </Fact>
          <Fact name={t('mail.tries')}>{numberOf(mail, 'attempts') || null}</Fact>
          <Fact name={t('mail.error')}>{textOf(mail, 'lastError')}</Fact>
          <Fact name={t('column.id')}>
            <CopyableId id={id} />
          </Fact>
        </Facts>
      }
      actions={
        isResendable(mail) ? (
          <DialogButton dialog="resend-mail" row={mail} label="action.resend" area="mails" />
        ) : null
      }
      overview={
        <>
          {mail.html === null ? null : (
            <Part id="html" title={t('mail.html')}>
              <iframe
                className="mail-frame"
                title={t('mail.html')}
                sandbox=""
                src={`/dashboard/frames/mails/${store.workspaceId}/${store.mode}/${id}`}
              />
            </Part>
          )}
          <Part id="text" title={t('mail.text')}>
            <pre className="mail-text">{textOf(mail, 'text')}</pre>
          </Part>
        </>
      }
    />
  );
}
