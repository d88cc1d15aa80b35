/** The PDF behind an invoice's link: made at the first opening, and from then on the same bytes for ever. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Service } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import { parseSnapshot } from '../../domain/invoicing/snapshot.ts';
import { readWorkspace } from '../../domain/link-token.ts';
import { type Stretch, toUploadName } from '../../providers/files/file-store.ts';
import { findFile } from '../../resources/files/files.queries.ts';
import { refuseMoved } from '../../resources/installation/files-place.queries.ts';
import { updateDocumentPdf } from '../../resources/invoices/invoices.queries.ts';
import { findDocumentByToken } from '../../resources/links/links.queries.ts';

export interface OpenedInvoice {
  sha256: string;
  sizeBytes: number;
  fileName: string;
  /** Throws unavailable where the bytes are gone, and this build would draw others. */
  open(stretch?: Stretch): Promise<Readable>;
}

type Document = Row<'invoices'>;
type Drawn = Document & { pdfSha256: string; pdfSize: number };

/** A picture at the head of an invoice; a larger one leaves its place to the name. */
const LOGO_MAX_BYTES = 64 * 1024 ** 2;

/** Throws not_found for a token that is not exactly a document's. */
export async function openInvoice(service: Service, token: string): Promise<OpenedInvoice> {
  // A link of before names no workspace: all are asked.
  if (readWorkspace(token) === null) service.owners.countFanOut();
  const document = await findDocumentByToken(service.db, token);
  if (!document) throw new Refusal('not_found');
  const drawn = isDrawn(document) ? document : await drawFirst(service, document, token);
  const { pdfSha256: sha256, pdfSize: sizeBytes, number } = drawn;
  return {
    ...{ sha256, sizeBytes, fileName: `${number}.pdf` },
    open: async (stretch) =>
      (await service.documents.open(drawn, sha256, stretch)) ?? openAnew(service, drawn, stretch),
  };
}

const isDrawn = (document: Document): document is Drawn =>
  document.pdfSha256 !== null && document.pdfSize !== null;

async function drawFirst(service: Service, document: Document, token: string): Promise<Drawn> {
  const { id } = document;
  const { sha256, sizeBytes: size } = await draw(service, document);
  await inTransaction(service.db, async (tx) => {
    await refuseMoved(tx, service.config.files);
    await updateDocumentPdf(tx, document, { id, sha256, size });
  });
  // Another process may have been first: what it noted is the document.
  const noted = await findDocumentByToken(service.db, token);
  assert(noted && isDrawn(noted), 'a document that was drawn once stays so');
  return noted;
}

/** Its bytes are not where they should be. What a buyer holds and what is served must not differ. */
async function openAnew(service: Service, document: Drawn, stretch?: Stretch): Promise<Readable> {
  const { sha256 } = await draw(service, document);
  const found =
    sha256 === document.pdfSha256 ? await service.documents.open(document, sha256, stretch) : null;
  if (found) {
    service.log.warn(
      { event: 'document_drawn_anew', refId: document.id },
      'a PDF was gone and was drawn anew',
    );
    return found;
  }
  service.notice({ what: 'document', outcome: 'lost' });
  const internal = `the PDF of ${document.number} is gone, and this build would draw another one`;
  service.log.error({ event: 'document_lost', refId: document.id }, internal);
  throw new Refusal('unavailable', { internal });
}

async function draw(service: Service, document: Document) {
  const { id, number, snapshot, snapshotSha256, workspaceId, testMode } = document;
  const hash = createHash('sha256').update(snapshot).digest('hex');
  assert(hash === snapshotSha256, `the snapshot of ${number} is not the one that was finalised`);
  const logo = await readLogo(service, document);
  return service.documents.make({ workspaceId, testMode, id }, { snapshot, logo });
}

async function readLogo({ db, files }: Service, document: Document): Promise<Uint8Array | null> {
  const { logoFileId } = parseSnapshot(document.snapshot);
  const file = logoFileId === null ? undefined : await findFile(db, document, logoFileId);
  if (!file || file.sizeBytes > LOGO_MAX_BYTES) return null;
  const stream = await files.open(toUploadName(file));
  if (!stream) return null;
  const chunks: Buffer[] = [];
  // Without an encoding a stream gives buffers.
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
