import { type ComponentChildren, render } from 'preact';
import { LocaleProvider } from './locale.tsx';
import { loadTexts } from './texts.ts';
import './styles/base.css';

/** Reads the state that the server put into the page and shows it in the language of the document. */
export async function mountPage<State>(show: (state: State) => ComponentChildren): Promise<void> {
  const app = document.getElementById('app');
  const json = document.getElementById('state')?.textContent;
  if (!app || !json) throw new Error('the page has no state to show');
  // The state is written by our own server for this very entry.
  const state = JSON.parse(json) as State;
  const { texts, language } = await loadTexts(document.documentElement.lang);
  document.documentElement.lang = language;
  render(
    <LocaleProvider language={language} texts={texts}>
      {show(state)}
    </LocaleProvider>,
    app,
  );
}
