/** What the API refuses, in the language of the page. In English it says it itself, and more exactly. */
import { loadRoomTexts } from '../ui/texts.ts';
import { type IssueTexts, sayIssue } from './issues.ts';

export interface Refused {
  code: string;
  message: string;
  details: unknown;
}

export async function loadIssueTexts(language: string): Promise<IssueTexts> {
  const [english, words] = await Promise.all(['en', language].map((one) => loadRoomTexts('refusals', one)));
  return { english: english ?? {}, words: words ?? {} };
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
