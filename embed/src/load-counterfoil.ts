/** `@counterfoil/embed`: the checkout for pages that are bundled. Nothing runs when it is imported, on a server neither. */

import type { CounterfoilEventMap } from './checkout.ts';
import { type Counterfoil, createCounterfoil } from './counterfoil.ts';
import { SCRIPT_VERSION } from './version.ts';

export type { CheckoutHandle, CheckoutState, CounterfoilEventMap } from './checkout.ts';
export type { Counterfoil } from './counterfoil.ts';
export type { BillingData, Mode, OpenOptions, Settings } from './options.ts';
export type { ChangeDetail, Changes, CloseReason, CompleteDetail, ErrorCode, Theme } from './protocol.ts';

type DocumentEvents = {
  [Type in keyof CounterfoilEventMap as `counterfoil:checkout:${Type}`]: CustomEvent<
    CounterfoilEventMap[Type]
  >;
};

declare global {
  interface DocumentEventMap extends DocumentEvents {}
}

const loaded = new Map<string, Counterfoil>();

/**
 * `Counterfoil` for the checkouts of a service, such as `https://pay.example`. It comes with the package: no script is
 * loaded, so that a strict policy of the page allows it. Null where there is no page, on a server.
 */
export async function loadCounterfoil(baseUrl: string): Promise<Counterfoil | null> {
  if (typeof document === 'undefined') return null;
  const counterfoil = loaded.get(baseUrl) ?? createCounterfoil(baseUrl, SCRIPT_VERSION);
  loaded.set(baseUrl, counterfoil);
  return counterfoil;
}
