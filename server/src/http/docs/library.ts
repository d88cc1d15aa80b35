/** All that is written about the product, as Markdown: guides, the reference of each operation, a page for each code. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ERRORS, type ErrorCode } from '../../domain/errors.ts';
import { type Described, type Description, listDescribed } from '../description/document.ts';
import { toErrorPage } from './error-page.ts';
import { toOperationPage } from './operation-page.ts';

export interface DocPage {
  kind: 'guides' | 'reference' | 'errors';
  /** Within its kind. */
  name: string;
  title: string;
  /** One sentence of what it holds. */
  summary: string;
  /** Where it is read, under the service's address. */
  path: string;
  text: string;
}

export interface Library {
  pages: readonly DocPage[];
  find(kind: string, name: string): DocPage | undefined;
}

/** Beside the server's folder both as source and as build; an install without them has no guides. */
const GUIDES = fileURLToPath(new URL('../../../../docs/guides/', import.meta.url));

export function openLibrary(raw: object): Library {
  // Our own routes' description, whose form is known.
  const description = raw as Description;
  const operations = listDescribed(description.paths);
  const pages = [
    ...listGuides(),
    ...operations.map(
      (operation): DocPage => ({
        kind: 'reference',
        name: operation.one.operationId,
        title: operation.one.summary,
        summary: `${operation.method.toUpperCase()} ${operation.path}`,
        path: `/docs/reference.md#${operation.one.operationId}`,
        text: toOperationPage(description, operation),
      }),
    ),
    ...listCodes().map(
      (code): DocPage => ({
        kind: 'errors',
        name: code,
        title: code,
        summary: ERRORS[code].message,
        path: `/docs/errors/${code}.md`,
        text: toErrorPage(
          code,
          operationsWith(
            operations.map(({ one }) => one),
            code,
          ),
        ),
      }),
    ),
  ];
  const byName = new Map(pages.map((page) => [`${page.kind}/${page.name}`, page]));
  return { pages, find: (kind, name) => byName.get(`${kind}/${name}`) };
}

// The keys of a literal are its type's.
export const listCodes = () => Object.keys(ERRORS) as ErrorCode[];

/** The operations that say that they may answer with a code. */
export function operationsWith(operations: readonly Described[], code: ErrorCode): string[] {
  return operations
    .filter(({ responses }) =>
      Object.values(responses).some(({ description }) => description?.includes(`\`${code}\``)),
    )
    .map(({ operationId }) => operationId);
}

function listGuides(): DocPage[] {
  return readNames().map((file) => {
    const text = readFileSync(`${GUIDES}${file}`, 'utf8');
    const name = file.slice(0, -'.md'.length);
    const title = /^# (.+)$/m.exec(text)?.[1] ?? name;
    return {
      kind: 'guides',
      name,
      title,
      summary: toFirstSentence(text),
      path: `/docs/guides/${name}.md`,
      text,
    };
  });
}

function readNames(): string[] {
  try {
    return readdirSync(GUIDES)
      .filter((file) => /^[a-z0-9-]+\.md$/.test(file))
      .sort();
  } catch {
    return [];
  }
}

/** Of the first paragraph that is no heading. */
function toFirstSentence(text: string): string {
  const paragraph = text.split(/\n\s*\n/).find((part) => /^[A-Za-z“"`*[]/.test(part.trim())) ?? '';
  return (/^.*?[.!?](?=\s|$)/s.exec(paragraph.trim())?.[0] ?? paragraph).replace(/\s+/g, ' ').slice(0, 200);
}
