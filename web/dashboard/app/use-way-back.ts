import { useEffect, useRef } from 'react';

/** How long what is gone back to may take to come. */
const WAIT_MS = 2_000;

/**
 * Whoever goes back from one thing to the list that they came from goes on at its row, not at the top. To be followed once
 * a screen has the focus.
 */
export function useWayBack(path: string): { follow(): () => void } {
  const from = useRef(path);
  const isBack = useRef(false);
  useEffect(() => {
    const note = () => {
      isBack.current = true;
    };
    window.addEventListener('popstate', note);
    return () => window.removeEventListener('popstate', note);
  }, []);
  return {
    follow: () => {
      const left = from.current;
      from.current = path;
      let stop = () => {};
      // The router shows the screen before others hear of the step.
      const timer = setTimeout(() => {
        const wasBack = isBack.current;
        isBack.current = false;
        if (wasBack && left.startsWith(`${path}/`)) stop = waitForRow(left.slice(path.length));
      });
      return () => {
        clearTimeout(timer);
        stop();
      };
    },
  };
}

/** Gives the focus to the row of an address, once it is there, unless somebody went on meanwhile. */
function waitForRow(end: string): () => void {
  const held = document.activeElement;
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
  };
  const look = () => {
    if (document.activeElement !== held) return stop();
    const rows = document.querySelectorAll<HTMLAnchorElement>('.row-link');
    const row = [...rows].find(({ pathname }) => pathname.endsWith(end));
    if (!row) return;
    stop();
    row.focus();
  };
  const observer = new MutationObserver(look);
  const timer = setTimeout(stop, WAIT_MS);
  observer.observe(document.body, { childList: true, subtree: true });
  look();
  return stop;
}
