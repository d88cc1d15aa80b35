/**
 * The PDF of an invoice or credit note, from its snapshot alone: PDF/A-3, tagged, with the e-invoice in it, and
 * byte for byte the same however often one build makes it.
 */
import PDFDocument from 'pdfkit';
import type { Snapshot } from '../domain/invoicing/snapshot.ts';
import { drawDocument } from './draw-document.ts';
import { attachEInvoice, escapeMetadata } from './factur-x.ts';
import { createSheet } from './sheet.ts';
import { createWording } from './wording.ts';

export interface RenderInput {
  snapshot: Snapshot;
  /** The seller's picture as PNG without transparency; null = the name in its place. */
  logo: Uint8Array | null;
}

export function renderInvoice({ snapshot, logo }: RenderInput): Promise<Uint8Array> {
  const finalisedAt = new Date(snapshot.finalisedAt);
  const language = snapshot.language ?? 'en';
  const words = createWording(language);
  const title = `${words.text(snapshot.kind === 'invoice' ? 'invoice' : 'creditNote')} ${snapshot.number}`;
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    tagged: true,
    lang: language,
    displayTitle: true,
    // pdfkit's own would be a standard font, which PDF/A has no room for: every text names its font.
    font: null as unknown as string,
    info: {
      Title: title,
      Author: snapshot.seller.name,
      Creator: 'Counterfoil',
      Producer: 'Counterfoil',
      CreationDate: finalisedAt,
      ModDate: finalisedAt,
    },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Uint8Array>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  escapeMetadata(doc);
  drawDocument({ sheet: createSheet(doc, title), snapshot, words }, logo);
  attachEInvoice(doc, snapshot);
  doc.end();
  return done;
}
