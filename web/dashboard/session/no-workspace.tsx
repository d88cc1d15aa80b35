/** Who is signed in and a member of nothing: what they can do about it, and the way out. */
import { Link } from 'wouter';
import type { Session } from '../api/objects.ts';
import { useSignOut } from '../api/use-session.ts';
import { useLocale } from '../ui/locale.tsx';
import { Lonely } from '../ui/lonely.tsx';
import { useWays } from './ways.ts';

export default function NoWorkspace({ session }: { session: Session }) {
  const { t } = useLocale();
  const ways = useWays();
  const signOut = useSignOut();
  const { email, installationAdmin } = session.account;
  const mayCreate = installationAdmin || ways?.signUp === true;
  const text = t(mayCreate ? 'workspace.noneCreate' : 'workspace.noneInvited', { email });
  return (
    <Lonely title={t('workspace.none')} text={text}>
      <p className="button-row">
        {mayCreate ? (
          <Link href="/new-workspace" className="main-button">
            {t('workspace.create')}
          </Link>
        ) : null}
        <button type="button" className="plain-button" onClick={() => void signOut()}>
          {t('account.signOut')}
        </button>
      </p>
    </Lonely>
  );
}
