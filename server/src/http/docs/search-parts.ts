/** What the search of the guides looks through: each part under a heading, with the address that leads there. */
import { type Group, toUrl } from './groups.ts';
import { renderMarkdown } from './markdown.ts';

export interface SearchPart {
  page: string;
  /** Empty where a page begins. */
  title: string;
  url: string;
  text: string;
}

export function listParts(groups: readonly Group[]): SearchPart[] {
  return groups
    .flatMap(({ pages }) => pages)
    .flatMap((page) => {
      const url = toUrl(page);
      const { html, headings } = renderMarkdown(page.text, url);
      const texts = html.split(/<h[2-6] [^>]*>.*?<\/h[2-6]>/gs).map(toPlain);
      return texts.map((text, at) => {
        const heading = headings[at - 1];
        return {
          page: page.title,
          title: heading?.text ?? '',
          url: heading ? `${url}#${heading.id}` : url,
          text,
        };
      });
    });
}

const toPlain = (html: string): string =>
  html
    .replace(/<h1>.*?<\/h1>|<figcaption>.*?<\/figcaption>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
