import { useEffect } from 'react';

// A group has no `aria-invalid`: its first control is where it is put right.
const REFUSED = '[aria-invalid="true"], fieldset[data-invalid] input';

/** Of what was refused the first field has the focus; what stands at none, above them all, is brought into view. */
export function useFocusOnError(
  element: { current: HTMLFormElement | null },
  error: object | null | undefined,
): void {
  useEffect(() => {
    if (!error || !element.current) return;
    const field = element.current.querySelector<HTMLElement>(REFUSED);
    if (field) field.focus();
    else element.current.querySelector('[role="alert"]')?.scrollIntoView({ block: 'center' });
  }, [element, error]);
}
