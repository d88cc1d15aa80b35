/** What each member is told of by mail. */
import { notifications as toasts } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { type Row, rowOf, textOf } from '../api/objects.ts';
import { useRead, useWrite } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { NOTIFICATIONS } from '../forms/roles.ts';
import { Failure } from '../ui/failure.tsx';
import { useLocale } from '../ui/locale.tsx';
import { useTitle } from '../ui/use-title.ts';
import { BlockFields } from './block-fields.tsx';
import { BLOCKS } from './blocks.ts';

export function NotificationSettings() {
  const { t } = useLocale();
  useTitle(t('settings.notifications'));
  const { may } = useStore();
  const read = useRead<{ members: Row[] }>('/v0/members/list', { query: 'take=100' });
  return (
    <section className="sheet form-sheet" aria-labelledby="notifications-title">
      <div className="sheet-head">
        <h1 id="notifications-title">{t('settings.notifications')}</h1>
      </div>
      <p className="soft">{t('notifications.text')}</p>
      {read.isError ? <Failure error={read.error} retry={() => void read.refetch()} /> : null}
      {(read.data?.members ?? []).map((member) => (
        <Member key={textOf(member, 'id')} member={member} />
      ))}
      {may('settings') ? <Thresholds /> : null}
    </section>
  );
}

/** From when on somebody is told: settings of the store. */
function Thresholds() {
  const { t } = useLocale();
  const read = useRead<Row>('/v0/settings');
  const settings = rowOf(read.data, 'settings');
  if (!settings) return null;
  return (
    <section className="part" aria-labelledby="thresholds-title">
      <h2 id="thresholds-title">{t('notifications.thresholds')}</h2>
      <BlockFields page="notifications" fields={BLOCKS.notifications ?? []} settings={settings} />
    </section>
  );
}

const toldOf = ({ notifications }: Row): string[] =>
  Array.isArray(notifications) ? notifications.map(String) : [];

function Member({ member }: { member: Row }) {
  const { t, tName } = useLocale();
  const { may } = useStore();
  const write = useWrite();
  // What was pressed is shown at once, and taken back where it is refused.
  const [pressed, setPressed] = useState<string[] | null>(null);
  // What others have changed since is shown once it is read.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is what ends it.
  useEffect(() => setPressed(null), [member.version]);
  const told = pressed ?? toldOf(member);
  const isOwner = textOf(member, 'role') === 'owner';
  const [name, email] = [textOf(member, 'name'), textOf(member, 'email')];
  const send = (of: Row, one: string, isOn: boolean): void => {
    const others = toldOf(of).filter((other) => other !== one);
    const next = isOn ? [...others, one] : others;
    setPressed(next);
    write.mutate(
      {
        method: 'PATCH',
        path: `/v0/members/${textOf(member, 'id')}/update`,
        body: { notifications: next },
        ifMatch: `"${textOf(of, 'version')}"`,
      },
      {
        onSuccess: () => toasts.show({ message: t('form.done') }),
        onError: (error) => {
          // Somebody else was faster: the same box is pressed in what they have left.
          const now = error.code === 'edit_conflict' ? rowOf(error.facts[0], 'current') : null;
          if (now && textOf(now, 'version') !== textOf(of, 'version')) send(now, one, isOn);
          else setPressed(null);
        },
      },
    );
  };
  const toggle = (one: string) => send({ ...member, notifications: told }, one, !told.includes(one));
  return (
    <fieldset className="option-list text-field">
      <legend>
        {name || email}{' '}
        <span className="soft">
          {name ? `${email} · ` : ''}
          {tName('role.', textOf(member, 'role'))}
        </span>
      </legend>
      {write.error ? (
        <p className="field-error" role="alert">
          {write.error.message}
        </p>
      ) : null}
      {NOTIFICATIONS.map((one) => (
        <label key={one}>
          <input
            type="checkbox"
            checked={isOwner || told.includes(one)}
            disabled={isOwner || !may('members', 'write') || write.isPending}
            onChange={() => toggle(one)}
          />
          {tName('notification.', one)}
        </label>
      ))}
    </fieldset>
  );
}
