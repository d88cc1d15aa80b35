/** Draws a document from what can be sent to a thread: the snapshot's text, and the seller's picture. */
import sharp from 'sharp';
import { parseSnapshot } from '../domain/invoicing/snapshot.ts';
import { type PlainLetter, renderPlainLetter } from './plain-letter.ts';
import { renderInvoice } from './render-invoice.ts';

export type RenderRequest = InvoiceRequest | { letter: PlainLetter };

export interface InvoiceRequest {
  snapshot: string;
  /** As it was uploaded. */
  logo: Uint8Array | null;
}

/** Twice what the page shows, for sharp print. */
const LOGO_MAX = { width: 680, height: 184 };

export async function renderRequest(request: RenderRequest): Promise<Uint8Array> {
  if ('letter' in request) return renderPlainLetter(request.letter);
  const { snapshot, logo } = request;
  return renderInvoice({ snapshot: parseSnapshot(snapshot), logo: logo && (await toPicture(logo)) });
}

/** A picture of any kind as plain PNG on white; one that cannot be read leaves its place to the name. */
async function toPicture(bytes: Uint8Array): Promise<Uint8Array | null> {
  return sharp(bytes, { limitInputPixels: 50_000_000 })
    .rotate()
    .resize({ ...LOGO_MAX, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .png()
    .toBuffer()
    .catch(() => null);
}
