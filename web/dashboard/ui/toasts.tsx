/** What was done, said at the edge for a moment; each can be put away by a button that says so. */
import { MantineThemeProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useLocale } from './locale.tsx';

export function Toasts() {
  const { t } = useLocale();
  const defaultProps = { closeButtonProps: { 'aria-label': t('close') } };
  return (
    <MantineThemeProvider theme={{ components: { Notification: { defaultProps } } }}>
      <Notifications position="bottom-left" limit={3} />
    </MantineThemeProvider>
  );
}
