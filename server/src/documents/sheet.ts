/** A page in progress: text in columns, rules, and the tags that tell a reading machine what is what. */
import type PDFDocument from 'pdfkit';
import { createTypesetter, type TextLine, type TextStyle } from './typesetter.ts';

type Doc = InstanceType<typeof PDFDocument>;
type Element = ReturnType<Doc['struct']>;

export const PAGE = { width: 595.28, height: 841.89, left: 50, right: 545.28, top: 48, bottom: 770 };
/** Line height over size. */
const LEADING = 1.42;

export interface Box {
  x: number;
  y: number;
  width: number;
}

export interface Sheet {
  doc: Doc;
  /** Draws text from the top of the box on and answers where it ends. */
  write(text: string, style: TextStyle, box: Box): number;
  /** Text that is decoration to a reading machine, such as a page's number. */
  writeAside(text: string, style: TextStyle, box: Box): void;
  measure(text: string, style: TextStyle, width: number): number;
  rule(y: number, options?: { from?: number; to?: number; color?: string }): void;
  frame(box: Box & { height: number }, color: string): void;
  picture(png: Uint8Array, box: { x: number; y: number; width: number; height: number; alt: string }): void;
  /** All that is drawn within belongs to one element of the document's structure. */
  within(type: string, draw: () => void): void;
  addPage(): void;
}

export function createSheet(doc: Doc, title: string): Sheet {
  const type = createTypesetter(doc);
  const root = doc.struct('Document', { title });
  doc.addStructure(root);
  let parent: Element = root;

  function drawLines(lines: readonly TextLine[], style: TextStyle, { x, y, width }: Box): void {
    for (const [index, line] of lines.entries()) {
      const baseline = y + index * style.size * LEADING + style.size * 1.07;
      type.drawLine(line, style, { x: style.align === 'right' ? x + width : x, y: baseline });
    }
  }

  function aside(draw: () => void): void {
    doc.markContent('Artifact', { type: 'Layout' });
    draw();
    doc.endMarkedContent();
  }

  const sheet: Sheet = {
    doc,
    write(text, style, box) {
      const lines = type.wrap(text, style, box.width);
      if (lines.length === 0) return box.y;
      const content = doc.markStructureContent('Span');
      drawLines(lines, style, box);
      doc.endMarkedContent();
      parent.add(content);
      return box.y + lines.length * style.size * LEADING;
    },
    writeAside(text, style, box) {
      aside(() => drawLines(type.wrap(text, style, box.width), style, box));
    },
    measure: (text, style, width) => type.wrap(text, style, width).length * style.size * LEADING,
    rule(y, { from = PAGE.left, to = PAGE.right, color = '#d5dae1' } = {}) {
      aside(() => doc.moveTo(from, y).lineTo(to, y).lineWidth(0.75).strokeColor(color).stroke());
    },
    frame({ x, y, width, height }, color) {
      aside(() => doc.roundedRect(x, y, width, height, 3).lineWidth(0.75).strokeColor(color).stroke());
    },
    picture(png, { x, y, width, height, alt }) {
      const content = doc.markStructureContent('Figure');
      doc.image(Buffer.from(png), x, y, { fit: [width, height] });
      doc.endMarkedContent();
      const figure = doc.struct('Figure', { alt }, content);
      parent.add(figure);
      figure.end();
    },
    within(type, draw) {
      const outer = parent;
      const element = doc.struct(type);
      outer.add(element);
      parent = element;
      draw();
      parent = outer;
      element.end();
    },
    addPage: () => doc.addPage({ size: 'A4', margin: 0 }),
  };
  return sheet;
}
