import type { Defaulted, Json, JsonDefault, Scoped } from './columns.ts';

export interface UserTables {
  users: UsersTable;
  paymentMethods: PaymentMethodsTable;
  payerProofs: PayerProofsTable;
}

export interface UsersTable extends Scoped {
  id: string;
  email: string | null;
  emailNormal: string | null;
  username: string | null;
  internalId: string | null;
  language: string | null;
  billingDetails: JsonDefault<BillingDetailsJson>;
  paymentData: JsonDefault<Record<string, string | null>>;
  passwordHash: string | null;
  archivedAt: number | null;
  deletionRequestedAt: number | null;
  deletionAcceptedAt: number | null;
  erasedAt: number | null;
  createdAt: number;
  /** The import that made it; null = none. */
  broughtBy: string | null;
  /** Raised by edits alone. */
  version: Defaulted<number>;
}

/** Billing details as stored: every field is optional, absent when unset. */
export interface BillingDetailsJson {
  type?: 'individual' | 'company';
  firstName?: string;
  lastName?: string;
  companyName?: string;
  dialCode?: string;
  phoneNumber?: string;
  address?: string;
  addressLine2?: string;
  city?: string;
  state?: string;
  postalCode?: string;
  countryCode?: string;
  taxIdType?: string;
  taxNumber?: string;
}

export interface PaymentMethodsTable extends Scoped {
  id: string;
  userId: string;
  processor: string;
  connectionId: string | null;
  reference: string;
  details: Json<unknown>;
  /** Whether it is the user's to be chosen for anything; false = given for a subscription alone. */
  kept: Defaulted<boolean>;
  expMonth: number | null;
  expYear: number | null;
  /** When it was last chosen: the latest is charged when none is named. Null = never. */
  chosenAt: number | null;
  /** It is charged no more: it was detached, or its mandate was taken back. */
  endedAt: number | null;
  createdAt: number;
}

/** Links to a payment's page that their user has opened, and the browsers in which they did. */
export interface PayerProofsTable extends Scoped {
  subscriptionId: string;
  userId: string;
  linkHash: string;
  mailboxHash: string;
  browserHash: string;
  /** Real ms: until when the browser may charge the stored card. */
  endsAt: number;
  /** Real ms: the row goes after it. */
  keptUntil: number;
}
