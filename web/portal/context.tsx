/** What every screen of the portal knows: how to ask, where it is, and how to go elsewhere. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { useLocale } from '../ui/locale.tsx';
import { Notice } from '../ui/parts/notice.tsx';
import type { LegalLinks } from '../ui/view.ts';
import type { Answer, Asking, Portal } from './api.ts';
import { type PortalKey, p, pCode } from './text.ts';
import { useKeptFocus } from './use-kept-focus.ts';

export interface PortalContext {
  portal: Portal;
  legal: LegalLinks;
  /** Of the countries whose tax hangs on the state. */
  statesByCountry: Record<string, Array<{ code: string; name: string }>>;
  asking: Asking;
  /** Behind the portal's address, such as `/orders`. */
  path: string;
  go(path: string): void;
  /** A task is done: whoever came for it alone goes back. */
  finish(): void;
  signOut(): void;
}

export const PortalPlace = createContext<PortalContext | null>(null);

export function usePortal(): PortalContext {
  const place = useContext(PortalPlace);
  if (!place) throw new Error('a screen was shown outside the portal');
  return place;
}

/** A screen's data, asked for when it comes up; `reload` asks again. `retry`: where no answer came. */
export function useData<T>(path: string): {
  data: T | null;
  error: string | null;
  retry: (() => void) | null;
  reload(): void;
  put(data: T): void;
} {
  const { asking } = usePortal();
  const [data, setData] = useState<T | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isLost, setLost] = useState(false);
  const [round, setRound] = useState(0);
  const toWords = useWords();
  useEffect(() => {
    let isShown = true;
    void asking.get<T>(path).then((answer) => {
      if (!isShown) return;
      // What went wrong before is over once it comes.
      setError(answer.kind === 'ok' ? null : toWords(toNowhere(answer)));
      setLost(answer.kind === 'lost');
      if (answer.kind === 'ok') setData(answer.data);
    });
    return () => {
      isShown = false;
    };
  }, [path, round]);
  const reload = () => setRound(round + 1);
  return { data, error, retry: isLost ? reload : null, reload, put: setData };
}

/** Nothing was entered: an address that can name nothing leads nowhere, as one that names nothing does. */
function toNowhere<T>(answer: Answer<T>): Answer<T> {
  const isMalformed = answer.kind === 'refused' && answer.code === 'invalid_input';
  return isMalformed ? { ...answer, code: 'not_found' } : answer;
}

/** Refusals that another text says already. */
const SAID: Record<string, PortalKey> = {
  download_limit_reached: 'library.over',
  price_changed: 'change.moved',
};
/** Fields that the pages share no words for. */
const SAID_OF_FIELD: Record<string, PortalKey> = {
  code: 'error.code_invalid',
  token: 'error.code_invalid',
  password: 'account.passwordHint',
};

/** What went wrong, in words: the portal's own, else those of all pages. The server's are English. */
export function useWords(): <T>(answer: Answer<T>) => string {
  const { language, tCode } = useLocale();
  return (answer) => {
    if (answer.kind === 'ok') return '';
    if (answer.kind === 'lost') return p('error.lost');
    const { code, message, details } = answer;
    const plain = language === 'en' ? message : p('error.other');
    if (code === 'invalid_input') {
      const name = details[0]?.path?.split('.').at(-1) ?? '';
      const said = SAID_OF_FIELD[name];
      return said ? p(said) : tCode('invalid.', name, p('error.invalid_input'));
    }
    const said = SAID[code];
    return said ? p(said) : pCode('error.', code, tCode('error.', code, plain));
  };
}

function toField({ code, details }: { code: string; details: readonly { path?: string }[] }): string | null {
  if (code === 'card_invalid') return 'card';
  return code === 'invalid_input' ? (details[0]?.path ?? null) : null;
}

/** A press that asks something: busy meanwhile, and an error in words after it. */
export function usePress() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  /** The field that it is about. */
  const [fault, setFault] = useState<string | null>(null);
  const toWords = useWords();
  const press = async <T,>(ask: () => Promise<Answer<T>>): Promise<T | null> => {
    if (isBusy) return null;
    setBusy(true);
    setError(null);
    const answer = await ask();
    setBusy(false);
    if (answer.kind === 'ok') return answer.data;
    setError(toWords(answer));
    setFault(answer.kind === 'refused' ? toField(answer) : null);
    return null;
  };
  return { isBusy, error, fault, setError, press };
}

/** A link within the portal. */
export function Go({
  to,
  className,
  children,
}: {
  to: string;
  className?: string;
  children: ComponentChildren;
}) {
  const { portal, path, go } = usePortal();
  return (
    <a
      href={portal.base + to}
      class={className}
      aria-current={path === to ? 'page' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}

/** The head of a screen, which takes the focus when it comes up. */
export function Screen({
  title,
  error,
  retry,
  children,
}: {
  title: string;
  error?: string | null;
  retry?: (() => void) | null;
  children: ComponentChildren;
}) {
  const { t } = useLocale();
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
    head.current?.focus({ preventScroll: true });
  }, [title]);
  useKeptFocus(head);
  return (
    <>
      <h1 tabIndex={-1} ref={head}>
        {title}
      </h1>
      {error && (
        <Notice text={error}>
          {retry && (
            <button type="button" class="secondary" onClick={retry}>
              {t('notice.tryAgain')}
            </button>
          )}
        </Notice>
      )}
      {children}
    </>
  );
}

export const Loading = () => (
  <p class="hint" role="status">
    {p('loading')}
  </p>
);
