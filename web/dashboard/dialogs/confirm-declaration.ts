/** What a dialog declares that asks little and makes one call. */
import type { Row } from '../api/objects.ts';
import type { Write } from '../api/use-api.ts';
import type { Field } from '../forms/types.ts';
import type { TextKey } from '../ui/texts.ts';

export interface ConfirmDeclaration {
  title: TextKey;
  text: TextKey;
  confirm: TextKey;
  /** Takes money: what was typed, or what comes next. The button says how much, once it is known. */
  takes?: 'amount' | 'upcomingPayment';
  isDanger?: boolean;
  method: 'POST' | 'PATCH' | 'DELETE';
  path(row: Row): string;
  fields?: readonly Field[];
  body?: Readonly<Record<string, unknown>>;
  /** What of the row goes with the call. */
  toBody?(row: Row): Record<string, unknown>;
  /** Takes it back within ten seconds. */
  undo?(row: Row): Write;
  /** Shows what stands in its fields before. */
  showsNow?: boolean;
  /** Where to go when what the page shows is gone. */
  next?: string;
  /** What is said once it is done, with a number of the answer as its `count`, if any. */
  done?: { text: TextKey; count?: string };
  /** Fields of the answer that are shown this once. */
  reveals?: readonly string[];
}
