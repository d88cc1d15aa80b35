/** Our own Markdown as HTML: code in colours, headings that can be linked to, links between pages as they are served. */
import { createRequire } from 'node:module';
import { Marked, Renderer, type Tokens } from 'marked';
import { escapeHtml } from './escape.ts';

/** Its types would bring the browser's into the server. */
const highlighter = createRequire(import.meta.url)('highlight.js/lib/common') as {
  getLanguage(name: string): object | undefined;
  highlight(text: string, options: { language: string }): { value: string };
};

const TITLES: Readonly<Record<string, string>> = {
  ...{ sh: 'Shell', js: 'JavaScript', ts: 'TypeScript', tsx: 'TSX', html: 'HTML', php: 'PHP' },
  ...{ python: 'Python', json: 'JSON', sql: 'SQL', yaml: 'YAML', output: 'Output', text: 'Text' },
};

export interface Heading {
  id: string;
  depth: number;
  text: string;
}

export interface Rendered {
  html: string;
  headings: Heading[];
}

/** `folder` is where the page lies: what its links are relative to. */
export function renderMarkdown(markdown: string, folder: string): Rendered {
  const headings: Heading[] = [];
  let tables = 0;
  const plain = new Renderer();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const html = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1>${html}</h1>\n`;
        const text = html.replace(/<[^>]+>/g, '');
        const id = toId(text, headings);
        headings.push({ id, depth, text });
        return `<h${depth} id="${id}"><a href="#${id}">${html}</a></h${depth}>\n`;
      },
      code({ text, lang }: Tokens.Code) {
        // What stands behind the language says how the block is proved.
        const [language = 'text'] = (lang ?? 'text').split(' ');
        const title = TITLES[language] ?? language;
        const html = highlighter.getLanguage(language)
          ? highlighter.highlight(text, { language }).value
          : escapeHtml(text);
        return `<figure class="code" data-language="${language}"><figcaption>${title}</figcaption><pre tabindex="0"><code>${html}</code></pre></figure>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escapeHtml(toPlace(href, folder))}">${this.parser.parseInline(tokens)}</a>`;
      },
      table(token: Tokens.Table) {
        tables += 1;
        plain.parser = this.parser;
        return `<div class="table" role="region" aria-label="Table ${tables}" tabindex="0">${plain.table(token)}</div>\n`;
      },
    },
  });
  const html = marked.parse(markdown.replace(/<!--.*?-->\s*/gs, ''), { async: false });
  return { html, headings };
}

function toPlace(href: string, folder: string): string {
  const { origin, pathname, hash } = new URL(href, `http://docs${folder}`);
  return origin === 'http://docs' ? pathname.replace(/\.md$/, '') + hash : href;
}

function toId(text: string, headings: readonly Heading[]): string {
  const words = text
    .toLowerCase()
    .replace(/&[a-z0-9#]+;/g, '')
    .match(/[\p{L}\p{N}]+/gu);
  const id = (words ?? ['part']).join('-');
  const same = headings.filter((heading) => heading.id === id || heading.id.startsWith(`${id}--`)).length;
  return same === 0 ? id : `${id}--${same + 1}`;
}
