/** What a reader gets out of a PDF. */
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

export interface ReadPdf {
  pages: number;
  /** Line by line, in the order of drawing; right-to-left words stand in the order of the eye. */
  text: string;
  title: string;
  isTagged: boolean;
  /** The part and conformance of PDF/A that the document claims, such as `3B`. */
  pdfA: string;
  /** The texts of attached files by their names. */
  attachments: Record<string, string>;
  /** What Factur-X's part of the metadata says; empty when there is none. */
  facturX: string;
}

export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise;
  const lines: string[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    lines.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''));
  }
  const { info, metadata } = await pdf.getMetadata();
  // The types of pdfjs leave both open.
  const { Title } = info as { Title: string };
  const claim = metadata as unknown as { get(name: string): string | null } | null;
  const attached = ((await pdf.getAttachments()) ?? {}) as Record<string, { content: Uint8Array }>;
  const marks = await pdf.getMarkInfo();
  const pages = pdf.numPages;
  await pdf.destroy();
  return {
    pages,
    text: lines.join('\n'),
    title: Title,
    isTagged: (marks as { Marked?: boolean } | null)?.Marked ?? false,
    pdfA: `${claim?.get('pdfaid:part') ?? ''}${claim?.get('pdfaid:conformance') ?? ''}`,
    attachments: Object.fromEntries(
      Object.entries(attached).map(([name, { content }]) => [name, new TextDecoder().decode(content)]),
    ),
    facturX: ['fx:documenttype', 'fx:documentfilename', 'fx:version', 'fx:conformancelevel']
      .map((name) => claim?.get(name) ?? '')
      .join(' ')
      .trim(),
  };
}
