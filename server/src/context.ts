/**
 * What every flow is given: the store, the workspace's clock, ids and the outside world.
 * Types only; `main/wire.ts` builds the real one and tests build their own.
 */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Db } from './db/database.ts';
import type { ReportsStore } from './db/reports-store.ts';
import type { Scope } from './db/scope.ts';
import type { DocumentShelf } from './documents/document-shelf.ts';
import type { Egress } from './net/safe-fetch.ts';
import type { Sealing } from './net/sealing.ts';
import type { FileStore } from './providers/files/file-store.ts';
import type { MailProvider } from './providers/mail/mail-provider.ts';
import type { PaymentProviders } from './providers/payment/registry.ts';
import type { RememberedRegister } from './providers/tax/tax-number-register.ts';
import type { TaxProvider } from './providers/tax/tax-provider.ts';

export interface Ids {
  /** A UUIDv7 of the given moment (ms). */
  next(nowMs: number): string;
  /** Random bytes for numbers and secrets. */
  randomBytes(length: number): Uint8Array;
}

/** The clocks of test stores: each goes forward alone, doing what falls due on the way. */
export interface Clock {
  /**
   * Answers when all that falls due up to `toMs` (the workspace's time) has been done, and how much of each kind that
   * was. Throws clock_advancing.
   */
  advance(scope: Scope, toMs: number): Promise<Record<string, number>>;
  /** Empties the test store and sets its clock to real time. Throws clock_advancing. */
  reset(scope: Scope): Promise<void>;
  /** Gives stores back to the workers whose advance was left by a process that died. */
  releaseAbandoned(): Promise<void>;
  /** Advances under way end at their next step. */
  stop(): void;
}

/** Asked before whatever is written to a live store. */
export interface Holds {
  /** Throws store_held. Test stores never are. */
  refuseHeld(scope: Scope): Promise<void>;
  /** What was remembered is asked anew. */
  forget(): void;
}

/** What a link names by an id alone. */
export type LinkedKind = 'offer' | 'element' | 'file';

/** Whose something is that names no workspace. */
export interface LinkOwners {
  /** The store of what a link names. Throws rate_limited where too much is asked that this process does not know. */
  find(kind: LinkedKind, id: string): Promise<Scope | undefined>;
  /** Before all nodes of a spread store are asked for anything else. Throws rate_limited. */
  countFanOut(): void;
}

/** Requests that wait for what a listener is to hear. */
export interface Listening {
  /** True once something is there; false when the time is over, who asked is gone, or this process stops. */
  wait(
    key: { scope: Scope; listenerId: string },
    limits: { ms: number; gone: AbortSignal },
  ): Promise<boolean>;
  /** All who wait are told that there is nothing; from now on nobody waits here. */
  stop(): void;
}

/** What happened at processors is read by each process before it charges anybody who is not there. */
export interface Books {
  /** Whether this process has read what happened over a connection; null = there is nothing to read. */
  isRead(connectionId: string | null): boolean;
  /** Reads it, unless that was done or has just failed; answers as `isRead`. Never throws. */
  read(scope: Scope, connectionId: string): Promise<boolean>;
  /** The same for all connections of a store; `anew`: also of those that were read before, which count for nothing then. */
  readStore(scope: Scope, how?: { anew: boolean }): Promise<void>;
}

/** What is told of a charge while this process asks for it waits for that answer, instead of asking the store. */
export interface ChargesUnderWay {
  /** From when a charge has a name at its processor; what is answered is told its end: whether it is decided, and committed. */
  begin(scope: Scope, processorId: string): (isDecided: boolean) => void;
  /** Whether one that is under way here came to be decided within so long; false where none is. */
  wait(scope: Scope, processorId: string, limitMs: number): Promise<boolean>;
}

/** Outcomes are words of closed lists. */
export type Happening =
  | { what: 'mail' | 'document'; outcome: string }
  /** `lagMs`: how late it was; null = it was no first one, or the webhook was not well anyway. */
  | { what: 'webhook attempt'; outcome: string; lagMs: number | null }
  | { what: 'let go'; kept: string; count: number }
  | { what: 'job'; kind: string; ms: number; outcome: 'done' | 'failed' }
  | { what: 'charge'; processor: string; ms: number; outcome: string };

/** What belongs to the process: the same for every request and job. */
export interface Service {
  db: Db;
  pool: pg.Pool;
  /** A standby for what may be seconds old. */
  reports: ReportsStore;
  config: Config;
  ids: Ids;
  log: Logger;
  payments: PaymentProviders;
  books: Books;
  underWay: ChargesUnderWay;
  tax: TaxProvider;
  /** The EU's register of VAT numbers, asked where a store wants it. */
  taxNumbers: RememberedRegister;
  /** Null = no mail server: mails are kept, to be read by the merchant. */
  mail: MailProvider | null;
  /** Where uploads and PDFs lie. */
  files: FileStore;
  /** Where PDFs are drawn and kept. */
  documents: DocumentShelf;
  /** Which live stores may be copies of others, so that nothing may go out of them. */
  holds: Holds;
  /** Whose what stands in links without a workspace is. */
  owners: LinkOwners;
  /** The guarded way out, for every request to a host that a merchant named. */
  egress: Egress;
  /** Secrets that are kept, under the installation's key. */
  sealing: Sealing;
  /** The first password is nobody's any more: what the start wrote down of it is taken back. */
  forgetFirstPassword(ownerEmail: string): Promise<void>;
  /** Real time in ms: only for what strangers or machines check. */
  realNowMs(): number;
  /** Told what has happened, for whoever counts. */
  notice(happening: Happening): void;
  /** Tells the worker of this process that something of this store may be due at once; missing = of any. */
  nudgeWorker(scope?: Scope): void;
  clock: Clock;
  listening: Listening;
  /** Of this process, for as long as it lives. */
  processId: string;
}

/**
 * What a context has beside the service stands in the service, too, unset: in Node 20 a copy of an object is made in 30 ns,
 * and each member that is added to the copy costs a microsecond.
 */
export type Unset = Record<'nowMs' | 'nowRealMs' | 'clockFence' | 'isAdvancing', undefined>;

/** What belongs to one request or job: the service with the workspace's clock stopped at its moment. */
export interface Context extends Service {
  /** The workspace's time of this request or job (ms). */
  nowMs: number;
  /** The real time at which `nowMs` was asked for; missing = the moment stands still. */
  nowRealMs?: number;
  /** Which hold of the test clock a request came after; missing = it cannot be moved meanwhile: live mode, and jobs, which are waited for. */
  clockFence?: number;
  /** It writes down what a lost store has done: whoever was told of that is not told again. */
  isToldBefore?: boolean;
  /** An advance of the test clock does this job: outside work gets little time, since a caller waits for it. */
  isAdvancing?: boolean;
}

type Known =
  | 'nowMs'
  | 'nowRealMs'
  | 'clockFence'
  | 'isAdvancing'
  | 'ids'
  | 'config'
  | 'realNowMs'
  | 'log'
  | 'notice'
  | 'nudgeWorker'
  | 'tax';

/**
 * What a step within a transaction is given beside its `tx`: times, ids, words and what is known already, and no way
 * out. What has neither `db` nor a way to `payments`, `egress` or `mail` calls nothing outside while rows are locked: the
 * compiler holds it. A Context is one.
 */
export interface Step extends Pick<Context, Known> {
  taxNumbers: Pick<RememberedRegister, 'recall'>;
  books: Pick<Books, 'isRead'>;
  payments: Pick<PaymentProviders, 'listTooSmallFor' | 'listSteps'>;
}
