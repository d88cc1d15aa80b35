import { Dialog } from '../ui/dialog.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import NamedForm from './named-form.tsx';

export default function FormDialog(props: {
  form: string;
  label: string;
  given?: Record<string, unknown>;
  close: () => void;
}) {
  useReturnFocus();
  return (
    <Dialog onClose={props.close} title={props.label}>
      <NamedForm form={props.form} given={props.given} close={props.close} />
    </Dialog>
  );
}
