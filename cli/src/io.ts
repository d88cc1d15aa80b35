/** What a command is given of the machine: tests give it another. */
export interface Io {
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** The folder that the command was given in. */
  cwd: string;
  home: string;
  /** What the machine calls itself. */
  machine: string;
  nodeVersion: string;
  /** Of this program. */
  version: string;
  /** Data goes to `out`, talk to `err`; a line each. */
  out(line: string): void;
  err(line: string): void;
  /** Whether somebody is there to be asked. */
  isAsking: boolean;
  /** Whether data is read by a person. */
  isTable: boolean;
  ask(question: string): Promise<boolean>;
  askText(question: string, options: { isHidden: boolean }): Promise<string>;
  readStdin(): Promise<string>;
  /** Hears single keys of whoever watches, where somebody does; answers how to stop. */
  onKey(hear: (key: string) => void): () => void;
  /** Shows an address in the browser of whoever sits here. */
  open(url: string): void;
  fetch: typeof fetch;
  nowMs(): number;
  /** Resolves early when the signal ends. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Ends by Ctrl-C. */
  signal: AbortSignal;
}

/** Exit codes are part of the contract: see the manual. */
export const EXIT = {
  done: 0,
  bug: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  keys: 5,
  findings: 6,
  unreachable: 7,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What a failure is called where nothing names it more closely. */
const CODES: Readonly<Record<ExitCode, string>> = {
  [EXIT.done]: 'done',
  [EXIT.bug]: 'bug',
  [EXIT.usage]: 'usage',
  [EXIT.refused]: 'refused',
  [EXIT.notFound]: 'not_found',
  [EXIT.keys]: 'keys',
  [EXIT.findings]: 'findings',
  [EXIT.unreachable]: 'unreachable',
  [EXIT.interrupted]: 'interrupted',
};

/** Ends the command with a line for people and an exit code for scripts. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exit: ExitCode;
  readonly code: string;
  readonly details: unknown;
  /** Whether the same may go well a little later. */
  readonly isPassing: boolean;
  /** Whether stdout holds all there is to say. */
  readonly isTold: boolean;

  constructor(
    exit: ExitCode,
    message: string,
    { code = CODES[exit], details = [] as unknown, isPassing = false, isTold = false } = {},
  ) {
    super(message);
    this.exit = exit;
    this.code = code;
    this.details = details;
    this.isPassing = isPassing;
    this.isTold = isTold;
  }
}
