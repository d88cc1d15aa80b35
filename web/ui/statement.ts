/** What the server tells the pages where buyers withdraw and cancel without signing in. Times are milliseconds. */
import type { Seller } from './branding.ts';
import type { LegalLinks } from './view.ts';

interface PortalPage {
  seller: Seller;
  legal: LegalLinks;
  /** The portal's name in its address. */
  store: string;
  testMode: boolean;
  portalPath: string;
  /** Of an order or contract, to begin with; of a statement behind a link. */
  number: string;
}

export interface FormPage extends PortalPage {
  kind: 'withdraw' | 'cancel';
  /** Of who is signed in at the portal. */
  own?: OwnOrders | null;
}

export interface OwnOrders {
  name: string;
  email: string;
  /** Chosen from, instead of typed; none where that is not asked. */
  orders: Array<{
    number: string;
    paidAt: number;
    items: Array<{ id: string; name: string; quantity: number }>;
  }>;
}

/** Behind a link in a mail: a button, or why there is none. */
export type LinkPage = PortalPage &
  (
    | { kind: 'object' | 'keep' | 'email'; state: 'open' | 'done' | 'over' }
    | { kind: 'stop'; state: 'open' | 'done' }
  );

export type StatementPage = FormPage | LinkPage;

export interface WithdrawalBody {
  store: string;
  testMode: boolean;
  name: string;
  email: string;
  orderNumber: string;
  part: string | null;
  /** Ids of what was ticked; null = typed, or all of it. */
  items: string[] | null;
  language: string;
}

export interface NoticeBody {
  store: string;
  testMode: boolean;
  type: 'ordinary' | 'cause';
  reason: string | null;
  name: string;
  email: string;
  contractNumber: string;
  endDate: number | null;
  language: string;
}

/** What of a statement is shown again once it was received. */
export interface Received {
  number: string;
  name: string;
  email: string;
  receivedAt: number;
}
