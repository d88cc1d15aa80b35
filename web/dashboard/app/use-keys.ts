/** Keys without a modifier, for whoever wants them: they can be switched off, and never act while somebody types. */
import { useLayoutEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { listOpen } from './places.ts';
import { useStore } from './store.tsx';

const OFF = 'cf-keys-off';
const CHORD_MS = 1_200;

export function areKeysOff(): boolean {
  try {
    return localStorage.getItem(OFF) !== null;
  } catch {
    return false;
  }
}

export function switchKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, '1');
  } catch {
    // Then they stay as they are.
  }
}

/** Whether the key is somebody's typing, or a dialog's. */
export function isTaken(event: KeyboardEvent): boolean {
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (target?.closest('input, textarea, select, [contenteditable], [role="menu"], dialog')) return true;
  return document.querySelector('[role="dialog"]') !== null;
}

export function useKeys(on: { openPalette: () => void; openKeys: () => void }): void {
  const { isTest, may } = useStore();
  const [, navigate] = useLocation();
  const chordMs = useRef(0);
  // Before the screen is painted: whoever sees it may press at once.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        on.openPalette();
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || areKeysOff() || isTaken(event)) return;
      // When it was pressed: the page may have been busy since.
      const now = event.timeStamp;
      if (now - chordMs.current < CHORD_MS) {
        chordMs.current = 0;
        const found = listOpen({ isTest, may }).find(({ key }) => key === event.key);
        const [first] = found?.places ?? [];
        if (first) {
          event.preventDefault();
          navigate(`/${first.path}`);
        }
      } else if (event.key === 'g') {
        chordMs.current = now;
      } else if (event.key === '?') {
        on.openKeys();
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  });
}
