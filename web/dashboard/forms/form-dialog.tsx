import { Modal } from '@mantine/core';
import { useLocale } from '../ui/locale.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import NamedForm from './named-form.tsx';

export default function FormDialog(props: {
  form: string;
  label: string;
  given?: Record<string, unknown>;
  close: () => void;
}) {
  const { t } = useLocale();
  useReturnFocus();
  return (
    <Modal opened onClose={props.close} title={props.label} closeButtonProps={{ 'aria-label': t('close') }}>
      <NamedForm form={props.form} given={props.given} close={props.close} />
    </Modal>
  );
}
