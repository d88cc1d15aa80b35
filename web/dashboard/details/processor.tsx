import { numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { FormButton } from '../forms/form-button.tsx';
import { accountOf } from '../payments/account-of.ts';
import { SILENT_KINDS } from '../payments/report-state.ts';
import { Stamp, Time } from '../ui/cells.tsx';
import { useLocale, useRoom } from '../ui/locale.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { CopyableId, Detail, Fact, Facts, Part, Read } from './detail.tsx';
import { DialogButton } from './dialog-button.tsx';
import { Books } from './processor-books.tsx';
import { useTools } from './tools.ts';

export function Processor({ id }: { id: string }) {
  const isReady = useRoom('payments');
  const path = `/v0/processors/${encodeURIComponent(id)}`;
  if (!isReady) return <Waiting />;
  return <Read path={path} show={(data) => <Shown path={path} data={data} />} />;
}

function Shown({ path, data }: { path: string; data: Row }) {
  const { t } = useLocale();
  const tools = useTools();
  const processor = rowOf(data, 'processor') ?? data;
  const kind = textOf(processor, 'kind');
  return (
    <Detail
      title={textOf(processor, 'name')}
      path={path}
      data={data}
      status={
        <>
          <Stamp status={textOf(processor, 'status')} tools={tools} />
          <Stamp status={textOf(rowOf(processor, 'health'), 'state')} tools={tools} names="health." />
        </>
      }
      actions={kind === 'sandbox' ? null : <Actions processor={processor} />}
      stub={<Stub processor={processor} />}
      overview={
        <>
          {kind === 'sandbox' ? <p className="soft">{t('processor.sandboxText')}</p> : null}
          <Methods methods={rowsOf(processor, 'methods')} />
          <Wallets domains={rowsOf(rowOf(processor, 'health'), 'domains')} />
          {kind === 'manual' ? <Instructions instructions={rowOf(processor, 'instructions')} /> : null}
          {SILENT_KINDS.has(kind) ? null : (
            <>
              <Books id={textOf(processor, 'id')} />
              <Told id={textOf(processor, 'id')} />
            </>
          )}
        </>
      }
    />
  );
}

/** Kinds that are bought over without the buyer's browser. */
const TRIED: ReadonlySet<string> = new Set(['stripe', 'manual']);

/** Something bought over this very connection, whatever the checkout of the test store takes. */
function TestCheckout({ processor }: { processor: Row }) {
  const { t } = useLocale();
  const { isTest, may } = useStore();
  const kind = textOf(processor, 'kind');
  if (!isTest || !may('orders', 'write') || !TRIED.has(kind) || textOf(processor, 'status') !== 'active')
    return null;
  const given = { processorId: textOf(processor, 'id'), kind };
  return <FormButton form="test-checkout" given={given} label={t('field.testCheckout')} />;
}

function Actions({ processor }: { processor: Row }) {
  const status = textOf(processor, 'status');
  // Whose card is kept there is asked for another also once nothing new is taken.
  const invite = (
    <DialogButton dialog="invite-cards" row={processor} label="inviteCards.title" area="processors" />
  );
  if (status === 'retired') return invite;
  const isPaused = status === 'paused';
  const kind = textOf(processor, 'kind');
  const hasKeys = textOf(processor, 'keyLast4') !== '';
  return (
    <>
      <TestCheckout processor={processor} />
      <DialogButton
        dialog={hasKeys ? 'edit-account' : 'edit-processor'}
        row={processor}
        label="action.edit"
        area="processors"
      />
      {hasKeys ? (
        <>
          <DialogButton
            dialog="check-processor"
            row={processor}
            label="checkProcessor.title"
            area="processors"
          />
          <DialogButton
            dialog="reconcile-processor"
            row={processor}
            label="reconcile.title"
            area="processors"
          />
          <DialogButton
            dialog={kind === 'paypal' ? 'rotate-paypal-credentials' : 'rotate-credentials'}
            row={processor}
            label="rotateCredentials.title"
            area="processors"
          />
          <DialogButton
            dialog="rotate-webhook"
            row={processor}
            label="rotateWebhook.title"
            area="processors"
          />
        </>
      ) : null}
      {invite}
      <DialogButton
        dialog={isPaused ? 'resume-processor' : 'pause-processor'}
        row={processor}
        label={isPaused ? 'resumeProcessor.title' : 'pauseProcessor.title'}
        area="processors"
      />
      <DialogButton
        dialog="archive-processor"
        row={processor}
        label="archiveProcessor.title"
        area="processors"
        isDanger
      />
    </>
  );
}

function Stub({ processor }: { processor: Row }) {
  const { t, tName, countryName, number } = useLocale();
  const tools = useTools();
  const list = (name: string) => {
    const given = processor[name];
    return Array.isArray(given) ? given.map(String) : [];
  };
  const dueDays = numberOf(processor, 'dueDays');
  const health = rowOf(processor, 'health');
  const last4 = textOf(processor, 'keyLast4');
  const webhook = textOf(rowOf(processor, 'webhook'), 'state');
  return (
    <Facts>
      <Fact name={t('column.kind')}>{tName('processorKind.', textOf(processor, 'kind'))}</Fact>
      <Fact name={t('column.account')}>
        {accountOf(processor) ? <span className="code-text">{accountOf(processor)}</span> : null}
      </Fact>
      <Fact name={t('processor.bic')}>
        {textOf(processor, 'bic') ? <span className="code-text">{textOf(processor, 'bic')}</span> : null}
      </Fact>
      <Fact name={t('processor.holder')}>{textOf(processor, 'holder')}</Fact>
      <Fact name={t('processor.dueDays')}>{dueDays === null ? null : number(dueDays)}</Fact>
      <Fact name={t('processor.key')}>{last4 ? <span className="code-text">••••{last4}</span> : null}</Fact>
      <Fact name={t('processor.told')}>
        {webhook === '' || webhook === 'none' ? null : tName('webhookState.', webhook)}
      </Fact>
      <Fact name={t('processor.reason')}>{textOf(health, 'reason')}</Fact>
      <Fact name={t('processor.currencies')}>{list('currencies').join(', ') || t('processor.all')}</Fact>
      <Fact name={t('processor.countries')}>
        {list('countries').map(countryName).join(', ') || t('processor.all')}
      </Fact>
      <Fact name={t('processor.priority')}>{number(numberOf(processor, 'priority') ?? 0)}</Fact>
      <Fact name={t('column.created')}>
        <Time ms={numberOf(processor, 'createdAt')} tools={tools} />
      </Fact>
      <Fact name={t('processor.retired')}>
        {numberOf(processor, 'retiredAt') === null ? null : (
          <Time ms={numberOf(processor, 'retiredAt')} tools={tools} />
        )}
      </Fact>
      <Fact name={t('column.id')}>
        <CopyableId id={textOf(processor, 'id')} />
      </Fact>
    </Facts>
  );
}

function Methods({ methods }: { methods: readonly Row[] }) {
  const { t, tName } = useLocale();
  const tools = useTools();
  return (
    <Part id="methods" title={t('processor.methods')}>
      <ul className="row-list">
        {methods.map((method) => (
          <li key={textOf(method, 'type')}>
            <Stamp status={textOf(method, 'status')} tools={tools} names="methodStatus." />
            <strong>{tName('method.', textOf(method, 'type'))}</strong>
            {textOf(method, 'reason') ? <span className="soft">{textOf(method, 'reason')}</span> : null}
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** The hosts whose pages may show Apple Pay, Google Pay and Link. */
function Wallets({ domains }: { domains: readonly Row[] }) {
  const { t } = useLocale();
  const tools = useTools();
  if (domains.length === 0) return null;
  return (
    <Part id="wallets" title={t('processor.wallets')}>
      <p className="soft">{t('processor.walletsText')}</p>
      <ul className="row-list">
        {domains.map((domain) => (
          <li key={textOf(domain, 'host')}>
            <Stamp status={textOf(domain, 'state')} tools={tools} names="domainState." />
            <strong>{textOf(domain, 'host')}</strong>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** What the buyer reads beside the account, by language. */
function Instructions({ instructions }: { instructions: Row | null }) {
  const { t, tName } = useLocale();
  const all = Object.entries(instructions ?? {});
  return (
    <Part id="instructions" title={t('processor.instructions')}>
      {all.length === 0 ? <p className="soft">{t('processor.noInstructions')}</p> : null}
      <dl className="facts">
        {all.map(([language, text]) => (
          <div key={language}>
            <dt>{tName('languageName.', language)}</dt>
            <dd lang={language}>{String(text)}</dd>
          </div>
        ))}
      </dl>
    </Part>
  );
}

/** What the processor has told, newest first; what could not be read waits for a person. */
function Told({ id }: { id: string }) {
  const { t } = useLocale();
  const tools = useTools();
  const read = useRead<Row>(`/v0/processors/${encodeURIComponent(id)}/events/list`, { query: 'take=20' });
  const events = rowsOf(read.data, 'processorEvents');
  return (
    <Part id="told" title={t('processor.told')}>
      {read.data && events.length === 0 ? <p className="soft">{t('processor.nothingTold')}</p> : null}
      <ul className="row-list">
        {events.map((event) => (
          <li key={textOf(event, 'id')}>
            <Stamp status={textOf(event, 'status')} tools={tools} names="eventStatus." />
            <span className="code-text">{textOf(event, 'type')}</span>
            {textOf(event, 'lastError') ? (
              <span className="field-error">{textOf(event, 'lastError')}</span>
            ) : null}
            <Time ms={numberOf(event, 'receivedAt')} tools={tools} />
            {textOf(event, 'status') === 'parked' ? (
              <DialogButton
                dialog="retry-processor-event"
                row={event}
                label="retryEvent.title"
                area="processors"
              />
            ) : null}
          </li>
        ))}
      </ul>
    </Part>
  );
}
