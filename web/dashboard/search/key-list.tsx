import { useState } from 'react';
import { SECTIONS } from '../app/places.ts';
import { areKeysOff, switchKeys } from '../app/use-keys.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useLocale } from '../ui/locale.tsx';
import type { TextKey } from '../ui/texts.ts';
import { useReturnFocus } from '../ui/use-return-focus.ts';

const KEYS: ReadonlyArray<[string, TextKey]> = [
  ['', 'search.title'],
  ['/', 'keys.searchList'],
  ['j k', 'keys.rows'],
  ['x', 'keys.select'],
  ['Enter', 'keys.open'],
  [' ', 'keys.drawer'],
  ['e', 'export.button'],
  ['?', 'keys.title'],
];

export default function KeyList({ close }: { close: () => void }) {
  const { t } = useLocale();
  useReturnFocus();
  const [isOn, setOn] = useState(!areKeysOff());
  const toggle = () => {
    switchKeys(!isOn);
    setOn(!isOn);
  };
  return (
    <Dialog onClose={close} title={t('keys.title')}>
      <dl className="key-list">
        {KEYS.map(([key, label]) => (
          <div key={key}>
            <dt>
              <kbd>{key === '' ? t('search.keys') : key === ' ' ? t('keys.space') : key}</kbd>
            </dt>
            <dd>{t(label)}</dd>
          </div>
        ))}
        {SECTIONS.map(({ id, key, label }) => (
          <div key={id}>
            <dt>
              <kbd>g {key}</kbd>
            </dt>
            <dd>{t(label)}</dd>
          </div>
        ))}
      </dl>
      <label className="check-row">
        <input type="checkbox" checked={isOn} onChange={toggle} />
        {t('keys.single')}
      </label>
    </Dialog>
  );
}
