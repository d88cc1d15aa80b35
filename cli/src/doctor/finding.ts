/** What `doctor` says of one thing. */
export interface Finding {
  check: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  /** Null where nothing is to be done. */
  remedy: string | null;
}

export const ok = (check: string, message: string): Finding => ({
  check,
  status: 'ok',
  message,
  remedy: null,
});
export const warn = (check: string, message: string, remedy: string): Finding => ({
  ...{ check, status: 'warn', message, remedy },
});
export const fail = (check: string, message: string, remedy: string): Finding => ({
  ...{ check, status: 'fail', message, remedy },
});
