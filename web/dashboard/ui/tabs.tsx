/** A row of tabs, of which one is open, with what it shows; the arrow keys go from one to the next. */
import type { ReactNode } from 'react';

export interface TabsProps<T extends string> {
  /** Unlike that of any other row on the screen. */
  id: string;
  /** What the row is called. */
  label: string;
  tabs: readonly T[];
  open: T;
  toName: (tab: T) => string;
  onOpen: (tab: T) => void;
  /** What the open tab shows. */
  children: ReactNode;
}

export function Tabs<T extends string>({ id, label, tabs, open, toName, onOpen, children }: TabsProps<T>) {
  const toTabId = (tab: T) => `${id}-${tab}`;
  const panelId = `${id}-panel`;
  const step = (by: number) => {
    const next = tabs[(tabs.indexOf(open) + by + tabs.length) % tabs.length];
    if (next === undefined) return;
    onOpen(next);
    document.getElementById(toTabId(next))?.focus();
  };
  return (
    <>
      <div role="tablist" aria-label={label} className="tabs">
        {tabs.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={toTabId(one)}
            aria-selected={open === one}
            aria-controls={panelId}
            tabIndex={open === one ? 0 : -1}
            onClick={() => onOpen(one)}
            onKeyDown={(event) => {
              if (event.key === 'ArrowRight') step(1);
              if (event.key === 'ArrowLeft') step(-1);
            }}
          >
            {toName(one)}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={panelId} aria-labelledby={toTabId(open)} className="tab-panel">
        {children}
      </div>
    </>
  );
}
