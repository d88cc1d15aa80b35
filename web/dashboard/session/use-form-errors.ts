import { useRef, useState } from 'react';
import { useFocusOnError } from '../forms/use-focus-on-error.ts';

/** What is wrong in a form, by field; the first of it has the focus. */
export function useFormErrors() {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  useFocusOnError(form, errors);
  return { form, errors, setErrors };
}
