import { type Row, textOf } from '../api/objects.ts';

/** What a connection's account is known by; '' for one that has none. */
export const accountOf = (row: Row): string =>
  textOf(row, 'accountId') || textOf(row, 'iban').replace(/(.{4})(?=.)/g, '$1 ');
