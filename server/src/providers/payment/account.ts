/** Accounts of a kind that is asked over a network: connected with credentials, and telling of itself. */

export interface AskedAccount {
  credentials: Readonly<Record<string, string>>;
  testMode: boolean;
}

export type AccountAnswer =
  | {
      kind: 'fit';
      accountId: string;
      /** ISO 3166-1 alpha-2; null = it does not say. */
      country: string | null;
      currency: string;
      /** Of the key, for people to know it by. */
      keyLast4: string;
      /** What the adapter is told of it from then on. */
      details: Readonly<Record<string, unknown>>;
    }
  /** The names of those that are of the other mode, or no keys at all. */
  | { kind: 'wrong_mode'; fields: readonly string[] }
  /** The processor does not know the key, or no longer. */
  | { kind: 'refused' }
  | { kind: 'lacking'; lacking: ReadonlyArray<{ field: string; message: string }> }
  | { kind: 'no_answer' };

export interface MadeEndpoint {
  processorId: string;
  /** Told this once. */
  secret: string;
}

export interface MendingEndpoint extends AskedAccount {
  processorId: string;
  /** Whether it tells at the address that it was made for. */
  isOurs: (url: string) => boolean;
}

/** `inactive`: it knows the host, and shows not all of its wallets there; `refused`: it takes no such host. */
export type DomainState = 'active' | 'inactive' | 'refused';

/** `gone`: another is to be made. */
export type EndpointState = 'good' | 'mended' | 'gone';

export interface ProcessorAccounts {
  /** What an account is connected with, in the API's words. */
  credentials: readonly string[];
  inspect(asked: AskedAccount): Promise<AccountAnswer>;
  /**
   * Has it tell what happens there; null where it would not tell this address, or not say by which secret. Throws where
   * there is no answer.
   */
  makeEndpoint(asked: AskedAccount & { url: string }): Promise<MadeEndpoint | null>;
  /** Puts right what was changed there. Throws where there is no answer. */
  mendEndpoint(asked: MendingEndpoint): Promise<EndpointState>;
  /** Names a host whose pages are to show wallets; missing where nothing of this is asked. Throws without an answer. */
  registerDomain?(asked: AskedAccount & { host: string }): Promise<DomainState>;
  /** Also of one that is gone. */
  removeEndpoint(asked: AskedAccount & { processorId: string }): Promise<void>;
}
