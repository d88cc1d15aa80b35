/** The plain-text twin of a letter. */
import { toLanguage } from '../languages.ts';
import type { Block, Fact, Letter } from './letter.ts';
import { fillText } from './texts.ts';

const RULE = '-'.repeat(60);

export function toPlainText(letter: Letter): string {
  const colon = fillText(toLanguage(letter.language), 'plain.colon', {});
  const parts = [
    ...(letter.banner ? [letter.banner] : []),
    letter.from,
    letter.title,
    ...letter.blocks.map((block) => toPart(block, colon)).filter(Boolean),
    [RULE, ...letter.footer, ...letter.footerLinks.map(({ label, url }) => `${label}${colon} ${url}`)].join(
      '\n',
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** `colon` as the letter's language sets it: French after a space that does not break. */
function toPart(block: Block, colon: string): string {
  const toFactLine = ({ label, value }: Fact) => `${label}${colon} ${toOneLine(value)}`;
  switch (block.kind) {
    case 'text':
    case 'note':
      return toOneLine(block.text);
    case 'facts':
      return block.facts.map(toFactLine).join('\n');
    case 'code':
      return toFactLine({ label: block.label, value: block.code });
    case 'lines':
      return [
        ...block.lines.map(
          ({ name, detail, amount }) =>
            `- ${toOneLine(name)}${detail ? ` (${toOneLine(detail)})` : ''}${amount ? `${colon} ${amount}` : ''}`,
        ),
        ...block.totals.map(toFactLine),
      ].join('\n');
    case 'keys':
      return [`${toOneLine(block.title)}${colon}`, ...block.keys.map((key) => `  ${toOneLine(key)}`)].join(
        '\n',
      );
    case 'button':
    case 'link':
      return `${toOneLine(block.label)}${colon}\n${block.url}`;
  }
}

/** A name with line breaks in it must not look like lines of ours. Spaces that do not break are kept. */
export function toOneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  return text.replace(/(?:(?![\u00a0\u202f])[\s\u0000-\u001f\u007f])+/g, ' ').trim();
}
