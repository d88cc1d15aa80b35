/**
 * The PDF of an invoice or credit note, from its snapshot alone: PDF/A-3, tagged, with the e-invoice in it, and
 * byte for byte the same however often one build makes it.
 */
import type { Snapshot } from '../domain/invoicing/snapshot.ts';
import { drawDocument } from './draw-document.ts';
import { attachEInvoice } from './factur-x.ts';
import { openPdf } from './open-pdf.ts';
import { createSheet } from './sheet.ts';
import { createWording } from './wording.ts';

export interface RenderInput {
  snapshot: Snapshot;
  /** The seller's picture as PNG without transparency; null = the name in its place. */
  logo: Uint8Array | null;
}

export function renderInvoice({ snapshot, logo }: RenderInput): Promise<Uint8Array> {
  const language = snapshot.language ?? 'en';
  const words = createWording(language);
  const title = `${words.text(snapshot.kind === 'invoice' ? 'invoice' : 'creditNote')} ${snapshot.number}`;
  const { name: author } = snapshot.seller;
  const { doc, finish } = openPdf({ title, author, language, at: snapshot.finalisedAt });
  drawDocument({ sheet: createSheet(doc, title), snapshot, words }, logo);
  attachEInvoice(doc, snapshot);
  return finish();
}
