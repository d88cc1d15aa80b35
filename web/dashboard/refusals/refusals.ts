/** What the API refuses, in the language of the page. In English it says it itself, and more exactly, but for money. */
import { loadRoomTexts } from '../ui/texts.ts';
import { type IssueTexts, namesMoney, sayIssue } from './issues.ts';

export interface Refused {
  code: string;
  message: string;
  details: unknown;
}

export async function loadIssueTexts(language: string): Promise<IssueTexts> {
  const [english, words] = await Promise.all(['en', language].map((one) => loadRoomTexts('refusals', one)));
  return { english: english ?? {}, words: words ?? {}, language };
}

/** In English: what its fields say of money is said as people read it. */
export async function writeMoney(refused: Refused): Promise<Refused> {
  const { details } = refused;
  if (!Array.isArray(details) || !details.some((one: unknown) => namesMoney(toMessage(one) ?? '')))
    return refused;
  const texts = await loadIssueTexts('en');
  const told = details.map((one: unknown) =>
    namesMoney(toMessage(one) ?? '') ? translateDetail(one, texts) : one,
  );
  return { ...refused, details: told };
}

export async function translate({ code, message, details }: Refused, language: string): Promise<Refused> {
  const texts = await loadIssueTexts(language);
  const told = Array.isArray(details) ? details.map((one: unknown) => translateDetail(one, texts)) : details;
  // Where no field stands beside it, the first thing that is wrong says more than that something is.
  const first = code === 'invalid_input' && Array.isArray(told) ? toMessage(told[0]) : null;
  return { code, message: first ?? texts.words[`refusal.${code}`] ?? message, details: told };
}

const toMessage = (detail: unknown): string | null =>
  typeof detail === 'object' && detail !== null && 'message' in detail ? String(detail.message) : null;

function translateDetail(detail: unknown, texts: IssueTexts): unknown {
  const message = toMessage(detail);
  return message === null ? detail : { ...(detail as object), message: sayIssue(message, texts) };
}
