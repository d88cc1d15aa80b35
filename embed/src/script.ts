/** Entry of `/embed/v1.js`: `Counterfoil` for every script of the page. */
import { type Counterfoil, createCounterfoil } from './counterfoil.ts';
import { SCRIPT_VERSION } from './version.ts';

declare global {
  interface Window {
    Counterfoil?: Counterfoil;
  }
}

// Loaded twice, by an old and a new address, it is there once.
if (!window.Counterfoil) {
  const { currentScript } = document;
  const baseUrl = currentScript instanceof HTMLScriptElement ? currentScript.src : '';
  window.Counterfoil = createCounterfoil(baseUrl || location.href, SCRIPT_VERSION);
  window.Counterfoil.Initialize();
}
