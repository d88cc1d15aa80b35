/** All that is written about the product, as Markdown: guides, the reference of each operation, a page for each code. */
import { readdirSync, readFileSync } from 'node:fs';
import { ERRORS, type ErrorCode } from '../../domain/errors.ts';
import { type Described, type Description, listDescribed, textOfAnswer } from '../description/document.ts';
import { DOCS_FOLDER, GUIDES_FOLDER, RUNBOOKS_FOLDER } from '../guides-folder.ts';
import { findCommonRefusals } from './common-refusals.ts';
import { toErrorPage } from './error-page.ts';
import { toOperationPage } from './operation-page.ts';

const PAGE = /^[a-z0-9-]+\.md$/;

export interface DocPage {
  kind: 'guides' | 'runbooks' | 'reference' | 'errors';
  /** Within its kind. */
  name: string;
  title: string;
  /** One sentence of what it holds. */
  summary: string;
  /** Where it is read, under the service's address. */
  path: string;
  text: string;
  /** Its text where what all operations refuse alike was told before. */
  toShort?: () => string;
}

export interface Library {
  pages: readonly DocPage[];
  /** What is told once before the short texts. */
  preface: string;
  find(kind: string, name: string): DocPage | undefined;
  /** By its path. */
  at(path: string): DocPage | undefined;
}

export function openLibrary(description: Description): Library {
  const operations = listDescribed(description.paths);
  const common = findCommonRefusals(description, operations);
  const pages = [
    ...listWritten('guides', '/docs/guides/', GUIDES_FOLDER),
    ...listWritten('guides', '/docs/', DOCS_FOLDER, /^configuration\.md$/),
    ...listWritten('runbooks', '/docs/runbooks/', RUNBOOKS_FOLDER),
    ...operations.map(
      (operation): DocPage => ({
        kind: 'reference',
        name: operation.one.operationId,
        title: operation.one.summary,
        summary: `${operation.method.toUpperCase()} ${operation.path}`,
        path: `/docs/reference.md#${operation.one.operationId}`,
        text: toOperationPage(description, operation),
        toShort: () => toOperationPage(description, operation, common.of(operation)),
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
            description,
            operations.map(({ one }) => one),
            code,
          ),
        ),
      }),
    ),
  ];
  const byName = new Map(pages.map((page) => [`${page.kind}/${page.name}`, page]));
  const byPath = new Map(pages.map((page) => [page.path, page]));
  return {
    pages,
    preface: common.text,
    find: (kind, name) => byName.get(`${kind}/${name}`),
    at: (path) => byPath.get(path),
  };
}

// The keys of a literal are its type's.
export const listCodes = () => Object.keys(ERRORS) as ErrorCode[];

/** The operations that say that they may answer with a code. */
export function operationsWith(
  description: Description,
  operations: readonly Described[],
  code: ErrorCode,
): string[] {
  return operations
    .filter(({ responses }) =>
      Object.values(responses).some((answer) => textOfAnswer(description, answer).includes(`\`${code}\``)),
    )
    .map(({ operationId }) => operationId);
}

/** The pages of a folder; an installation without it has none. */
function listWritten(kind: 'guides' | 'runbooks', path: string, folder: string, only = PAGE): DocPage[] {
  return readNames(folder, only).map((file) => {
    const text = readFileSync(`${folder}${file}`, 'utf8');
    const name = file.slice(0, -'.md'.length);
    const title = /^# (.+)$/m.exec(text)?.[1] ?? name;
    return { kind, name, title, summary: toFirstSentence(text), path: `${path}${name}.md`, text };
  });
}

function readNames(folder: string, only: RegExp): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => only.test(file))
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
