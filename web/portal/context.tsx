/** What every screen of the portal knows: how to ask, where it is, and how to go elsewhere. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { Notice } from '../ui/parts/notice.tsx';
import type { Answer, Asking, Portal } from './api.ts';
import { p, pCode } from './text.ts';

export interface PortalContext {
  portal: Portal;
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

/** A screen's data, asked for when it comes up; `reload` asks again. */
export function useData<T>(path: string): {
  data: T | null;
  error: string | null;
  reload(): void;
  put(data: T): void;
} {
  const { asking } = usePortal();
  const [data, setData] = useState<T | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isShown = true;
    void asking.get<T>(path).then((answer) => {
      if (!isShown) return;
      if (answer.kind === 'ok') setData(answer.data);
      else setError(toWords(answer));
    });
    return () => {
      isShown = false;
    };
  }, [path, round]);
  return { data, error, reload: () => setRound(round + 1), put: setData };
}

/** What went wrong, in words. */
export function toWords<T>(answer: Answer<T>): string {
  if (answer.kind === 'ok') return '';
  return answer.kind === 'lost' ? p('error.lost') : pCode('error.', answer.code, answer.message);
}

/** A press that asks something: busy meanwhile, and an error in words after it. */
export function usePress() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const press = async <T,>(ask: () => Promise<Answer<T>>): Promise<T | null> => {
    if (isBusy) return null;
    setBusy(true);
    setError(null);
    const answer = await ask();
    setBusy(false);
    if (answer.kind === 'ok') return answer.data;
    setError(toWords(answer));
    return null;
  };
  return { isBusy, error, setError, press };
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
  children,
}: {
  title: string;
  error?: string | null;
  children: ComponentChildren;
}) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
    head.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <>
      <h1 tabIndex={-1} ref={head}>
        {title}
      </h1>
      {error && <Notice text={error} />}
      {children}
    </>
  );
}

export const Loading = () => (
  <p class="hint" role="status">
    {p('loading')}
  </p>
);
