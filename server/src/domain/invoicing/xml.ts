/** Writes XML: elements with attributes and either text or children. What has nothing to say is left out. */

export interface XmlNode {
  name: string;
  attributes: Readonly<Record<string, string>>;
  content: string | readonly XmlNode[];
}

type Child = XmlNode | null;

/** An element with children; null without any. */
export function group(name: string, children: readonly Child[]): XmlNode | null {
  const content = children.filter((child) => child !== null);
  return content.length > 0 ? { name, attributes: {}, content } : null;
}

/** An element with text; null where there is none. */
export function leaf(
  name: string,
  text: string | null,
  attributes: Readonly<Record<string, string>> = {},
): XmlNode | null {
  const content = text?.trim() ?? '';
  return content === '' ? null : { name, attributes, content };
}

/** The document with its declaration; `namespaces` by prefix. */
export function toXml(root: XmlNode, namespaces: Readonly<Record<string, string>>): string {
  const declared = Object.entries(namespaces).map(([prefix, uri]) => [`xmlns:${prefix}`, uri]);
  const attributes = { ...Object.fromEntries(declared), ...root.attributes };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write({ ...root, attributes }, '')}\n`;
}

function write({ name, attributes, content }: XmlNode, indent: string): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  const start = `${indent}<${name}${given.join('')}>`;
  if (typeof content === 'string') return `${start}${escapeXml(content)}</${name}>`;
  if (content.length === 0) return start.replace(/>$/, '/>');
  const lines = content.map((child) => write(child, `${indent}  `));
  return [start, ...lines, `${indent}</${name}>`].join('\n');
}

/** Signs that XML has no room for, even escaped, and halves of signs. */
const IMPOSSIBLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** Text as it may stand between tags or in a quoted attribute. */
export function escapeXml(text: string): string {
  return text.replace(IMPOSSIBLE, '\ufffd').replace(/[&<>"\r]/g, (sign) => ESCAPES[sign] ?? sign);
}
