/**
 * What a shop's page and the checkout in its frame say to each other, written once for both sides. The first message,
 * `hello`, comes from the frame by `postMessage`; the answer, `init`, brings a port on which all else is said.
 */

/** The answers to these names go with the address of the frame. */
export const FRAME_PARAMETER = 'svc-frame';
export const ORIGIN_PARAMETER = 'svc-origin';
export const RETURN_PARAMETER = 'svc-return-url';

export const HEIGHT_MAX = 20_000;

export type FrameMode = 'overlay' | 'embed';
export type Theme = 'auto' | 'light' | 'dark';

export interface ChangeDetail {
  /** Minor units of the currency. */
  total: number;
  dueNow: number;
  currency: string;
  currencyDecimals: number;
  quantity: number;
}

export interface CompleteDetail {
  orderId: string;
  orderNumber: string;
  reference: string | null;
  status: 'paid' | 'processing';
}

export type ErrorCode = 'not_allowed' | 'timeout' | 'expired' | 'unavailable';
export type CloseReason = 'user' | 'complete' | 'navigation' | 'api';

/** What the frame says, by type. */
export interface FromFrame {
  hello: null;
  /** The path of the session's page: opened again, it holds all that was typed. */
  loaded: { path: string };
  change: ChangeDetail;
  submit: null;
  decline: { code: string };
  complete: CompleteDetail & { redirectUrl: string | null };
  /** In whole pixels. */
  height: { height: number };
  /** A place of the frame that the buyer must see. */
  reveal: { top: number };
  /** While a charge is made the checkout is not closed. */
  busy: { isBusy: boolean };
  escape: null;
  /** On with the whole page: the path of a page of the checkout. */
  leave: { path: string };
  error: { code: ErrorCode };
}

export interface Changes {
  email?: string;
  quantity?: number;
  discountCode?: string;
  theme?: Theme;
}

/** What the shop's page says, by type. */
export interface FromPage {
  /** A page that is isolated can hold no window that its frame opens. */
  init: { mode: FrameMode; theme: Theme | null; isIsolated: boolean };
  update: Changes;
  /** Closing was refused: the frame says so in words. */
  wait: null;
  focus: null;
}

const SOURCE = 'counterfoil';
const VERSION = 1;

export function toMessage(type: string, data: unknown = null) {
  return { source: SOURCE, v: VERSION, type, data };
}

/** Type and data of a message of ours; undefined for anything else. */
export function readMessage<Said>(message: unknown): Incoming<Said> | undefined {
  // A message of any page is looked at as what it may be.
  const said = message as { source?: unknown; v?: unknown; type?: unknown; data?: unknown } | null;
  const isOurs = said?.source === SOURCE && said.v === VERSION && typeof said.type === 'string';
  // The other side is ours, and a type that is unknown is passed over.
  return isOurs ? (said as unknown as Incoming<Said>) : undefined;
}

export type Incoming<Said> = { [Type in keyof Said]: { type: Type; data: Said[Type] } }[keyof Said];
