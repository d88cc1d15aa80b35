import { useEffect } from 'react';
import type { ApiError } from '../api/client.ts';

/** Of what was refused the first field has the focus. */
export function useFocusOnError(
  element: { current: HTMLFormElement | null },
  error: ApiError | null | undefined,
): void {
  useEffect(() => {
    if (error) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [element, error]);
}
