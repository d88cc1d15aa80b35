/** The series of a document: one per prefix, mode and year of finalisation (UTC, the workspace's clock). */
export function toSeries(prefix: string, { testMode, atMs }: { testMode: boolean; atMs: number }): string {
  const year = new Date(atMs).getUTCFullYear();
  return `${testMode ? 'TEST-' : ''}${prefix}-${year}`;
}

/** The address of a document's PDF, for whoever holds its secret. */
export function toDocumentUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/invoices/${token}.pdf`;
}
