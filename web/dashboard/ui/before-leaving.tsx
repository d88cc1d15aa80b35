/** What was filled in is not dropped by a key or a press beside it: whoever leaves with something unsaved is asked. */
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useLocale } from './locale.tsx';

const TYPED = 'form[data-typed] :is(input, select, textarea)';
/** Of somebody who has not said yet that it is stored. */
const SHOWN_ONCE = '[data-shown-once]';

const DIALOG = '[role="dialog"]';

type Loss = 'typed' | 'once';

interface Leaving {
  /** For what closes without a word of its own: Escape, a press beside, the cross. */
  leave: () => void;
  /** What is asked of, with the question in its place while it is open. */
  wrap: (children: ReactNode) => ReactNode;
}

export function useBeforeLeaving(close: () => void): Leaving {
  const place = useRef<HTMLDivElement>(null);
  const [loss, setLoss] = useState<Loss | null>(null);
  const before = useRef<Element | null>(null);
  const stay = () => {
    setLoss(null);
    // Once it can be seen again.
    setTimeout(() => before.current instanceof HTMLElement && before.current.focus());
  };
  const go = () => {
    setLoss(null);
    close();
  };
  const leave = () => {
    if (isBelow(place.current)) return;
    if (loss) return stay();
    const found = findLoss(place.current);
    if (!found) return close();
    before.current = document.activeElement;
    setLoss(found);
  };
  const wrap = (children: ReactNode) => (
    <>
      {loss ? <Question loss={loss} stay={stay} go={go} /> : null}
      <div ref={place} hidden={loss !== null} onInput={mark}>
        {children}
      </div>
    </>
  );
  return { leave, wrap };
}

/** Escape is heard by every dialog that is open, and means the one on top. */
function isBelow(place: Element | null): boolean {
  const own = place?.closest(DIALOG);
  return own != null && own !== [...document.querySelectorAll(DIALOG)].at(-1);
}

/** A dialog above this one is heard here, too; its form is its own, and lies elsewhere in the page. */
function mark({ target }: FormEvent) {
  const form = target instanceof Element ? target.closest('form') : null;
  if (form) form.dataset.typed = '';
}

function findLoss(place: Element | null): Loss | null {
  if (place?.querySelector(SHOWN_ONCE)) return 'once';
  const fields = [...(place?.querySelectorAll<HTMLInputElement>(TYPED) ?? [])];
  // Emptied again, or gone with what was sent.
  return fields.some(({ value }) => value !== '') ? 'typed' : null;
}

function Question({ loss, stay, go }: { loss: Loss; stay: () => void; go: () => void }) {
  const { t } = useLocale();
  const id = useId();
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a question with two answers is no set of fields
    <div role="group" aria-labelledby={id} className="stack">
      <p id={id}>{t(loss === 'once' ? 'leave.once' : 'leave.typed')}</p>
      <div className="dialog-buttons">
        <button type="button" className="plain-button" onClick={go}>
          {t(loss === 'once' ? 'leave.goOnce' : 'leave.go')}
        </button>
        <button ref={first} type="button" className="main-button" onClick={stay}>
          {t('leave.stay')}
        </button>
      </div>
    </div>
  );
}
