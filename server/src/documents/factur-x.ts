/**
 * Factur-X: the e-invoice as an attachment of the PDF, and the words of the PDF's metadata (XMP) that say so.
 */
import type PDFDocument from 'pdfkit';
import { toCii } from '../domain/invoicing/cii.ts';
import type { Snapshot } from '../domain/invoicing/snapshot.ts';
import { escapeXml } from '../domain/invoicing/xml.ts';

type Doc = InstanceType<typeof PDFDocument>;

const FILE_NAME = 'factur-x.xml';

/** The parts of pdfkit that its types leave out. */
interface Internals {
  /** The types know no `relationship`, without which PDF/A-3 takes no attachment. */
  file(bytes: Buffer, options: Record<string, string | Date>): void;
  info: Record<string, unknown>;
  appendXML(xml: string): void;
  _addInfo(): void;
}

/** Attaches the XML of a document that can be an e-invoice; any other stays a PDF alone. */
export function attachEInvoice(doc: Doc, snapshot: Snapshot): void {
  const xml = toCii(snapshot);
  if (xml === null) return;
  const finalisedAt = new Date(snapshot.finalisedAt);
  const internals = toInternals(doc);
  internals.file(Buffer.from(xml), {
    name: FILE_NAME,
    type: 'text/xml',
    description: 'The invoice in the form of EN 16931 (Factur-X)',
    relationship: 'Alternative',
    creationDate: finalisedAt,
    modifiedDate: finalisedAt,
  });
  internals.appendXML(CLAIM);
}

/** pdfkit writes the texts of `info` into the metadata's XML as they are: a name with & would break it. */
export function escapeMetadata(doc: Doc): void {
  const internals = toInternals(doc);
  const addInfo = internals._addInfo.bind(doc);
  internals._addInfo = () => {
    const { info } = internals;
    const escaped = Object.entries(info).map(([key, value]) => [
      key,
      typeof value === 'string' ? escapeXml(value) : value,
    ]);
    internals.info = Object.fromEntries(escaped);
    addInfo();
    internals.info = info;
  };
}

function toInternals(doc: Doc): Internals {
  return doc as unknown as Internals;
}

const PROPERTIES = [
  ['DocumentFileName', FILE_NAME, 'The name of the embedded XML file'],
  ['DocumentType', 'INVOICE', 'The type of the hybrid document in capital letters'],
  ['Version', '1.0', 'The version of the schema of the embedded XML file'],
  ['ConformanceLevel', 'EN 16931', 'The profile of the embedded XML file'],
] as const;

/** PDF/A allows what its own schemas do not know only with a description of it. */
const CLAIM = `
        <rdf:Description rdf:about="" xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#">
${PROPERTIES.map(([name, value]) => `            <fx:${name}>${value}</fx:${name}>`).join('\n')}
        </rdf:Description>
        <rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
            xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
            <pdfaExtension:schemas>
                <rdf:Bag>
                    <rdf:li rdf:parseType="Resource">
                        <pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
                        <pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#</pdfaSchema:namespaceURI>
                        <pdfaSchema:prefix>fx</pdfaSchema:prefix>
                        <pdfaSchema:property>
                            <rdf:Seq>
${PROPERTIES.map(
  ([name, , description]) => `                                <rdf:li rdf:parseType="Resource">
                                    <pdfaProperty:name>${name}</pdfaProperty:name>
                                    <pdfaProperty:valueType>Text</pdfaProperty:valueType>
                                    <pdfaProperty:category>external</pdfaProperty:category>
                                    <pdfaProperty:description>${description}</pdfaProperty:description>
                                </rdf:li>`,
).join('\n')}
                            </rdf:Seq>
                        </pdfaSchema:property>
                    </rdf:li>
                </rdf:Bag>
            </pdfaExtension:schemas>
        </rdf:Description>
        `;
