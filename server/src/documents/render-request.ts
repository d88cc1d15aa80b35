/** Draws a document from what can be sent to a thread: the snapshot's text, and where pictures lie. */
import sharp from 'sharp';
import { parseSnapshot } from '../domain/invoicing/snapshot.ts';
import { type FilePlace, toPath } from '../providers/files/disk.ts';
import { type PlainLetter, renderPlainLetter } from './plain-letter.ts';
import { renderInvoice } from './render-invoice.ts';

export type RenderRequest = InvoiceRequest | { letter: PlainLetter };

interface InvoiceRequest {
  snapshot: string;
  dataDir: string;
  place: FilePlace;
}

/** Twice what the page shows, for sharp print. */
const LOGO_MAX = { width: 680, height: 184 };

export async function renderRequest(request: RenderRequest): Promise<Uint8Array> {
  if ('letter' in request) return renderPlainLetter(request.letter);
  const { snapshot, dataDir, place } = request;
  const parsed = parseSnapshot(snapshot);
  const { logoFileId } = parsed;
  const logo = logoFileId === null ? null : await readLogo(toPath(dataDir, { ...place, id: logoFileId }));
  return renderInvoice({ snapshot: parsed, logo });
}

/** A picture of any kind as plain PNG on white; one that cannot be read leaves its place to the name. */
async function readLogo(path: string): Promise<Uint8Array | null> {
  return sharp(path, { limitInputPixels: 50_000_000 })
    .rotate()
    .resize({ ...LOGO_MAX, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .png()
    .toBuffer()
    .catch(() => null);
}
