import { type ReactNode, useLayoutEffect, useRef } from 'react';

const FIELD = ':is(input:not([type="hidden"]), select, textarea):not(:disabled)';

/** A title that can have the focus, as the start of what there is to read. */
export const startOf = (title: ReactNode) => (
  <span className="dialog-start" tabIndex={-1}>
    {title}
  </span>
);

/**
 * Within a dialog: marks where the focus goes when it opens, which is the first field, else the title. Without a mark it
 * would be the first thing that can be pressed, and that is "Close".
 */
export function StartHere() {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const dialog = place.current?.closest('[role="dialog"]');
    const first = dialog?.querySelector<HTMLInputElement>(FIELD);
    // Of a group it is the one that is chosen, as with Tab.
    const chosen = first?.type === 'radio' && dialog?.querySelector(`[name="${first.name}"]:checked`);
    (chosen || first || dialog?.querySelector('.dialog-start'))?.setAttribute('data-autofocus', '');
  }, []);
  return <span ref={place} hidden />;
}
