import { useState } from 'react';
import { numberOf, type Row, rowOf, rowsOf, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { PlaceLink } from '../app/place-link.tsx';
import { useStore } from '../app/store.tsx';
import { DialogFrame } from '../dialogs/frame.tsx';
import { TextField } from '../session/entrance.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useLocale } from '../ui/locale.tsx';
import { useTitle } from '../ui/use-title.ts';

const STEPS = ['hour', 'day', 'week', 'month', 'year'] as const;
const WATCH_MS = 1_000;
const SHOWN = 20;

export default function TestClock() {
  const { t, time } = useLocale();
  const { zone, may } = useStore();
  useTitle(t('clock.title'));
  const [isResetting, setResetting] = useState(false);
  /** Where the clock stood when it was sent on its way from here. */
  const [leftAt, setLeftAt] = useState<number | null>(null);
  const isMoving = leftAt !== null;
  const read = useRead<{ testClock: Row }>('/v0/test-clock', {
    everyMs: (data) => (isMoving || numberOf(data?.testClock, 'advancingTo') !== null ? WATCH_MS : false),
  });
  const write = useWrite<{ testClock: Row }>();
  const clock = read.data?.testClock;
  const target = numberOf(clock, 'advancingTo');
  const advance = (unit: string) => {
    setLeftAt(numberOf(clock, 'now'));
    write.mutate(
      { method: 'POST', path: '/v0/test-clock/advance', body: { by: { [`${unit}s`]: 1 } }, isSlow: true },
      { onSettled: () => setLeftAt(null) },
    );
  };
  return (
    <section className="sheet form-sheet" aria-labelledby="clock-title">
      <div className="sheet-head">
        <h1 id="clock-title">{t('clock.title')}</h1>
      </div>
      <p className="stub-amount">{clock ? time(Number(clock.now), zone) : ''}</p>
      {clock ? <Offset ms={numberOf(clock, 'offsetMs') ?? 0} /> : null}
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
      <div role="status">
        {target !== null ? <UnderWay from={leftAt} now={numberOf(clock, 'now')} to={target} /> : null}
        {write.data && !isMoving ? <Done done={rowOf(write.data.testClock, 'done')} /> : null}
      </div>
      <ErrorNotice text={write.error?.message} />
      <Upcoming clock={clock ?? null} />
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

const HOUR_MS = 3_600_000;
const HOURS_OF_DAYS = 48;

/** How far it is ahead, in the unit that says it best. */
function Offset({ ms }: { ms: number }) {
  const { t, number } = useLocale();
  const hours = Math.round(ms / HOUR_MS);
  const text =
    hours === 0
      ? t('clock.inStep')
      : hours < HOURS_OF_DAYS
        ? t('clock.offsetHours', { hours: number(hours) })
        : t('clock.offset', { days: number(Math.round(hours / 24)) });
  return <p className="soft">{text}</p>;
}

/** Where it started is known to whoever sent it; of others' the bar says only that something happens. */
function UnderWay({ from, now, to }: { from: number | null; now: number | null; to: number }) {
  const { t, time } = useLocale();
  const { zone } = useStore();
  const label = t('clock.moving', { date: time(to, zone) });
  const known = from !== null && now !== null && to > from;
  return (
    <div className="stack">
      <p>{label}</p>
      <progress aria-label={label} {...(known ? { value: now - from, max: to - from } : {})} />
    </div>
  );
}

/** How much of each kind fell due on the way. */
function Done({ done }: { done: Row | null }) {
  const { t, tName, number } = useLocale();
  const counts = Object.entries(done ?? {})
    .map(([kind, count]) => ({ kind, count: Number(count) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  return (
    <section className="part" aria-labelledby="clock-done">
      <h2 id="clock-done">{t('clock.done')}</h2>
      {counts.length === 0 ? <p className="soft">{t('clock.nothingDone')}</p> : null}
      <dl className="facts">
        {counts.map(({ kind, count }) => (
          <div key={kind}>
            <dt>{tName('work.', kind)}</dt>
            <dd>{number(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Where an object that something falls due for has its page. */
const PAGES: Readonly<Record<string, string>> = {
  order: '/orders',
  payment: '/orders/payments',
  withdrawal: '/orders/withdrawals',
  cancellation_notice: '/orders/cancellation-notices',
  subscription: '/subscriptions',
  user: '/customers',
  mail: '/mail',
  webhook: '/developers/webhooks',
  import: '/settings/imports',
};

function Upcoming({ clock }: { clock: Row | null }) {
  const { t, time, tName } = useLocale();
  const { zone } = useStore();
  const rows = rowsOf(clock, 'upcoming').slice(0, SHOWN);
  return (
    <section className="part" aria-labelledby="upcoming">
      <h2 id="upcoming">{t('clock.upcoming')}</h2>
      {clock && rows.length === 0 ? <p className="soft">{t('clock.nothing')}</p> : null}
      <ul className="row-list">
        {rows.map((one) => {
          const id = textOf(one, 'id');
          const page = PAGES[textOf(one, 'object')];
          return (
            <li key={`${textOf(one, 'kind')} ${id} ${textOf(one, 'at')}`}>
              <span>{time(Number(one.at), zone)}</span>
              <span>{tName('work.', textOf(one, 'kind'))}</span>
              {/* What has no page, such as a card, is told enough of by what is due: its id says nothing. */}
              {page === undefined ? null : (
                <PlaceLink href={`${page}/${id}`} className="code-text">
                  {id}
                </PlaceLink>
              )}
            </li>
          );
        })}
      </ul>
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
