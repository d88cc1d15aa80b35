/** What stands over the screen: it is read from its head, or filled in from its first field; leaving comes last. */
import { Modal, type ModalProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocale } from './locale.tsx';
import { StartHere, startOf } from './start-here.tsx';

type DialogProps = Pick<ModalProps, 'size' | 'yOffset' | 'centered'> & {
  /** False while it is kept at hand. */
  opened?: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
};

export function Dialog({ opened = true, children, title, ...props }: DialogProps) {
  const { t } = useLocale();
  return (
    <Modal {...props} opened={opened} title={startOf(title)} closeButtonProps={{ 'aria-label': t('close') }}>
      <StartHere />
      {children}
    </Modal>
  );
}
