import { Suspense, useState } from 'react';
import { later } from '../ui/later.tsx';

const FormDialog = later(() => import('./form-dialog.tsx'));

/** Opens the form of a name in a dialog that bears the button's words. */
export function FormButton(props: {
  form: string;
  label: string;
  isMain?: boolean;
  given?: Record<string, unknown>;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className={props.isMain ? 'main-button' : 'plain-button'}
        onClick={() => setOpen(true)}
      >
        {props.label}
      </button>
      <Suspense fallback={null}>
        {isOpen ? <FormDialog {...props} close={() => setOpen(false)} /> : null}
      </Suspense>
    </>
  );
}
