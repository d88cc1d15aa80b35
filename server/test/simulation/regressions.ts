/** Runs that once found something wrong, or that reach far: they are run again every time. */
export interface Run {
  seed: number;
  isTaxed: boolean;
  startDay: number;
  /** The shrunk steps' place, of a failure: fast-check prints it. */
  path?: string;
  replayPath?: string;
}

export const REGRESSIONS: readonly Run[] = [];
