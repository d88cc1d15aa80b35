/** The PDF behind an invoice's link: made at the first opening, and from then on the same bytes for ever. */
import { createHash } from 'node:crypto';
import type { Service } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import { findDocumentByToken, updateDocumentPdf } from '../../resources/invoices/invoices.queries.ts';

export interface OpenedInvoice {
  path: string;
  sha256: string;
  sizeBytes: number;
  fileName: string;
}

/** Throws not_found for a token that is not exactly a document's. */
export async function openInvoice(service: Service, token: string): Promise<OpenedInvoice> {
  const document = await findDocumentByToken(service.db, token);
  if (!document) throw new Refusal('not_found');
  return (await findKept(service, document)) ?? makeOnce(service, document, token);
}

type Document = Row<'invoices'>;

async function findKept(service: Service, document: Document): Promise<OpenedInvoice | null> {
  const { pdfSha256, pdfSize, number } = document;
  if (pdfSha256 === null || pdfSize === null) return null;
  const path = await service.documents.find(document, pdfSha256);
  return path === null ? null : { path, sha256: pdfSha256, sizeBytes: pdfSize, fileName: `${number}.pdf` };
}

async function makeOnce(service: Service, document: Document, token: string): Promise<OpenedInvoice> {
  const { id, number, snapshot, snapshotSha256, workspaceId, testMode } = document;
  const hash = createHash('sha256').update(snapshot).digest('hex');
  assert(hash === snapshotSha256, `the snapshot of ${number} is not the one that was finalised`);
  const made = await service.documents.make({ workspaceId, testMode, id }, snapshot);

  if (document.pdfSha256 === null) {
    const { sha256, sizeBytes: size } = made;
    await inTransaction(service.db, (tx) => updateDocumentPdf(tx, document, { id, sha256, size }));
  }
  // Another process may have been first: what it noted is the document.
  const noted = await findDocumentByToken(service.db, token);
  const kept = noted && (await findKept(service, noted));
  if (!kept) {
    const internal = `the PDF of ${number} is not on this disk, and this build would draw another one`;
    throw new Refusal('unavailable', { internal });
  }
  return kept;
}
