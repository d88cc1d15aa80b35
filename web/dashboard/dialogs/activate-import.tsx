import { useState } from 'react';
import { Link } from 'wouter';
import { numberOf, type Row, rowsOf, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { TextField } from '../session/entrance.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useLocale } from '../ui/locale.tsx';
import { Check } from './commit-import.tsx';
import { DialogFrame } from './frame.tsx';

const WHICH = ['all', 'chosen'] as const;

/** From then on they are charged here: all that wait, or some to begin with. */
export function ActivateImport({ row, close }: { row: Row; close: () => void }) {
  const { t, number } = useLocale();
  const [which, setWhich] = useState<(typeof WHICH)[number]>('all');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [chargeMissed, setMissed] = useState(false);
  const [invite, setInvite] = useState(false);
  const write = useWrite<Row>();
  const waiting = numberOf(row, 'waiting') ?? 0;
  const count = which === 'all' ? waiting : chosen.size;
  if (write.data) return <Outcome results={rowsOf(write.data, 'results')} close={close} />;
  const body = { chargeMissed, invite, ...(which === 'all' ? {} : { subscriptions: [...chosen] }) };
  return (
    <DialogFrame
      title={t('import.activateTitle')}
      text={t('import.activateText')}
      confirm={t('import.activateSome', { count: number(count) })}
      isBusy={write.isPending}
      isOff={count === 0}
      error={write.error}
      close={close}
      submit={() =>
        write.mutate({
          method: 'POST',
          path: `/v0/imports/${textOf(row, 'id')}/activate`,
          body,
          isSlow: true,
        })
      }
    >
      <div className="choice-cards" role="radiogroup" aria-label={t('import.which')}>
        {WHICH.map((one) => (
          <label key={one}>
            <input type="radio" name="which" checked={which === one} onChange={() => setWhich(one)} />
            <span>
              <strong>{t(`import.${one}`, { count: number(waiting) })}</strong>
            </span>
            <small>{t(`import.${one}Text`)}</small>
          </label>
        ))}
      </div>
      {which === 'chosen' ? <Choice importId={textOf(row, 'id')} chosen={chosen} choose={setChosen} /> : null}
      <Check isOn={chargeMissed} change={setMissed} hint={t('import.chargeMissedHint')}>
        {t('import.chargeMissed')}
      </Check>
      <Check isOn={invite} change={setInvite} hint={t('import.inviteHint')}>
        {t('import.invite')}
      </Check>
    </DialogFrame>
  );
}

const TAKE = 50;

function Choice(props: {
  importId: string;
  chosen: ReadonlySet<string>;
  choose: (chosen: ReadonlySet<string>) => void;
}) {
  const { t, money, day, number } = useLocale();
  const { zone } = useStore();
  const { importId, chosen, choose } = props;
  const [term, setTerm] = useState('');
  const [cursor, setCursor] = useState<string | null>(null);
  const query = new URLSearchParams({ waitingOf: importId, take: String(TAKE) });
  query.set('orderBy', 'currentIntervalEnd');
  query.set('orderDirection', 'ASC');
  if (term !== '') query.set('term', term);
  if (cursor !== null) query.set('cursor', cursor);
  const read = useRead<Row>('/v0/subscriptions/list', { query: query.toString(), keep: true });
  const rows = rowsOf(read.data, 'subscriptions');
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    choose(next);
  };
  const page = (name: 'cursor' | 'previousCursor', label: string) =>
    textOf(read.data, name) === '' ? null : (
      <button type="button" className="plain-button" onClick={() => setCursor(textOf(read.data, name))}>
        {label}
      </button>
    );
  return (
    <fieldset className="option-list text-field" aria-busy={read.isPlaceholderData}>
      <legend>{t('import.chosenCount', { count: number(chosen.size) })}</legend>
      <TextField
        label={t('import.find')}
        value={term}
        change={(value) => {
          setTerm(value);
          setCursor(null);
        }}
      />
      {rows.map((row) => {
        const id = textOf(row, 'id');
        const end = numberOf(row, 'currentIntervalEnd');
        return (
          <label key={id}>
            <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
            <span>
              {textOf(row, 'userEmail')} <span className="code-text">{id}</span>{' '}
              <span className="soft">
                {money(numberOf(row, 'value') ?? 0, textOf(row, 'currency'))}
                {end === null ? null : <> · {t('import.paidUntil', { date: day(end, zone) })}</>}
              </span>
            </span>
          </label>
        );
      })}
      {read.data && rows.length === 0 ? <p className="soft">{t('list.noMatch')}</p> : null}
      <div className="button-row">
        {page('previousCursor', t('list.previous'))}
        {page('cursor', t('list.next'))}
      </div>
    </fieldset>
  );
}

const SHOWN_MAX = 100;

/** Each by itself: what was refused waits on, with its reason. */
function Outcome({ results, close }: { results: readonly Row[]; close: () => void }) {
  const { t, tName, number } = useLocale();
  const refused = results.filter((one) => textOf(one, 'status') === 'refused');
  return (
    <Dialog onClose={close} title={t('import.activateTitle')}>
      <div className="stack">
        <p role="status">
          {t('import.activated', {
            count: number(results.length - refused.length),
            refused: number(refused.length),
          })}
        </p>
        {refused.length > 0 ? (
          <ul className="row-list" aria-label={t('import.notActivated')}>
            {refused.slice(0, SHOWN_MAX).map((one) => (
              <li key={textOf(one, 'ref')}>
                {textOf(one, 'subscriptionId') ? (
                  <Link href={`/subscriptions/${textOf(one, 'subscriptionId')}`} onClick={close}>
                    {textOf(one, 'subscriptionId')}
                  </Link>
                ) : null}
                <span className="code-text">{textOf(one, 'ref')}</span>
                <span>{tName('activation.', textOf(one, 'code'))}</span>
                {one.invited === true ? <span className="soft">{t('import.invited')}</span> : null}
              </li>
            ))}
          </ul>
        ) : null}
        <button type="button" className="main-button" onClick={close}>
          {t('done')}
        </button>
      </div>
    </Dialog>
  );
}
