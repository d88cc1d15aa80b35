/** The ways in, and the stores behind them. */
import { Suspense } from 'react';
import { Redirect, Route, Router, Switch } from 'wouter';
import { useOneAccount, useSession } from '../api/use-session.ts';
import { Gate } from '../session/gate.tsx';
import { SignIn } from '../session/sign-in.tsx';
import { isBack } from '../session/ways.ts';
import { AwayBanner } from '../ui/away-banner.tsx';
import { Failure } from '../ui/failure.tsx';
import { later, laterWithTexts } from '../ui/later.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { chooseStore } from './last-store.ts';

const CameBack = later(() => import('../session/came-back.tsx'));
const Setup = later(() => import('../session/setup.tsx'));
const Links = later(() => import('../session/links.tsx'));
const Device = later(() => import('../session/device.tsx'));
const Workspace = laterWithTexts('app', () => import('./workspace.tsx'));
const NoWorkspace = later(() => import('../session/no-workspace.tsx'));
const NewWorkspace = later(() => import('../session/new-workspace.tsx'));

export function Root() {
  useOneAccount();
  return (
    <Router base="/dashboard">
      <AwayBanner />
      <Suspense fallback={<Waiting />}>
        <Switch>
          <Route path="/setup" component={Setup} />
          <Route path="/link">
            <Links kind="link" />
          </Route>
          <Route path="/reset">
            <Links kind="reset" />
          </Route>
          <Route path="/email">
            <Links kind="email" />
          </Route>
          <Route path="/invitation">
            <Links kind="invitation" />
          </Route>
          <Route path="/sign-up">
            <Links kind="sign-up" />
          </Route>
          <Route>
            <SignedIn />
          </Route>
        </Switch>
      </Suspense>
    </Router>
  );
}

function SignedIn() {
  const session = useSession();
  if (session.isPending) return <Waiting />;
  if (session.isError) return <Failure error={session.error} retry={() => void session.refetch()} isAlone />;
  if (!session.data) return <SignIn />;
  const { data } = session;
  if (isBack()) return <CameBack />;
  const chosen = chooseStore(data);
  return (
    <>
      <Switch>
        <Route path="/new-workspace" component={NewWorkspace} />
        <Route path="/device">
          <Device session={data} />
        </Route>
        <Route path="/:workspaceId/:mode/*?">
          {(params) => <Workspace session={data} workspaceId={params.workspaceId} mode={params.mode} />}
        </Route>
        <Route>{chosen ? <Redirect to={chosen} replace /> : <NoWorkspace session={data} />}</Route>
      </Switch>
      {/* Beside all of them: a step outside any workspace may ask who it is, too. */}
      <Gate />
    </>
  );
}
