/** What a form declares: the API's fields, in the API's names. */
import type { Row } from '../api/objects.ts';
import type { TextKey } from '../ui/texts.ts';

export interface Field {
  /** The path in the body: `seller.name`. */
  name: string;
  /** Without one the name in words: `originalPrice` is "Original price". */
  label?: TextKey;
  kind:
    | 'text'
    | 'long'
    | 'email'
    | 'url'
    /** A whole one, such as a count. */
    | 'number'
    | 'percent'
    | 'money'
    | 'choice'
    | 'yes'
    | 'lines'
    | 'many'
    | 'time'
    | 'colour'
    | 'offers'
    | 'country'
    | 'permissions'
    | 'rows'
    | 'pairs'
    | 'discount'
    | 'secret';
  required?: boolean;
  options?: readonly string[];
  /** What the texts of the options begin with; without it they are put in plain words. */
  names?: string;
  /** The names of options that are ids. */
  optionNames?: Readonly<Record<string, string>>;
  /** Where an option's name is made of several. */
  nameOption?(option: string, tName: (prefix: string, name: string) => string): string;
  hint?: TextKey;
  /** Of a moment: typed by UTC, and not by the store's clock. */
  isUtc?: true;
  /** Of lines: each is a whole number. */
  areNumbers?: true;
  /** Of rows: the fields of each, and what one is called. */
  columns?: readonly Field[];
  rowName?: TextKey;
  initial?: unknown;
  /** Of an amount: what it is of, where that is not the form's own currency. */
  currency?: string;
  /** What other fields make of it: a discount's amount is percent or money by its type. */
  follows?(values: Record<string, unknown>): Partial<Pick<Field, 'kind' | 'hint' | 'currency'>>;
  /** Only asked where the other fields say so. */
  when?(values: Record<string, unknown>): boolean;
  /** Of an edit: emptied where it is asked no longer, since the API refuses it there. */
  endsUnasked?: true;
}

export interface FormDeclaration {
  title: TextKey;
  submit: TextKey;
  fields: readonly Field[];
  method: 'POST' | 'PATCH';
  path: string;
  /** Turns the filled fields into the body, where they are not it. */
  toBody?(filled: Record<string, unknown>, currency: string): unknown;
  /** Where to go with the answer. */
  next?(data: Row): string | null;
  /** What was made, and is shown once. */
  reveals?: readonly string[];
}
