import { useState } from 'react';
import { numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { Code } from '../details/detail.tsx';
import { DialogFrame } from '../dialogs/frame.tsx';
import { TextField } from '../session/entrance.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';
import { useTitle } from '../ui/use-title.ts';

const STEPS = ['hour', 'day', 'week', 'month', 'year'] as const;
const WATCH_MS = 1_000;
const SHOWN = 20;

export default function TestClock() {
  const { t, time, tName, number } = useLocale();
  const { zone, may } = useStore();
  useTitle(t('clock.title'));
  const [isMoving, setMoving] = useState(false);
  const [isResetting, setResetting] = useState(false);
  const read = useRead<{ testClock: Row }>('/v0/test-clock', { everyMs: isMoving ? WATCH_MS : false });
  const write = useWrite();
  const clock = read.data?.testClock;
  const target = numberOf(clock, 'advancingTo');
  const advance = (unit: string) => {
    setMoving(true);
    write.mutate(
      { method: 'POST', path: '/v0/test-clock/advance', body: { by: { [`${unit}s`]: 1 } }, isSlow: true },
      { onSettled: () => setMoving(false) },
    );
  };
  const done = rowOf(clock, 'done');
  return (
    <section className="sheet form-sheet" aria-labelledby="clock-title">
      <div className="sheet-head">
        <h1 id="clock-title">{t('clock.title')}</h1>
      </div>
      <p className="stub-amount">{clock ? time(Number(clock.now), zone) : ''}</p>
      <p className="soft">
        {t('clock.offset', { days: number(Math.round((numberOf(clock, 'offsetMs') ?? 0) / 864e5)) })}
      </p>
      {may('test-clock', 'write') ? (
        <div className="button-row">
          {STEPS.map((unit) => (
            <button
              key={unit}
              type="button"
              className="plain-button"
              disabled={isMoving}
              onClick={() => advance(unit)}
            >
              {t(`clock.${unit}`)}
            </button>
          ))}
        </div>
      ) : null}
      {target !== null ? <p role="status">{t('clock.moving', { date: time(target, zone) })}</p> : null}
      <ErrorNotice text={write.error?.message} />
      {done ? <Code name={t('clock.done')} text={JSON.stringify(done, null, 2)} /> : null}
      <section className="part" aria-labelledby="upcoming">
        <h2 id="upcoming">{t('clock.upcoming')}</h2>
        {clock && rowsOf(clock, 'upcoming').length === 0 ? (
          <p className="soft">{t('clock.nothing')}</p>
        ) : null}
        <ul className="row-list">
          {rowsOf(clock, 'upcoming')
            .slice(0, SHOWN)
            .map((one) => (
              <li key={`${textOf(one, 'kind')} ${textOf(one, 'id')} ${textOf(one, 'at')}`}>
                <span>{time(Number(one.at), zone)}</span>
                <span>{tName('work.', textOf(one, 'kind'))}</span>
                <span className="code-text soft">{textOf(one, 'id')}</span>
              </li>
            ))}
        </ul>
      </section>
      {may('test-clock', 'write') ? (
        <div className="danger-zone">
          <button type="button" className="plain-button" data-danger onClick={() => setResetting(true)}>
            {t('clock.reset')}
          </button>
        </div>
      ) : null}
      {isResetting ? <Reset close={() => setResetting(false)} /> : null}
    </section>
  );
}

const WORD = 'reset';

function Reset({ close }: { close: () => void }) {
  const { t } = useLocale();
  const [word, setWord] = useState('');
  const write = useWrite();
  return (
    <DialogFrame
      title={t('clock.reset')}
      text={t('clock.resetText')}
      confirm={t('clock.reset')}
      isDanger
      isOff={word !== WORD}
      isBusy={write.isPending}
      error={write.error}
      close={close}
      submit={() =>
        write.mutate(
          { method: 'POST', path: '/v0/test-clock/reset', body: { confirm: true } },
          { onSuccess: close },
        )
      }
    >
      <TextField label={t('clock.typeReset', { word: WORD })} value={word} change={setWord} />
    </DialogFrame>
  );
}
