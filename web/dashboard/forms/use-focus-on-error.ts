import { useEffect } from 'react';
import type { ApiError } from '../api/client.ts';

/** Of what was refused the first field has the focus; what stands at none, above them all, is brought into view. */
export function useFocusOnError(
  element: { current: HTMLFormElement | null },
  error: ApiError | null | undefined,
): void {
  useEffect(() => {
    if (!error || !element.current) return;
    const field = element.current.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (field) field.focus();
    else element.current.querySelector('[role="alert"]')?.scrollIntoView({ block: 'center' });
  }, [element, error]);
}
