/** A field's value in words, where nobody types it. */
import type { Locale } from '../ui/locale.tsx';
import type { Field } from './types.ts';
import { toInput, type Values } from './values.ts';

type Tools = {
  locale: Pick<Locale, 't' | 'tName' | 'time' | 'countryName' | 'language'>;
  currency: string;
  zone?: string;
};

/** Empty where there is none. */
export function writeValue(field: Field, value: unknown, tools: Tools): string {
  const { locale, currency } = tools;
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return locale.t(value ? 'yes' : 'no');
  if (field.kind === 'rows' && Array.isArray(value))
    return value.map((row: Values) => writeRow(field.columns ?? [], row, tools)).join(', ');
  if (Array.isArray(value)) return value.map((one) => writeOption(field, String(one), locale)).join(', ');
  if (field.kind === 'choice') return writeOption(field, String(value), locale);
  if (field.kind === 'country') return locale.countryName(String(value));
  if (field.kind === 'time' && typeof value === 'number') {
    const zone = field.isUtc ? 'UTC' : (tools.zone ?? 'UTC');
    return zone === 'UTC' ? `${locale.time(value, zone)} UTC` : locale.time(value, zone);
  }
  if (typeof value === 'object' && field.kind !== 'pairs') return JSON.stringify(value);
  const written = toInput(field, value, { language: locale.language, currency });
  return String(written).replaceAll('\n', ', ');
}

const writeRow = (columns: readonly Field[], row: Values, tools: Tools): string =>
  columns
    .map((column) => writeValue(column, row[column.name], tools))
    .filter(Boolean)
    .join(' ');

/** The word of one that can be chosen; what was typed, and ids, stay as they are. */
function writeOption(field: Field, option: string, { tName }: Pick<Locale, 'tName'>): string {
  if (field.kind !== 'choice' && field.kind !== 'many') return option;
  return (
    field.optionNames?.[option] ??
    field.nameOption?.(option, tName) ??
    tName(field.names ?? 'option.', option)
  );
}
