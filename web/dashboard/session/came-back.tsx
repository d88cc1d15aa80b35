/** The tab in which the identity provider was asked for a fresh proof: it tells the one that waits, and is done. */
import { useEffect } from 'react';
import { useLocale } from '../ui/locale.tsx';
import { Lonely } from '../ui/lonely.tsx';
import { describeReturn } from './sign-in-answer.ts';
import { PROVED } from './ways.ts';

export default function CameBack() {
  const { t } = useLocale();
  const error = new URLSearchParams(window.location.search).get('error');
  useEffect(() => {
    if (error !== null) return;
    const channel = new BroadcastChannel(PROVED);
    channel.postMessage('proved');
    channel.close();
    // Left open by browsers that let no page close what it did not open: then its text says what to do.
    window.close();
  }, [error]);
  if (error === null) return <Lonely title={t('proof.title')} text={t('proof.text')} />;
  return (
    <Lonely title={t('proof.failed')} text={describeReturn(error, t)} to="/" action={t('workspace.toOwn')} />
  );
}
