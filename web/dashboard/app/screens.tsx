/** Which screen an address shows. Each room of screens is loaded when it is first entered; Home does without the words of the others. */
import { type ReactNode, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { DETAIL_PATHS } from '../details/paths.ts';
import { later, laterWithTexts } from '../ui/later.tsx';
import { useLocale } from '../ui/locale.tsx';
import { Lonely } from '../ui/lonely.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { findPlace, firstOf, isOpen } from './places.ts';
import { useStore } from './store.tsx';

const Home = later(() => import('../home/home.tsx'));
const Lists = laterWithTexts('work', () => import('../lists/lists.tsx'));
const Details = laterWithTexts('work', () => import('../details/details.tsx'));
const Settings = laterWithTexts('work', () => import('../settings/settings.tsx'));
const Account = laterWithTexts('work', () => import('../settings/account.tsx'));
const Installation = laterWithTexts('work', () => import('../settings/installation.tsx'));
const TestClock = laterWithTexts('work', () => import('../settings/test-clock.tsx'));
const Reports = laterWithTexts('work', () => import('../home/reports.tsx'));
const Payments = laterWithTexts('work', () => import('../payments/payments.tsx'));
const Exports = laterWithTexts('work', () => import('../exports/exports.tsx'));
const Imports = laterWithTexts('work', () => import('../imports/imports.tsx'));
const Tax = laterWithTexts('work', () => import('../home/tax.tsx'));

export function Screens() {
  return (
    <Suspense fallback={<Waiting />}>
      <Allowed>
        <Switch>
          <Route path="/" component={Home} />
          <Route path="/orders/payments" component={Lists} />
          <Route path="/orders/refunds" component={Lists} />
          <Route path="/orders/disputes" component={Lists} />
          <Route path="/orders/withdrawals" component={Lists} />
          <Route path="/orders/cancellation-notices" component={Lists} />
          {DETAIL_PATHS.map(([path, kind]) => (
            <Route key={kind} path={path}>
              {({ id }) => <Details kind={kind} id={id} />}
            </Route>
          ))}
          <Route path="/developers/test-clock" component={TestClock} />
          <Route path="/finance/reports" component={Reports} />
          <Route path="/finance/tax" component={Tax} />
          <Route path="/settings/payments" component={Payments} />
          <Route path="/settings/imports" component={Imports} />
          <Route path="/settings/exports" component={Exports} />
          <Route path="/settings/:page">{({ page }) => <Settings page={page} />}</Route>
          <Route path="/account/:page">{({ page }) => <Account page={page} />}</Route>
          <Route path="/installation" component={Installation} />
          <Route>{() => <Lists />}</Route>
        </Switch>
      </Allowed>
    </Suspense>
  );
}

/** What a role lacks is not shown in the navigation; whoever comes by its address is told. */
function Allowed({ children }: { children: ReactNode }) {
  const { t } = useLocale();
  const { isTest, may } = useStore();
  const [path] = useLocation();
  const here = findPlace(path);
  if (here && !isOpen({ isTest, may }, here.place)) {
    return <Lonely title={t('noAccess.title')} text={t('noAccess.text')} to="/" action={t('nav.home')} />;
  }
  const first = here ? undefined : firstOf(path, { isTest, may });
  return first ? <Redirect to={`/${first.path}`} replace /> : children;
}
