/** The words of letters to accounts: plain, short, and with the whole address of every link. */
import { findLanguage } from '../../domain/languages.ts';
import type { AccountMailKind } from '../../resources/accounts/account-mails.queries.ts';
import { de } from './account-letters.de.ts';
import { en } from './account-letters.en.ts';
import type { LetterFacts, LetterWords } from './letter-words.ts';

export interface AccountLetter {
  subject: string;
  html: string;
  plain: string;
}

export interface AccountLetterInput {
  kind: AccountMailKind;
  url: string | null;
  params: Record<string, unknown>;
  publicUrl: string;
  /** The account's; of whoever has none, that of who writes to them. */
  language: string;
}

const LANGUAGES = { en, de };

export function writeAccountLetter(input: AccountLetterInput): AccountLetter {
  const { kind, url, publicUrl } = input;
  // Those that the dashboard is read in.
  const language = findLanguage(input.language) === 'de' ? 'de' : 'en';
  const words = LANGUAGES[language];
  const { subject, lines } = words.kinds[kind](toFacts(words, input));
  const rest = url === null ? lines : [lines[0] ?? '', url, ...lines.slice(1)];
  const whole = [...rest, words.from(publicUrl)];
  return { subject, plain: `${whole.join('\n\n')}\n`, html: toHtml(language, whole) };
}

const toText = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');

function toFacts(words: LetterWords, { kind, params }: AccountLetterInput): LetterFacts {
  const address = toText(params.ipAddress);
  return {
    workspaceName: toText(params.workspaceName),
    inviterName: toText(params.inviterName),
    step: toText(params.step),
    day: typeof params.atMs === 'number' ? new Date(params.atMs).toISOString().slice(0, 10) : '',
    failures: toText(params.failures),
    by: kind === 'workspace_state' ? toText(params.by) : address === '' ? '' : words.cameFrom(address),
    change: words.changes[toText(params.operation)] ?? '',
  };
}

function toHtml(language: string, lines: readonly string[]): string {
  const paragraphs = lines.map((line) => {
    const text = toEntities(line);
    return /^https?:\/\/\S+$/.test(line) ? `<p><a href="${text}">${text}</a></p>` : `<p>${text}</p>`;
  });
  return `<!doctype html><html lang="${language}"><body>${paragraphs.join('')}</body></html>`;
}

function toEntities(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
