/** What stands over the screen: it is read from its head, or filled in from its first field; leaving comes last. */
import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useBeforeLeaving } from './before-leaving.tsx';
import { useLocale } from './locale.tsx';
import { StartHere, startOf } from './start-here.tsx';

type DialogProps = Pick<ModalProps, 'size' | 'yOffset' | 'centered'> & {
  /** False while it is kept at hand. */
  opened?: boolean;
  onClose: () => void;
  /** True where nothing is lost by leaving: what is typed here is a question, or is given up with the call that asks. */
  leavesFreely?: boolean;
  title: string;
  children: ReactNode;
};

export function Dialog({ opened = true, children, title, onClose, leavesFreely, ...props }: DialogProps) {
  const { t } = useLocale();
  const { leave, wrap } = useBeforeLeaving(onClose);
  return (
    <Modal
      {...props}
      opened={opened}
      onClose={leavesFreely ? onClose : leave}
      title={startOf(title)}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <StartHere />
      {wrap(children)}
    </Modal>
  );
}
