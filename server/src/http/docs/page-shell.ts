/** A page of the documentation as a whole: what stands around what is written. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GUIDES_FOLDER } from '../guides-folder.ts';
import { escapeHtml } from './escape.ts';
import { type Group, toUrl } from './groups.ts';
import type { DocPage } from './library.ts';
import { renderMarkdown } from './markdown.ts';

/** Our own files alone; nothing is written into a page that would run or style it. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

export interface SiteFile {
  text: string;
  /** Changes with what it holds. */
  url: string;
}

/** What a page loads. */
export function readSiteFile(name: 'site.css' | 'site.js'): SiteFile {
  const text = readFileSync(`${GUIDES_FOLDER}${name}`, 'utf8');
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { text, url: `/docs/guides/${name}?v=${hash}` };
}

export function toDocument(page: DocPage, groups: readonly Group[]): string {
  const { kind, title, summary, text } = page;
  const url = toUrl(page);
  // A page of a code is called by it.
  const markdown = kind === 'errors' && page.name !== '' ? text.replace(/^# (\w+)/, '# `$1`') : text;
  const { html, headings } = renderMarkdown(markdown, url);
  const [style, script] = [readSiteFile('site.css'), readSiteFile('site.js')];
  const nav = toNav(groups, url);
  const parts = headings.filter(({ depth }) => depth === 2);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Counterfoil</title>
<meta name="description" content="${escapeHtml(summary)}">
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(MARK)}">
<link rel="alternate" type="text/markdown" href="${url}.md">
<link rel="stylesheet" href="${style.url}">
<script src="${script.url}"></script>
</head>
<body>
<a class="skip" href="#main">To the text</a>
<header class="top">
<a class="brand" href="/docs/guides">${MARK}<span>Counterfoil</span></a>
<search class="search"><input type="search" placeholder="Search" aria-label="Search the guides" autocomplete="off"><div class="found" role="region" aria-label="Found" hidden></div></search>
<nav class="links" aria-label="Documentation"><a href="/docs/guides">Guides</a><a href="/docs/">API reference</a></nav>
<button class="theme" type="button" aria-label="Light or dark" hidden>${HALF}</button>
</header>
<details class="menu"><summary>Menu</summary><nav aria-label="Guides">${nav}</nav></details>
<div class="columns">
<nav class="side" aria-label="Guides">${nav}</nav>
<main id="main">
${html}
${toNeighbours(groups, url)}
<footer><a href="${url}.md">This page as Markdown</a><a href="/llms.txt">All pages for language models</a></footer>
</main>
${toContents(parts)}
</div>
</body>
</html>
`;
}

function toNav(groups: readonly Group[], url: string): string {
  return groups
    .map(({ title, pages }) => {
      const items = pages.map((page) => {
        const current = toUrl(page) === url ? ' aria-current="page"' : '';
        return `<li><a href="${toUrl(page)}"${current}>${escapeHtml(page.title)}</a></li>`;
      });
      return `<p>${title}</p><ul>${items.join('')}</ul>`;
    })
    .join('');
}

function toContents(parts: ReadonlyArray<{ id: string; text: string }>): string {
  if (parts.length < 2) return '';
  const items = parts.map(({ id, text }) => `<li><a href="#${id}">${text}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></nav>`;
}

function toNeighbours(groups: readonly Group[], url: string): string {
  const pages = groups.flatMap((group) => group.pages);
  const at = pages.findIndex((page) => toUrl(page) === url);
  if (at < 0) return '';
  const show = (page: DocPage | undefined, label: string) =>
    page
      ? `<a class="${label.toLowerCase()}" href="${toUrl(page)}"><small>${label}</small>${escapeHtml(page.title)}</a>`
      : '';
  return `<nav class="neighbours" aria-label="Neighbours">${show(pages[at - 1], 'Previous')}${show(pages[at + 1], 'Next')}</nav>`;
}

const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><path fill="#14603f" d="M7 4h18a3 3 0 0 1 3 3v18a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3v-6a3 3 0 0 0 0-6V7a3 3 0 0 1 3-3Z"/><path stroke="#fff" stroke-width="2" stroke-dasharray="2 2.4" d="M12 6v20"/><path fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" d="m16 16 3 3 5.500-6"/></svg>';
const HALF =
  '<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><circle cx="12" cy="12" r="8" fill="none" stroke="currentColor" stroke-width="2"/><path fill="currentColor" d="M12 4a8 8 0 0 1 0 16Z"/></svg>';
