import { useEffect } from 'react';

/** Set by the frame: every title of the test store says so. */
let prefix = '';

export function setTitlePrefix(next: string): void {
  prefix = next;
}

/** Null = the title is another's. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = `${prefix}${title} · Counterfoil`;
  }, [title]);
}
