/** Which screen an address shows. Each room of screens is loaded when it is first entered. */
import type { JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { useLocale } from '../ui/locale.tsx';
import { MessagePanel } from '../ui/parts/message-panel.tsx';
import { Notice } from '../ui/parts/notice.tsx';
import { Loading } from './context.tsx';
import { p } from './text.ts';

type Draw = () => JSX.Element;

const bought = () => import('./screens/orders.tsx');
const subscription = () => import('./screens/subscription.tsx');
const settings = () => import('./screens/settings.tsx');
const account = () => import('./screens/account.tsx');

const SCREENS: Record<string, (() => Promise<Draw>) | undefined> = {
  '': () => bought().then(({ OverviewScreen }) => OverviewScreen),
  orders: () => bought().then(({ OrdersScreen }) => OrdersScreen),
  documents: () => bought().then(({ DocumentsScreen }) => DocumentsScreen),
  library: () => import('./screens/library.tsx').then(({ LibraryScreen }) => LibraryScreen),
  'payment-methods': () => settings().then(({ MethodsScreen }) => MethodsScreen),
  details: () => settings().then(({ DetailsScreen }) => DetailsScreen),
  account: () => account().then((room) => () => <room.AccountScreen token={null} />),
};

/** Resolves to what draws the screen of an address; rejects where its script does not come. */
function loadScreen(path: string, go: (to: string) => void): Promise<Draw> {
  const [, name = '', id, task] = path.split('/');
  const known = Object.hasOwn(SCREENS, name) ? SCREENS[name] : undefined;
  if (known && id === undefined) return known();
  if (name === 'orders' && id) return bought().then((room) => () => <room.OrderScreen number={id} />);
  if (name === 'account' && id === 'email' && task) {
    return account().then((room) => () => <room.AccountScreen token={task} />);
  }
  if (name === 'subscriptions' && id) return loadSubscription(id, task, () => go(`/subscriptions/${id}`));
  return Promise.resolve(() => <MessagePanel heading={p('error.not_found')} text="" />);
}

async function loadSubscription(id: string, task: string | undefined, onDone: () => void): Promise<Draw> {
  if (task === 'cancel') {
    const { CancelScreen } = await import('./screens/cancel.tsx');
    return () => <CancelScreen id={id} onDone={onDone} />;
  }
  if (task === 'change') {
    const { ChangeScreen } = await import('./screens/change.tsx');
    return () => <ChangeScreen id={id} onDone={onDone} />;
  }
  const { SubscriptionScreen } = await subscription();
  return () => <SubscriptionScreen id={id} />;
}

/** Asks for a screen's script beside the texts of the page. What fails is asked for once more when it is shown. */
export async function prepareScreen(path: string): Promise<void> {
  await loadScreen(path, () => {}).catch(() => {});
}

export function ScreenOf({ path, go }: { path: string; go(to: string): void }) {
  const { t } = useLocale();
  const [drawn, setDrawn] = useState<{ draw: Draw } | null>(null);
  const [isLost, setLost] = useState(false);
  // Before the paint: what is there already stands at once.
  useLayoutEffect(() => {
    let isShown = true;
    loadScreen(path, go).then(
      (draw) => isShown && setDrawn({ draw }),
      () => isShown && setLost(true),
    );
    return () => {
      isShown = false;
    };
  }, []);
  if (drawn) return drawn.draw();
  if (!isLost) return <Loading />;
  // A release may have replaced it: the page comes anew, at the same address.
  return (
    <Notice text={p('error.lost')}>
      <button type="button" class="secondary" onClick={() => window.location.reload()}>
        {t('notice.tryAgain')}
      </button>
    </Notice>
  );
}
