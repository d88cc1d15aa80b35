/** Names by text: there are as many texts as the code has statements, but for lists of other lengths. */
const names = new Map<string, string>();
const NAMES_MAX = 2_000;

/** What a statement does, and to which table first: `select orders`. Never what is asked for, although texts hold no values. */
export function nameStatement(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const verb = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement';
  const table = /\b(?:from|into|update)\s+(?:only\s+)?"?([a-z_]+)"?/i.exec(text)?.[1];
  const name = table === undefined ? verb : `${verb} ${table}`;
  if (names.size < NAMES_MAX) names.set(text, name);
  return name;
}
