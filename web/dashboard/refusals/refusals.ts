/** What the API refuses, in the language of the page. In English it says it itself, and more exactly. */
import { fillText, loadRoomTexts, type TextKey } from '../ui/texts.ts';

/** What it says of a field, by what it says of any. */
const ISSUES: ReadonlyArray<readonly [RegExp, TextKey]> = [
  [/^is required$/, 'issue.required'],
  [/^is missing(?:: .*)?$/, 'issue.missing'],
  [/^must NOT have fewer than 1 characters$/, 'issue.empty'],
  [/^must hold more than spaces$/, 'issue.blank'],
  [/^must NOT have fewer than (?<count>\d+) characters$/, 'issue.tooShort'],
  [/^must NOT have more than (?<count>\d+) characters$/, 'issue.tooLong'],
  [/^must NOT have fewer than (?<count>\d+) items$/, 'issue.tooFew'],
  [/^must NOT have more than (?<count>\d+) items$/, 'issue.tooMany'],
  [/^must be >= (?<count>-?[\d.]+)$/, 'issue.tooSmall'],
  [/^must be <= (?<count>-?[\d.]+)$/, 'issue.tooLarge'],
  [/^must be > (?<count>-?[\d.]+)$/, 'issue.notAbove'],
  [/^must be integer$/, 'issue.integer'],
  [/^must be (?:number|integer,null|number,null)$/, 'issue.number'],
  [/^must be one of (?<count>.+)$/, 'issue.choice'],
  [/^must match (?:pattern|format) .*$/, 'issue.form'],
  [/^must not hold (?:line breaks|control characters).*$/, 'issue.control'],
  [/^is not a(?:n| valid) e-mail address$|^must be an e-mail address$/, 'issue.email'],
  [/^must be an http\(s\) URL$/, 'issue.url'],
  [/^must (?:lie|be) in the future$/, 'issue.future'],
  [/^must lie in the past$|^must not lie ahead$|^must not be later than now$/, 'issue.past'],
  [/^must be after validFrom$|^must lie after from$|^must be later than from$/, 'issue.order'],
  [/^must be (?:an )?ISO 3166-1 .*$|^is not a country$/, 'issue.country'],
  [/^must be an IANA time zone.*$/, 'issue.zone'],
  [/^never changes$/, 'issue.fixed'],
  [/^is not a (?:known field|field of this operation)$/, 'issue.unknown'],
  [/^must have at most \w+ decimals$|^must be a number with at most \d+ decimals$/, 'issue.decimals'],
  [/^is your address already$/, 'issue.ownEmail'],
];

export interface Refused {
  code: string;
  message: string;
  details: unknown;
}

type Words = Readonly<Record<string, string | undefined>>;

export async function translate({ code, message, details }: Refused, language: string): Promise<Refused> {
  const words: Words = await loadRoomTexts('refusals', language);
  const told = Array.isArray(details) ? details.map((one: unknown) => translateDetail(one, words)) : details;
  return { code, message: words[`refusal.${code}`] ?? message, details: told };
}

function translateDetail(detail: unknown, words: Words): unknown {
  if (typeof detail !== 'object' || detail === null || !('message' in detail)) return detail;
  return { ...detail, message: sayIssue(String(detail.message), words) };
}

export function sayIssue(message: string, words: Words): string {
  for (const [pattern, key] of ISSUES) {
    const found = pattern.exec(message);
    const text = words[key];
    if (found && text !== undefined) return fillText(text, { ...found.groups });
  }
  return message;
}
