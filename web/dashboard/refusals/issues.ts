/**
 * What the API says of a field, in another language. The English texts are its own sentences: what stands for
 * something is `{…}`, and what is not said again is `*`.
 */
import { decimalsOf, formatMoney } from '../../ui/money.ts';
import { fillText } from '../ui/texts.ts';

type Words = Readonly<Record<string, string | undefined>>;

export interface IssueTexts {
  english: Words;
  words: Words;
  language: string;
}

const PREFIX = 'issue.';
/** What a place holds, where that is no text. */
const PLACES: Readonly<Record<string, string>> = {
  ...{ count: '-?[\\d.]+', line: '\\d+', currency: '[A-Z]{3}' },
  // In minor units, beside its `{currency}`; people read it as money.
  amount: '\\d{1,15}',
};
const MONEY = / [A-Z]{3}: \d+$/;
const PARTS = /(\{\w+\}|\*)/;

interface Sentence {
  key: string;
  pattern: RegExp;
  /** Characters that are always the same: of two that fit, the one that says more is meant. */
  weight: number;
}

const known = new WeakMap<Words, readonly Sentence[]>();

function toSentence(key: string, text: string): Sentence {
  const parts = text.split(PARTS);
  const written = parts.map((part) => {
    if (part === '*') return '.*';
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name === undefined ? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') : toPlace(name);
  });
  const weight = parts.filter((part) => !PARTS.test(part)).join('').length;
  return { key, pattern: new RegExp(`^${written.join('')}$`, 's'), weight };
}

const toPlace = (name: string) => `(?<${name}>${PLACES[name] ?? '.+'})`;

function listSentences(english: Words): readonly Sentence[] {
  const found =
    known.get(english) ??
    Object.entries(english)
      .flatMap(([key, text]) => (key.startsWith(PREFIX) && text ? [toSentence(key, text)] : []))
      .sort((one, other) => other.weight - one.weight);
  known.set(english, found);
  return found;
}

/** Whether it ends in an amount as the API counts it. */
export const namesMoney = (message: string): boolean => MONEY.test(message);

/** As the API says it where nobody has written it down. */
export function sayIssue(message: string, { english, words, language }: IssueTexts): string {
  for (const { key, pattern } of listSentences(english)) {
    const found = pattern.exec(message);
    const text = words[key];
    if (found && text !== undefined) return fillText(text, toValues({ ...found.groups }, language));
  }
  return message;
}

function toValues({ amount, currency, ...others }: Record<string, string>, language: string) {
  if (amount === undefined || currency === undefined) return { ...others, ...(currency && { currency }) };
  const of = { currency, currencyDecimals: decimalsOf(currency) };
  return { ...others, currency, amount: formatMoney(Number(amount), of, language) };
}
