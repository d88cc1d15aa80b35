/** The plain-text twin of a letter. */
import type { Block, Fact, Letter } from './letter.ts';

const RULE = '-'.repeat(60);

export function toPlainText(letter: Letter): string {
  const parts = [
    ...(letter.banner ? [letter.banner] : []),
    letter.from,
    letter.title,
    ...letter.blocks.map(toPart).filter(Boolean),
    [RULE, ...letter.footer, ...letter.footerLinks.map(({ label, url }) => `${label}: ${url}`)].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function toPart(block: Block): string {
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
            `- ${toOneLine(name)}${detail ? ` (${toOneLine(detail)})` : ''}${amount ? `: ${amount}` : ''}`,
        ),
        ...block.totals.map(toFactLine),
      ].join('\n');
    case 'keys':
      return [`${toOneLine(block.title)}:`, ...block.keys.map((key) => `  ${toOneLine(key)}`)].join('\n');
    case 'button':
    case 'link':
      return `${toOneLine(block.label)}:\n${block.url}`;
  }
}

function toFactLine({ label, value }: Fact): string {
  return `${label}: ${toOneLine(value)}`;
}

/** A name with line breaks in it must not look like lines of ours. */
export function toOneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  return text.replace(/[\s\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim();
}
