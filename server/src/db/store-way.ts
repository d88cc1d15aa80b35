/**
 * What the way to the store bears. A pooler may give the server's session to another client after each transaction: what
 * was prepared there is then not there any more, or another's. And it may refuse, or leave out without a word, the limits
 * that a connection asks for as it starts. Either is found out by what is answered, and then done without for good.
 */
import type pg from 'pg';

export interface SessionLimits {
  statementTimeoutMs: number;
  /** Missing = as long as a statement may run. */
  lockTimeoutMs?: number | undefined;
  idleInTransactionMs: number;
}

/** No statement of ours is worth compiling: it takes a second where the statement takes a tenth. */
const OPTIONS = '-c jit=off';

/**
 * A transaction finds its rows by keys, so that one plan is right for all values. Left to itself PostgreSQL plans many
 * a statement at each call, which costs more than running it. Where rows are spread over nodes a plan for all values is
 * one that asks them all.
 */
const GENERIC_PLANS = 'set local plan_cache_mode = force_generic_plan';

/** What a statement was prepared as is not there, or is there already: it has not been run. */
const NAME_LOST = new Set(['26000', '42P05']);

export const isNameLost = (error: unknown): boolean => NAME_LOST.has(codeOf(error));

/** A pooler that bears a connection, but not what it asks for as it starts. */
export const isStartRefused = (error: unknown): boolean =>
  codeOf(error).startsWith('08') && /unsupported startup parameter/i.test((error as Error).message);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

const toMs = (name: string) => `extract(epoch from current_setting('${name}')::interval) * 1000`;
const SESSION = `select (${toMs('statement_timeout')})::float8 as "statementTimeoutMs",
  (${toMs('lock_timeout')})::float8 as "lockTimeoutMs",
  (${toMs('idle_in_transaction_session_timeout')})::float8 as "idleInTransactionMs",
  exists (select from pg_extension where extname = 'citus') as "isSpreadable"`;
const SPREAD = `select exists (select from pg_dist_partition where partmethod = 'h') as "isSpread"`;

interface Session extends Required<SessionLimits> {
  isSpreadable: boolean;
}

export class StoreWay {
  private readonly limits: SessionLimits;
  private readonly onNameLost: () => void;
  private isNamed = true;
  /** Null = nobody has looked yet. */
  private ofSession: boolean | null = null;
  /** Null = nobody has asked yet. */
  private spread: boolean | null = null;

  /** `onNameLost` is told once. */
  constructor(limits: SessionLimits, onNameLost: () => void = () => {}) {
    this.limits = limits;
    this.onNameLost = onNameLost;
  }

  /** Whether what one transaction prepares is there for the next. */
  get keepsNames(): boolean {
    return this.isNamed;
  }

  /** Whether a connection has the limits that it asked for; else each transaction sets its own. */
  get keepsLimits(): boolean {
    return this.ofSession !== false;
  }

  /** Whether the rows of the store lie on several nodes: asked of the first connection. */
  get isSpread(): boolean {
    return this.spread === true;
  }

  loseNames(): void {
    if (this.isNamed) this.onNameLost();
    this.isNamed = false;
  }

  loseLimits(): void {
    this.ofSession = false;
  }

  /** What a connection asks for as it starts. */
  toStart() {
    const { statementTimeoutMs, lockTimeoutMs, idleInTransactionMs } = this.limits;
    return {
      statement_timeout: statementTimeoutMs,
      options: OPTIONS,
      ...(lockTimeoutMs === undefined ? {} : { lock_timeout: lockTimeoutMs }),
      idle_in_transaction_session_timeout: idleInTransactionMs,
    };
  }

  /** A limit of its own for how long its statements wait for rows; missing = that of all. */
  toBegin(ownLockTimeoutMs?: number): string {
    const { statementTimeoutMs, idleInTransactionMs } = this.limits;
    const settings = this.keepsLimits
      ? { lock_timeout: ownLockTimeoutMs }
      : {
          statement_timeout: statementTimeoutMs,
          idle_in_transaction_session_timeout: idleInTransactionMs,
          lock_timeout: ownLockTimeoutMs ?? this.limits.lockTimeoutMs,
          jit: 'off',
        };
    const given = Object.entries(settings).filter(([, value]) => value !== undefined);
    const plans = this.isSpread ? [] : [GENERIC_PLANS];
    return ['begin', ...plans, ...given.map(([name, value]) => `set local ${name} = ${value}`)].join('; ');
  }

  /**
   * Whether the first connection was given what it had asked for: a pooler may be told to leave it out. And whether the
   * store is spread.
   */
  async look(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
    if (this.ofSession !== null && this.spread !== null) return;
    const { rows } = await client.query<Session>(SESSION);
    const { isSpreadable = false, ...session }: Partial<Session> = rows[0] ?? {};
    const laid = isSpreadable ? await client.query<{ isSpread: boolean }>(SPREAD) : null;
    this.spread = laid?.rows[0]?.isSpread ?? false;
    const { lockTimeoutMs = session.lockTimeoutMs, ...asked } = this.limits;
    const has = JSON.stringify(session);
    const wanted = {
      statementTimeoutMs: asked.statementTimeoutMs,
      lockTimeoutMs,
      idleInTransactionMs: asked.idleInTransactionMs,
    };
    // Another may have found it out meanwhile.
    this.ofSession ??= has === JSON.stringify(wanted);
  }
}
