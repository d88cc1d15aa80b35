/**
 * What the API says of a field, in another language. The English texts are its own sentences: what stands for
 * something is `{…}`, and what is not said again is `*`.
 */
import { fillText } from '../ui/texts.ts';

type Words = Readonly<Record<string, string | undefined>>;

export interface IssueTexts {
  english: Words;
  words: Words;
}

const PREFIX = 'issue.';
/** What a place holds, where that is no text. */
const PLACES: Readonly<Record<string, string>> = { count: '-?[\\d.]+', line: '\\d+', currency: '[A-Z]{3}' };
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

/** As the API says it where nobody has written it down. */
export function sayIssue(message: string, { english, words }: IssueTexts): string {
  for (const { key, pattern } of listSentences(english)) {
    const found = pattern.exec(message);
    const text = words[key];
    if (found && text !== undefined) return fillText(text, { ...found.groups });
  }
  return message;
}
