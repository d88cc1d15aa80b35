import { type ComponentChildren, render } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { applyBranding, type Seller } from './branding.ts';
import { createLocale, ReadingContext } from './locale.tsx';
import { loadTexts, type Texts } from './texts.ts';
import './styles/base.css';

interface Read {
  language: string;
  texts: Texts;
}

interface MountOptions<State> {
  /** What is there before anything is shown in the language, beside the texts that all pages share. */
  loadAlso?: (language: string, state: State) => Promise<unknown>;
}

/** Reads the state that the server put into the page and shows it in the language of the document. */
export async function mountPage<State extends object>(
  show: (state: State) => ComponentChildren,
  { loadAlso }: MountOptions<State> = {},
): Promise<void> {
  const app = document.getElementById('app');
  const json = document.getElementById('state')?.textContent;
  if (!app || !json) throw new Error('the page has no state to show');
  // The state is written by our own server for this very entry.
  const state = JSON.parse(json) as State;
  // A page of a shop has its look from the first paint on.
  const { seller } = state as { seller?: Seller };
  if (seller) applyBranding(seller.branding);
  const read = async (wanted: string): Promise<Read> => {
    const [found] = await Promise.all([loadTexts(wanted), loadAlso?.(wanted, state)]);
    document.documentElement.lang = found.language;
    return found;
  };
  const first = await read(document.documentElement.lang);
  render(<Page first={first} read={read} show={() => show(state)} />, app);
}

interface PageProps {
  first: Read;
  read(language: string): Promise<Read>;
  show(): ComponentChildren;
}

function Page({ first, read, show }: PageProps) {
  const [{ language, texts }, setShown] = useState(first);
  const locale = useMemo(() => createLocale(language, texts), [language, texts]);
  const setLanguage = async (wanted: string) => {
    const next = await read(wanted).catch(() => null);
    if (next) keepInAddress(next.language);
    // Where its texts do not come the choice goes back to what is read.
    setShown((now) => next ?? { ...now });
  };
  return <ReadingContext.Provider value={{ locale, setLanguage }}>{show()}</ReadingContext.Provider>;
}

/** A page that is loaded again comes in the language that was chosen. */
function keepInAddress(language: string): void {
  const url = new URL(window.location.href);
  url.searchParams.set('svc-language', language);
  window.history.replaceState(window.history.state, '', url);
}
