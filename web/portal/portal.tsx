/** Entry of the buyers' portal: one page, whose address names the screen. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Seller } from '../ui/branding.ts';
import { mountPage } from '../ui/mount.tsx';
import { PageFooter, SellerLine } from '../ui/parts/seller-line.tsx';
import type { LegalLinks } from '../ui/view.ts';
import { createAsking, type Portal } from './api.ts';
import { Go, type PortalContext, PortalPlace } from './context.tsx';
import { prepareScreen, ScreenOf } from './rooms.tsx';
import { type SignedIn, SignIn, toStart } from './screens/sign-in.tsx';
import { OFFER_PARAMETER } from './shapes.ts';
import { loadPortalTexts, type PortalKey, p } from './text.ts';
import '../ui/styles/checkout.css';
import './styles/portal.css';
import '../ui/styles/print.css';

interface PageState {
  base: string;
  seller: Seller;
  store: { slug: string; testMode: boolean; headline: string | null };
  hasMail: boolean;
  hasPassword: boolean;
  isIn: boolean;
  /** Of who is in. */
  email: string | null;
  userId: string | null;
  legal: LegalLinks;
  statesByCountry: PortalContext['statesByCountry'];
  /** What a merchant's link was opened for, and nothing else. */
  task: Task | null;
  returnUrl: string | null;
  /** Masked: whom the mail's link lets in; null where it opens nothing here. */
  linkEmail: string | null;
}

interface Task {
  flow: string;
  subscriptionId: string | null;
}

const NAVIGATION: ReadonlyArray<[string, PortalKey]> = [
  ['/', 'nav.overview'],
  ['/orders', 'nav.orders'],
  ['/library', 'nav.library'],
  ['/documents', 'nav.documents'],
  ['/payment-methods', 'nav.methods'],
  ['/details', 'nav.details'],
  ['/account', 'nav.account'],
];

function PortalPage({ state }: { state: PageState }) {
  const { base, seller, store, legal, statesByCountry } = state;
  const [path, setPath] = useState(() => toPath(base));
  const [isIn, setIn] = useState(state.isIn && !isWayIn(toPath(base)));
  /** What waits until the buyer has proved once more that it is them. */
  const waiting = useRef<Array<(isProved: boolean) => void>>([]);
  const [isProving, setProving] = useState(false);
  /** Whose things are on the screen. */
  const shown = useRef(state.userId);
  const [email, setEmail] = useState(state.email ?? '');
  const portal: Portal = useMemo(
    () => ({ base, store: store.slug + (store.testMode ? '/test' : ''), ...store }),
    [base],
  );
  const asking = useMemo(
    () =>
      createAsking(
        portal.store,
        () =>
          new Promise((settle) => {
            waiting.current.push(settle);
            setProving(true);
          }),
        () => shown.current,
      ),
    [portal],
  );
  /** A code that is refused is no session that is over. */
  const door = useMemo(() => createAsking(portal.store, async () => false), [portal]);
  const [task, setTask] = useState(state.task);
  const [returnUrl, setReturnUrl] = useState(state.returnUrl);
  const start = task && toStart({ ...task, path: null });
  const leave = () => window.location.assign(returnUrl ?? base);
  const go = (to: string) => {
    // A task alone has nowhere else to go.
    if (start && to !== start && !to.startsWith(`${start}/`)) return leave();
    for (const settle of waiting.current.splice(0)) settle(false);
    setProving(false);
    window.history.pushState(null, '', base + (to === '/' ? '' : to) + window.location.search);
    setPath(to);
    window.scrollTo(0, 0);
  };
  useEffect(() => {
    const follow = () => setPath(toPath(base));
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, [base]);
  const enter = (session: SignedIn['session']) => {
    const isOther = shown.current !== null && shown.current !== session.user.id;
    shown.current = session.user.id;
    setIn(true);
    setProving(false);
    setEmail(session.user.email ?? '');
    setReturnUrl(session.returnUrl);
    const { flow, subscriptionId } = session;
    setTask(session.afterFlow === 'return' && flow !== null ? { flow, subscriptionId } : null);
    const goesOn = waiting.current.splice(0);
    // What one buyer began is not done for another.
    for (const settle of goesOn) settle(!isOther);
    if (goesOn.length > 0 && !isOther) return;
    const next = toStart(session) ?? (isOther || isWayIn(path) ? '/' : path);
    window.history.replaceState(null, '', base + (next === '/' ? '' : next) + toSearch(session.offerId));
    setPath(next);
  };
  return (
    <PortalPlace.Provider
      value={{
        portal,
        legal,
        statesByCountry,
        asking,
        path,
        go,
        finish: () => task && leave(),
        signOut: () => {
          shown.current = null;
          setIn(false);
        },
      }}
    >
      <div class="page narrow portal">
        <SellerLine seller={seller} testMode={store.testMode} />
        {store.headline && <p class="portal-headline">{store.headline}</p>}
        {isIn && returnUrl && (
          <p>
            <a class="portal-return" href={returnUrl}>
              {p('back.shop')}
            </a>
          </p>
        )}
        {isIn && !isProving && !task && (
          <nav aria-label={p('nav.label')} class="portal-nav">
            {NAVIGATION.map(([to, key]) => (
              <Go key={to} to={to}>
                {p(key)}
              </Go>
            ))}
          </nav>
        )}
        <main class="ticket single">
          {isIn && (
            <div hidden={isProving}>
              <ScreenOf key={`${shown.current} ${path}`} path={path} go={go} />
            </div>
          )}
          {(!isIn || isProving) && (
            <SignIn
              {...state}
              portal={portal}
              asking={door}
              path={path}
              proving={isProving ? email : null}
              onIn={enter}
            />
          )}
        </main>
        <PageFooter
          seller={seller}
          legal={legal}
          onLanguage={(language) => void (isIn && asking.send('PATCH', '/details', { language }))}
        />
      </div>
    </PortalPlace.Provider>
  );
}

/** Of the address, with the plan that was chosen beforehand. */
function toSearch(offerId: string | null): string {
  const { search } = window.location;
  if (offerId === null) return search;
  const kept = new URLSearchParams(search);
  kept.set(OFFER_PARAMETER, offerId);
  return `?${kept}`;
}

/** What stands behind the portal's own address. */
function toPath(base: string): string {
  const rest = window.location.pathname.slice(base.length).replace(/\/$/, '');
  return rest === '' ? '/' : rest;
}

const isWayIn = (path: string): boolean => /^\/(sign-in|open)\//.test(path);

void mountPage<PageState>((state) => <PortalPage state={state} />, {
  loadAlso: (language, { base, isIn }) =>
    Promise.all([loadPortalTexts(language), isIn && prepareScreen(toPath(base))]),
});
