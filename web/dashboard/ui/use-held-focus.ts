import { type RefObject, useEffect } from 'react';

/** Dialogs and menus give the focus back by themselves, a moment after they are gone. */
const OTHERS_FIRST_MS = 150;

/** What had the focus may go away with its row or its note: then the screen has it, as after a move to another screen. */
export function useHeldFocus(screen: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: EventTarget | null = null;
    let timer: number | undefined;
    const isLost = () => document.activeElement === null || document.activeElement === document.body;
    const remember = (event: FocusEvent) => {
      last = event.target;
    };
    const observer = new MutationObserver(() => {
      if (!(last instanceof Element) || last.isConnected || !isLost()) return;
      last = null;
      timer = window.setTimeout(() => {
        if (isLost()) screen.current?.focus({ preventScroll: true });
      }, OTHERS_FIRST_MS);
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, [screen]);
}
