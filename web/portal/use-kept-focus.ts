import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Whoever goes by keyboard stays where they were: at a button that was busy, or at the head where it is gone. */
export function useKeptFocus(head: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const main = head.current?.closest('main');
    if (!main) return;
    let last: Element | null = null;
    const note = ({ target }: FocusEvent) => {
      last = target as Element;
    };
    const watch = new MutationObserver((changes) => {
      if (!last || document.activeElement !== document.body) return;
      if (!last.isConnected) head.current?.focus({ preventScroll: true });
      else if (changes.some(({ target, type }) => type === 'attributes' && target === last))
        (last as HTMLElement).focus({ preventScroll: true });
    });
    main.addEventListener('focusin', note);
    watch.observe(main, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    return () => {
      main.removeEventListener('focusin', note);
      watch.disconnect();
    };
  }, []);
}
