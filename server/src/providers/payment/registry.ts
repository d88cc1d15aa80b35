/** The kinds of processors, and the way to each connection of one: careful, and with its credentials. */
import type { ProcessorAccounts } from './account.ts';
import type { CallEnd } from './call-end.ts';
import type { CallGate, CallLimiter } from './call-limiter.ts';
import { toCareful } from './careful-provider.ts';
import type { MethodKind, PaymentProvider, ProviderScope } from './payment-provider.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { createTimeLimit, type TimeLimit } from './time-limit.ts';

/** One account of a kind, as its adapter is told of it. */
export interface OpenedConnection {
  id: string;
  scope: ProviderScope;
  kind: string;
  /** What the kind is told beside credentials, in its own form. */
  details: unknown;
  /** Null where the kind has none, or no key opens them any more. */
  credentials: Readonly<Record<string, string>> | null;
}

/** What can be asked of every connection of a kind: data, so that no flow knows a kind by its name. */
export interface Capabilities {
  methods: readonly MethodKind[];
  /** What buyers know them by, in the API's words. */
  types: readonly string[];
  /** Null = all. */
  currencies: readonly string[] | null;
  /** What a page must be let load for its fields, as sources of a content security policy; null = nothing. */
  sources: PageSources | null;
}

export interface PageSources {
  scripts: readonly string[];
  frames: readonly string[];
  connects: readonly string[];
}

/** Whether a kind can charge so much. */
export type AmountJudgement =
  | { kind: 'fits' }
  /** Too much, or a part of a unit that it does not know. */
  | { kind: 'not_chargeable' }
  | { kind: 'below_minimum'; minimumMinor: bigint };

export interface ProcessorKind {
  name: string;
  capabilities: Capabilities;
  /** Of money above 0; asks nobody. Missing = every amount fits. */
  judgeAmount?(money: { amountMinor: bigint; currency: string }): AmountJudgement;
  /** What it moves of a currency is a multiple of this, in our minor units. Missing = any. */
  stepOf?(currency: string): bigint;
  /** Null where it has no accounts that are asked over a network. */
  accounts: ProcessorAccounts | null;
  /** Without a gate nobody counts its calls. */
  open(connection: OpenedConnection, gate?: CallGate): PaymentProvider;
}

export interface PaymentProviders {
  /** The sandbox of any test store: its row need not be read. */
  openSandbox(): PaymentProvider;
  /** Null where its kind is none of ours. */
  openConnection(connection: OpenedConnection): PaymentProvider | null;
  /** By the name in a connection's row. */
  kindNamed(name: string): ProcessorKind | null;
  /** The kinds for which it is less than they charge. Asks nobody. */
  listTooSmallFor(money: { amountMinor: bigint; currency: string }): string[];
  /** The steps of a currency, by the names of the kinds that count it more coarsely than we do. Asks nobody. */
  listSteps(currency: string): ReadonlyMap<string, bigint>;
  /** The same for one answer that somebody waits for: all its calls together take no longer than one may. */
  forOneAnswer(): PaymentProviders;
  /** For what only the sandbox has: its authentication page and its test references. */
  sandbox: Sandbox;
}

export interface RegistryOptions {
  sandbox: Sandbox;
  kinds: readonly ProcessorKind[];
  /** How long a call may take, or all calls of one answer. */
  timeoutMs: number;
  /** Missing = calls are as many as there are. */
  limiter?: CallLimiter;
  realNowMs: () => number;
  onFailure: (error: unknown) => void;
  /** Looks on at what each kind is asked; missing = nobody measures. */
  measure?: ((provider: PaymentProvider, kind: string) => PaymentProvider) | undefined;
  /** Is told how calls over a connection ended; the sandbox is never called over a network. */
  onEnd?: (connection: OpenedConnection, end: CallEnd) => void;
}

export function createPaymentProviders(options: RegistryOptions): PaymentProviders {
  const { sandbox, kinds, timeoutMs, limiter, realNowMs, onFailure, onEnd } = options;
  const measure = options.measure ?? ((provider: PaymentProvider) => provider);
  const kindNamed = (name: string) => kinds.find((kind) => kind.name === name) ?? null;
  const open = (limit: () => TimeLimit, isAwaited: boolean): PaymentProviders => {
    const toSafe = (openWithin: (limit: TimeLimit) => PaymentProvider, told?: (end: CallEnd) => void) =>
      toCareful(openWithin, { limit, realNowMs, onFailure, onEnd: told });
    const careful = measure(
      toSafe(() => sandbox),
      sandbox.name,
    );
    return {
      openSandbox: () => careful,
      openConnection: (connection) => {
        if (connection.kind === sandbox.name) return careful;
        const kind = kindNamed(connection.kind);
        if (!kind) return null;
        const { id, scope } = connection;
        const openWithin = (left: TimeLimit) =>
          kind.open(connection, limiter?.gateOf({ id, testMode: scope.testMode, isAwaited, limit: left }));
        return measure(toSafe(openWithin, onEnd && ((end) => onEnd(connection, end))), kind.name);
      },
      kindNamed,
      listTooSmallFor: (money) =>
        kinds.flatMap(({ name, judgeAmount }) =>
          judgeAmount?.(money).kind === 'below_minimum' ? [name] : [],
        ),
      listSteps: (currency) =>
        new Map(
          kinds.flatMap(({ name, stepOf }): Array<[string, bigint]> => {
            const step = stepOf?.(currency) ?? 1n;
            return step === 1n ? [] : [[name, step]];
          }),
        ),
      forOneAnswer: () => {
        const shared = createTimeLimit(timeoutMs);
        return open(() => shared, true);
      },
      sandbox,
    };
  };
  return open(() => createTimeLimit(timeoutMs), false);
}
