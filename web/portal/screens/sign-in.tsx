/** The door: an address, then its code; a password, a purchase or a merchant's link instead. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { TextField } from '../../ui/parts/field.tsx';
import type { Asking, Portal } from '../api.ts';
import { Screen, usePress } from '../context.tsx';
import { p } from '../text.ts';

type Way = 'email' | 'code' | 'password' | 'find' | 'link' | 'open';

export interface SignInProps {
  portal: Portal;
  asking: Asking;
  path: string;
  hasMail: boolean;
  hasPassword: boolean;
  linkEmail: string | null;
  /** Who is to show once more that it is them; null = nobody is in. */
  proving: string | null;
  onIn(session: SignedIn['session']): void;
}

interface Typed {
  email: string;
  code: string;
  password: string;
  purchase: string;
}

export interface SignedIn {
  session: {
    path: string | null;
    flow: string | null;
    subscriptionId: string | null;
    offerId: string | null;
    user: { id: string; email: string | null };
    returnUrl: string | null;
    afterFlow: string | null;
  };
}

export function SignIn(props: SignInProps) {
  const { portal, asking, path, hasMail, hasPassword, linkEmail, proving, onIn } = props;
  const mailed = /^\/sign-in\/([\w-]+)$/.exec(path)?.[1] ?? null;
  const opening = /^\/open\/([\w.-]+)$/.exec(path)?.[1] ?? null;
  const [way, setWay] = useState<Way>(
    opening ? 'open' : mailed ? (linkEmail === null ? 'code' : 'link') : 'email',
  );
  const [typed, setTyped] = useState({
    email: proving || findTypedEmail(),
    code: '',
    password: '',
    purchase: '',
  });
  const { email, code, password, purchase } = typed;
  const type = (patch: Partial<Typed>) => setTyped((before) => ({ ...before, ...patch }));
  const [isByPurchase, setByPurchase] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const [sentCount, setSentCount] = useState(0);
  const { isBusy, error, fault, setError, press } = usePress();
  const named = { store: portal.slug, testMode: portal.testMode };
  const language = document.documentElement.lang;
  // Of a link that was opened elsewhere the address is not known.
  const asksEmail = mailed !== null && linkEmail === null;
  const wanted = mailed || opening || path === '/' ? {} : { path };

  const enter = (signedIn: SignedIn | null) => {
    if (signedIn) onIn(signedIn.session);
  };
  const open = async () => {
    const signedIn = await press(() =>
      asking.send<SignedIn>('POST', '/session/open', { token: opening ?? '' }),
    );
    if (signedIn) enter(signedIn);
    else {
      // Used, or late: no error, but the way in that everybody has.
      setError(null);
      setWay('email');
    }
  };
  useEffect(() => {
    if (opening) void open();
  }, []);

  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error, fault]);
  const isFirst = useRef(true);
  // What had the focus may be gone with the step before.
  useEffect(() => {
    if (!isFirst.current) form.current?.querySelector<HTMLElement>('input, .primary')?.focus();
    isFirst.current = false;
  }, [way, sentCount]);
  const turn = (next: Way) => {
    setError(null);
    setWay(next);
  };
  const sendCode = async (isFinding: boolean) => {
    setByPurchase(isFinding);
    const sent = await press(() =>
      isFinding
        ? asking.send('POST', '/sign-in/find', { ...named, orderNumber: purchase, language })
        : asking.send('POST', '/sign-in/request', { ...named, email, language, ...wanted }),
    );
    if (!sent) return;
    type({ code: '' });
    setSentCount((count) => count + 1);
    setWay('code');
  };
  /** Whoever came by the link of a mail may not have said who they are. */
  const sendAgain = () => (isByPurchase || email !== '' ? sendCode(isByPurchase) : turn('email'));
  const submit = async (event: Event) => {
    event.preventDefault();
    if (way === 'email' || way === 'find') {
      await sendCode(way === 'find');
    } else if (way === 'password') {
      enter(
        await press(() => asking.send<SignedIn>('POST', '/sign-in/password', { ...named, email, password })),
      );
    } else if (way === 'code') {
      const body = asksEmail ? { ...named, email, code } : { code };
      enter(await press(() => asking.send<SignedIn>('POST', '/sign-in/verify', body)));
    } else {
      enter(await press(() => asking.send<SignedIn>('POST', '/sign-in/verify', { token: mailed ?? '' })));
    }
  };
  if (way === 'open') {
    return (
      <Screen title={p('signIn.title')}>
        <button type="button" class="primary" disabled={isBusy} onClick={open}>
          {p('signIn.open')}
        </button>
      </Screen>
    );
  }
  const atField = error && (fault === 'email' || fault === 'code') ? { [fault]: error } : null;
  return (
    <Screen title={p('signIn.title')} error={atField ? null : error}>
      <form class="portal-form" ref={form} onSubmit={submit} noValidate>
        {proving && <p>{p('signIn.proof')}</p>}
        {!hasMail && <p>{p('signIn.noMail')}</p>}
        {way === 'email' && <p>{p('signIn.text')}</p>}
        {way === 'find' && <p>{p('signIn.findText')}</p>}
        {way === 'link' && <p>{p('signIn.link')}</p>}
        {way === 'code' && (!asksEmail || sentCount > 0) && (
          // Anew with each code, so that it is read out again.
          <p role="status" key={sentCount}>
            {isByPurchase ? p('signIn.sentOther') : p('signIn.sent', { email })}
          </p>
        )}
        <Fields way={way} asksEmail={asksEmail} typed={typed} errors={atField} onType={type} />
        <button type="submit" class="primary" disabled={isBusy}>
          {toSubmitText(way, linkEmail)}
        </button>
        <OtherWays {...{ way, hasPassword, isBusy, isProving: proving !== null, turn, sendAgain }} />
      </form>
    </Screen>
  );
}

function toSubmitText(way: Way, linkEmail: string | null): string {
  if (way === 'email' || way === 'find') return p('signIn.continue');
  return way === 'link' ? p('signIn.submitAs', { email: linkEmail ?? '' }) : p('signIn.submit');
}

interface FieldsProps {
  way: Way;
  asksEmail: boolean;
  typed: Typed;
  /** By field. */
  errors: { email?: string; code?: string } | null;
  onType(patch: Partial<Typed>): void;
}

function Fields({ way, asksEmail, typed, errors, onType }: FieldsProps) {
  return (
    <>
      {(way === 'email' || way === 'password' || (way === 'code' && asksEmail)) && (
        <TextField
          label={p('signIn.email')}
          name="email"
          value={typed.email}
          onValue={(email) => onType({ email })}
          error={errors?.email}
          input={{ type: 'email', autocomplete: 'email', required: true }}
        />
      )}
      {way === 'password' && (
        <TextField
          label={p('signIn.password')}
          name="password"
          value={typed.password}
          onValue={(password) => onType({ password })}
          input={{ type: 'password', autocomplete: 'current-password' }}
        />
      )}
      {way === 'find' && (
        <TextField
          label={p('signIn.purchase')}
          name="purchase"
          value={typed.purchase}
          onValue={(purchase) => onType({ purchase })}
        />
      )}
      {way === 'code' && (
        <TextField
          label={p('signIn.code')}
          name="code"
          value={typed.code}
          onValue={(code) => onType({ code })}
          error={errors?.code}
          input={{ inputMode: 'numeric', autocomplete: 'one-time-code', maxLength: 20 }}
        />
      )}
    </>
  );
}

interface OtherWaysProps {
  way: Way;
  hasPassword: boolean;
  isBusy: boolean;
  isProving: boolean;
  turn(next: Way): void;
  sendAgain(): unknown;
}

function OtherWays({ way, hasPassword, isBusy, isProving, turn, sendAgain }: OtherWaysProps) {
  return (
    <div class="portal-ways">
      {way === 'code' && (
        <button type="button" class="secondary" disabled={isBusy} onClick={() => void sendAgain()}>
          {p('signIn.again')}
        </button>
      )}
      {hasPassword && way !== 'password' && way !== 'link' && (
        <button type="button" class="secondary" onClick={() => turn('password')}>
          {p('signIn.usePassword')}
        </button>
      )}
      {way !== 'email' && way !== 'code' && (
        <button type="button" class="secondary" onClick={() => turn('email')}>
          {p('signIn.useCode')}
        </button>
      )}
      {way === 'email' && !isProving && (
        <button type="button" class="secondary" onClick={() => turn('find')}>
          {p('signIn.find')}
        </button>
      )}
    </div>
  );
}

/** From "Manage this purchase": the address stands behind the sign that no server is sent. */
function findTypedEmail(): string {
  return new URLSearchParams(window.location.hash.slice(1)).get('email') ?? '';
}

const STARTS: Record<string, string> = {
  orders: '/orders',
  library: '/library',
  billing_details: '/details',
  payment_method: '/payment-methods',
};

/** Where a session begins. */
export function toStart({
  path,
  flow,
  subscriptionId,
}: Pick<SignedIn['session'], 'path' | 'flow' | 'subscriptionId'>): string | null {
  if (flow === null || flow === 'overview') return path;
  const [, task] = /^subscription(?:_(\w+))?$/.exec(flow) ?? [];
  if (subscriptionId === null) return STARTS[flow] ?? '/';
  return `/subscriptions/${subscriptionId}${task === 'change' || task === 'cancel' ? `/${task}` : ''}`;
}
