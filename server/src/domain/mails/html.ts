/**
 * A letter as HTML that mail programs accept: tables, styles on each element, 600 px at most, nothing loaded
 * but the shop's own logo, which its name stands in for where pictures are off. Programs that honour `prefers-color-scheme` get the dark colours by class.
 */
import type { Block, Fact, FooterLink, Letter, Line, Total } from './letter.ts';

const SANS =
  "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue','Noto Sans',Arial,sans-serif";
const MONO = "ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace";
const INK = '#1b1f1a';
const SOFT = '#585e55';
const LINE = '#e3ded2';
const PAPER = '#edeae1';
const SHEET = '#ffffff';
const STUB = '#faf8f3';
const ACCENT = '#14603f';

/** A long word is broken before it makes the letter wider than the screen. Inherited by all within. */
const BREAKS = 'word-break:break-word;overflow-wrap:anywhere';

const DARK = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.paper{background:#0b0e0c!important}
.sheet{background:#191d1a!important}
.stub{background:#141815!important}
.ink{color:#eef1eb!important}
.soft{color:#a8b0a6!important}
.line{border-color:#2a302b!important}
.button{background:#86dcb0!important;color:#05261a!important}
.link{color:#86dcb0!important}
.banner{background:#33280f!important;color:#f3c969!important}
}
@media (max-width:480px){.pad{padding-left:20px!important;padding-right:20px!important}}
`;

/** A shop's own colour holds white in the dark, too, and its links take the ink. */
const DARK_OWN = DARK.replace(/\.button\{.*\}\n/, '').replace('.link{color:#86dcb0', '.link{color:#eef1eb');

const TABLE = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';

export function toHtml(letter: Letter): string {
  const { language, subject, preview, title, banner, accent } = letter;
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escapeHtml(subject)}</title>
<style>${accent === null ? DARK : DARK_OWN}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:${PAPER};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escapeHtml(preview)}</div>
<table ${TABLE} class="paper" style="background:${PAPER}"><tr><td align="center" style="padding:24px 12px">
<table ${TABLE} style="max-width:600px">
${banner ? toBanner(banner) : ''}
<tr><td class="ink" style="${font(16, INK)};font-weight:700;letter-spacing:-.01em;padding:4px 4px 16px;${BREAKS}">${toSender(letter)}</td></tr>
<tr><td class="sheet pad" style="background:${SHEET};border-radius:14px;padding:36px 40px 40px;${BREAKS}">
<h1 class="ink" style="${font(26, INK)};line-height:1.2;font-weight:700;letter-spacing:-.02em;margin:0 0 16px">${escapeHtml(title)}</h1>
${letter.blocks.map((block, at) => toPart(block, accent ?? ACCENT, at === 0)).join('\n')}
</td></tr>
<tr><td class="soft" style="${font(13, SOFT)};line-height:1.6;padding:20px 4px;${BREAKS}">${toFooter(letter)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`;
}

/** The picture's other text is read in its place, in the letter's own type. */
function toSender({ from, logo }: Letter): string {
  if (logo === null) return escapeHtml(from);
  // A wide one is made less high instead of being squeezed; the attribute is for Outlook, which knows no maximum.
  const style = 'display:block;border:0;height:auto;max-height:40px;width:auto;max-width:240px';
  return `<img src="${escapeHtml(toSafeUrl(logo))}" alt="${escapeHtml(from)}" height="40" style="${style}">`;
}

function toBanner(text: string): string {
  const style = `${font(13, '#744a00')};background:#fdf1d3;border-radius:8px;padding:10px 16px`;
  return `<tr><td class="banner" style="${style}">${escapeHtml(text)}</td></tr>
<tr><td style="height:16px;line-height:16px;font-size:0">&nbsp;</td></tr>`;
}

function font(sizePx: number, color: string): string {
  return `font-family:${SANS};font-size:${sizePx}px;line-height:1.55;color:${color}`;
}

function toPart(block: Block, accent: string, isFirst: boolean): string {
  switch (block.kind) {
    case 'text':
      return `<p class="ink" style="${font(16, INK)};margin:${isFirst ? '0' : '14px'} 0 14px">${escapeHtml(block.text)}</p>`;
    case 'note':
      return `<p class="soft" style="${font(14, SOFT)};margin:14px 0 0">${escapeHtml(block.text)}</p>`;
    case 'facts':
      return toFacts(block.facts);
    case 'lines':
      return block.lines.length + block.totals.length === 0 ? '' : toLines(block.lines, block.totals);
    case 'keys':
      return toKeys(block.title, block.keys);
    case 'code':
      return toCode(block.label, block.code);
    case 'button':
      return toButton(block, accent);
    case 'link':
      return `<p style="${font(15, accent)};margin:16px 0 0">${toLink(block.url, block.label, accent)}</p>`;
  }
}

function toFacts(facts: Fact[]): string {
  const rows = facts.map(
    ({ label, value }) =>
      `<tr><td class="soft" valign="top" style="${font(14, SOFT)};padding:3px 16px 3px 0;white-space:nowrap">${escapeHtml(label)}</td>` +
      `<td class="ink" valign="top" align="right" style="${font(14, INK)};padding:3px 0;word-break:break-word">${escapeHtml(value)}</td></tr>`,
  );
  return `<table ${TABLE} style="margin:22px 0 0">${rows.join('')}</table>`;
}

function toLines(lines: Line[], totals: Total[]): string {
  const rows = lines.map(({ name, detail, amount }) => {
    const small = detail
      ? `<br><span class="soft" style="font-size:14px;color:${SOFT}">${escapeHtml(detail)}</span>`
      : '';
    const cell = `border-top:1px solid ${LINE};padding:12px 0`;
    return (
      `<tr><td class="line" valign="top" style="${cell};word-break:break-word">${escapeHtml(name)}${small}</td>` +
      `<td class="line" valign="top" align="right" style="${cell};padding-left:16px;white-space:nowrap">${escapeHtml(amount ?? '')}</td></tr>`
    );
  });
  // Type and colour are said once for all: a cart may have a hundred lines.
  const style = `${font(16, INK)};margin:22px 0 0`;
  return `<table ${TABLE} class="ink" style="${style}">${rows.join('')}${toTotals(totals)}</table>`;
}

function toTotals(totals: Total[]): string {
  return totals
    .map(({ label, value, isSum }, index) => {
      const color = isSum ? INK : SOFT;
      const look = `${font(isSum ? 17 : 14, color)};font-weight:${isSum ? 700 : 400}`;
      const padding = isSum ? '8px 0 2px' : '2px 0';
      const rule = index === 0 ? `border-top:1px solid ${LINE};padding:12px 0 2px` : `padding:${padding}`;
      const names = `${isSum ? 'ink' : 'soft'} line`;
      return (
        `<tr><td class="${names}" style="${look};${rule}">${escapeHtml(label)}</td>` +
        `<td class="${names}" align="right" style="${look};${rule};padding-left:16px;white-space:nowrap">${escapeHtml(value)}</td></tr>`
      );
    })
    .join('');
}

function toKeys(title: string, keys: string[]): string {
  const style = `font-family:${MONO};font-size:16px;line-height:1.9;color:${INK};word-break:break-all`;
  // One style for all: a mail may bring hundreds of keys.
  const list = `<div class="ink" style="${style}">${keys.map(escapeHtml).join('<br>')}</div>`;
  return (
    `<table ${TABLE} style="margin:22px 0 0"><tr><td class="stub" style="background:${STUB};border-radius:10px;padding:14px 18px">` +
    `<div class="soft" style="${font(13, SOFT)};padding-bottom:4px">${escapeHtml(title)}</div>${list}</td></tr></table>`
  );
}

function toCode(label: string, code: string): string {
  const style = `font-family:${MONO};font-size:28px;font-weight:700;line-height:1.3;letter-spacing:.12em;color:${INK}`;
  return (
    `<table ${TABLE} style="margin:22px 0 0"><tr><td class="stub" align="center" style="background:${STUB};border-radius:10px;padding:14px 18px">` +
    `<div class="soft" style="${font(13, SOFT)}">${escapeHtml(label)}</div>` +
    `<div class="ink" style="${style}">${escapeHtml(code)}</div></td></tr></table>`
  );
}

function toButton({ label, url, fallback }: Extract<Block, { kind: 'button' }>, accent: string): string {
  const style = `display:inline-block;background:${accent};color:#ffffff;font-family:${SANS};font-size:16px;font-weight:600;line-height:1.2;text-decoration:none;border-radius:10px;padding:14px 26px`;
  const href = toSafeUrl(url);
  return (
    `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:28px 0 0"><tr><td>` +
    `<a class="button" href="${escapeHtml(href)}" style="${style}">${escapeHtml(label)}</a></td></tr></table>` +
    `<p class="soft" style="${font(13, SOFT)};margin:14px 0 0">${escapeHtml(fallback)}<br>` +
    `<span style="word-break:break-all">${escapeHtml(url)}</span></p>`
  );
}

function toLink(url: string, label: string, accent: string): string {
  const style = `color:${accent};text-decoration:underline`;
  return `<a class="link" href="${escapeHtml(toSafeUrl(url))}" style="${style}">${escapeHtml(label)}</a>`;
}

/** The links stand side by side: one below the other they were longer than many a letter. */
function toFooter({ footer, footerLinks }: Letter): string {
  const links = footerLinks.map(toFooterLink).join(' &nbsp; ');
  return [...footer.map(escapeHtml), links].join('<br>');
}

function toFooterLink({ label, url }: FooterLink): string {
  const style = `color:${SOFT};text-decoration:underline`;
  return `<a class="soft" href="${escapeHtml(toSafeUrl(url))}" style="${style}">${escapeHtml(label)}</a>`;
}

/** Only addresses of the web are made links, so that no text of anyone's becomes a script. */
function toSafeUrl(url: string): string {
  return /^https?:\/\//i.test(url) ? url : '#';
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
