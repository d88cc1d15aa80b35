import { useEffect, useState } from 'react';

/** What opens a dialog has the focus again when it is gone: a dialog that is taken away whole cannot see to it itself. */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // After the dialog has left, and only where nothing else has taken the focus.
      setTimeout(() => {
        const isFree = document.activeElement === null || document.activeElement === document.body;
        if (isFree && before instanceof HTMLElement && before.isConnected) before.focus();
      });
    },
    [before],
  );
}
