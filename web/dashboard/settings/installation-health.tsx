/** How the installation fares, and whether its mail server takes letters. */
import { useState } from 'react';
import { numberOf, type Row, rowOf, textOf } from '../api/objects.ts';
import { Fact, Facts, Part } from '../details/detail.tsx';
import { useTools } from '../details/tools.ts';
import { Stamp, Time } from '../ui/cells.tsx';
import { useLocale } from '../ui/locale.tsx';
import { tellFailure } from './tell-failure.ts';
import { useChange } from './use-installation.ts';

const MINUTE_MS = 60_000;
/** Work that is due for longer waits for somebody. */
const LATE_MS = 5 * MINUTE_MS;

export function Health({ status }: { status: Row }) {
  const { t, tName, number } = useLocale();
  const tools = useTools();
  const overdue = numberOf(status, 'overdue') ?? 0;
  const oldestMs = numberOf(status, 'oldestOverdueMs') ?? 0;
  const hasServer = status.mailServer === true;
  return (
    <Part
      id="health"
      title={t('installation.health')}
      aside={<Stamp status={oldestMs > LATE_MS ? 'failing' : 'ok'} tools={tools} names="health." />}
    >
      <div className="wide-facts">
        <Facts>
          <Fact name={t('installation.version')}>{textOf(status, 'version')}</Fact>
          <Fact name={t('installation.store')}>PostgreSQL {textOf(status, 'storeVersion')}</Fact>
          <Fact name={t('installation.address')}>{textOf(status, 'publicUrl')}</Fact>
          <Fact name={t('installation.queue')}>{t('installation.overdue', { count: number(overdue) })}</Fact>
          <Fact name={t('installation.oldest')}>
            {overdue === 0
              ? t('none')
              : t('installation.minutes', { count: number(Math.ceil(oldestMs / MINUTE_MS)) })}
          </Fact>
          <Fact name={t('installation.worker')}>
            <Time ms={numberOf(status, 'workerAt')} tools={tools} />
          </Fact>
          <Fact name={t('installation.mailsWaiting')}>{number(numberOf(status, 'mailsWaiting') ?? 0)}</Fact>
          <Fact name={t('installation.signUp')}>{tName('signUpState.', textOf(status, 'signUp'))}</Fact>
          <Fact name={t('installation.mailServer')}>
            {t(hasServer ? 'installation.set' : 'installation.notSet')}
          </Fact>
        </Facts>
      </div>
      {hasServer ? <MailTest /> : <p className="soft">{t('installation.noMailServer')}</p>}
    </Part>
  );
}

function MailTest() {
  const { t, tName } = useLocale();
  const change = useChange();
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Row | null>(null);
  const press = async () => {
    setBusy(true);
    try {
      setOutcome(await change({ method: 'POST', path: 'smtp-test' }));
    } catch (error) {
      tellFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <p className="button-row">
      <button type="button" className="plain-button" aria-busy={isBusy} onClick={() => void press()}>
        {t('installation.smtpTest')}
      </button>
      <span role="status">
        {outcome ? (
          <>
            {tName('smtpOutcome.', textOf(rowOf(outcome, 'test') ?? outcome, 'outcome'))}{' '}
            <span className="soft">{textOf(outcome, 'detail')}</span>
          </>
        ) : null}
      </span>
    </p>
  );
}
