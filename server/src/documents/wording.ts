/** How a document says things in its language: amounts, days, rates, places, and what was stored in English. */
import { readProrationName, readProrationSum } from '../domain/billing/proration-name.ts';
import type { Party, SnapshotRate } from '../domain/invoicing/snapshot.ts';
import type { Language } from '../domain/languages.ts';
import { currencyDecimals } from '../domain/money/currency.ts';
import { nameMethod, TRANSFER } from '../domain/payments/method-name.ts';
import { type DocumentKey, ENGLISH, getDocumentTexts } from './texts.ts';

const DAY_MS = 86_400_000;

export interface Wording {
  text(key: DocumentKey, values?: Record<string, string>): string;
  /** The text of a word of the API behind a prefix, or the word itself. */
  word(prefix: string, word: string): string;
  /** Minor units as people write them: 123456 EUR → 1,234.56. */
  amount(minor: number, currency: string): string;
  /** With the currency beside it. */
  money(minor: number, currency: string): string;
  /** The day in UTC. */
  day(ms: number): string;
  percent(rate: Pick<SnapshotRate, 'percentage'>): string;
  /** A tax by its name and rate, its place, and the reason of a zero. */
  rateName(rate: SnapshotRate): string;
  /** The address block under a name: only what is known. */
  addressLines(party: Party): string[];
  methodName(method: { type: string; brand: string | null; last4: string | null }): string;
  /** A line's name: what we called it ourselves is said in the document's language. */
  lineName(name: string, refersTo: { number: string } | null): string;
  /** What stands under a line's name: the inputs of a prorated sum are written in days, as the language writes them. */
  lineDetail(detail: string): string;
  /** What the law asks to be said; kept in English. */
  sentence(sentence: string): string;
}

export function createWording(language: Language): Wording {
  const texts = getDocumentTexts(language);
  const text: Wording['text'] = (key, values = {}) =>
    texts[key].replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
  const word: Wording['word'] = (prefix, spoken) => {
    const key = prefix + spoken;
    return Object.hasOwn(texts, key) ? texts[key as DocumentKey] : spoken;
  };
  // Of English the form that all the world reads: the day before the month.
  const spoken = language === 'en' ? 'en-GB' : language;
  const days = new Intl.DateTimeFormat(spoken, {
    ...{ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' },
  });
  const percents = new Intl.NumberFormat(spoken, { style: 'percent', maximumFractionDigits: 4 });
  // Days as fine as the sum needs to come out to the cent; it is computed by the millisecond.
  const lengths = new Intl.NumberFormat(spoken, {
    ...{ style: 'unit', unit: 'day', unitDisplay: 'long', maximumFractionDigits: 4 },
  });
  const places = new Intl.DisplayNames([language], { type: 'region' });
  const amount = (minor: number, currency: string) => formatAmount(spoken, minor, currency);
  const percent: Wording['percent'] = ({ percentage }) => percents.format(percentage / 100);
  const day = (ms: number) => days.format(ms);
  return {
    ...{ text, word, amount, percent, day },
    money: (minor, currency) => `${amount(minor, currency)} ${currency}`,
    rateName: (rate) => {
      const place = [rate.country, rate.region].filter(Boolean).join('-');
      const reason = rate.percentage === 0 ? word('reason.', rate.reason) : rate.reason;
      const isTold = rate.percentage === 0 && reason !== rate.reason;
      const name = `${word('tax.', rate.name)} ${percent(rate)}`;
      return [name, place ? `(${place})` : '', isTold ? `· ${reason}` : ''].filter(Boolean).join(' ');
    },
    addressLines: (party) => toAddressLines(party, (country) => places.of(country) ?? country),
    methodName: ({ type, brand, last4 }) => {
      const plain = type === TRANSFER ? text('method.transfer') : type.replaceAll('_', ' ');
      const name = nameMethod({ type, brand }) ?? plain;
      return last4 === null ? name : text('method.card', { brand: name, last4 });
    },
    lineName: (name, refersTo) => {
      if (refersTo && name === `Refund of ${refersTo.number}`) return text('line.refund', refersTo);
      const proration = readProrationName(name);
      if (!proration) return name;
      const { part, title, startDay, endDay, other } = proration;
      const values = { title, days: days.formatRange(Date.parse(startDay), Date.parse(endDay)) };
      if (other !== null) return text(`line.${part}.changed`, { ...values, other });
      return text(part === 'unused' ? 'line.unused.removed' : 'line.remaining.added', values);
    },
    lineDetail: (detail) => {
      const sum = readProrationSum(detail);
      if (!sum) return detail;
      const [rest, full] = [sum.restMs, sum.fullMs].map((ms) => lengths.format(ms / DAY_MS));
      return `${formatExact(spoken, sum.price, sum.currency)} ${sum.currency} × ${rest} / ${full}`;
    },
    sentence: (sentence) => {
      const key = SENTENCES.find((one) => ENGLISH[one] === sentence);
      return key ? text(key) : sentence;
    },
  };
}

const SENTENCES = ['sentence.reverseChargeEu', 'sentence.reverseCharge'] as const;

function formatAmount(language: string, minor: number, currency: string): string {
  const decimals = currencyDecimals(currency);
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const exact = decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
  return `${minor < 0 ? '−' : ''}${formatExact(language, exact, currency)}`;
}

/** `1234.50`, in major units, as the language writes it. */
function formatExact(language: string, exact: string, currency: string): string {
  const decimals = currencyDecimals(currency);
  const format = new Intl.NumberFormat(language, {
    ...{ minimumFractionDigits: decimals, maximumFractionDigits: decimals },
    // From the first thousand on, in every language: documents align their columns.
    useGrouping: 'always',
  });
  // As text, since a float could not carry every amount to the unit; Intl reads it exactly.
  return format.format(exact as unknown as number);
}

const BEFORE_CITY = new Set(['US', 'CA', 'AU', 'IN', 'GB', 'IE', 'NZ', 'SG', 'HK', 'ZA']);

function toAddressLines(party: Party, toCountryName: (country: string) => string): string[] {
  const { city, state, postalCode, country } = party;
  const place = BEFORE_CITY.has(country ?? '')
    ? [[city, state].filter(Boolean).join(', '), postalCode]
    : [postalCode, [city, state].filter(Boolean).join(', ')];
  const named = country === null ? null : toCountryName(country);
  return [party.address, party.addressLine2, place.filter(Boolean).join(' '), named].filter(
    (line): line is string => Boolean(line),
  );
}
