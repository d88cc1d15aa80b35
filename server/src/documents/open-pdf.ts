import PDFDocument from 'pdfkit';
import { escapeMetadata } from './factur-x.ts';

export interface PdfHead {
  title: string;
  author: string;
  language: string;
  /** Ms: the document is of that moment, however often it is drawn. */
  at: number;
}

export interface OpenPdf {
  doc: InstanceType<typeof PDFDocument>;
  /** Closes the document and answers its bytes. */
  finish(): Promise<Uint8Array>;
}

/** An empty PDF/A-3, tagged, that comes out byte for byte the same however often one build makes it. */
export function openPdf({ title, author, language, at }: PdfHead): OpenPdf {
  const date = new Date(at);
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
      ...{ Title: title, Author: author, Creator: 'Counterfoil', Producer: 'Counterfoil' },
      ...{ CreationDate: date, ModDate: date },
    },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Uint8Array>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
  });
  escapeMetadata(doc);
  const finish = () => {
    doc.end();
    return done;
  };
  return { doc, finish };
}
