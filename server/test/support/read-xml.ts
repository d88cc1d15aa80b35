/** Reads XML as we write it: elements, attributes and text. Throws for what is not well-formed. */

export interface ReadElement {
  name: string;
  attributes: Record<string, string>;
  children: ReadElement[];
  text: string;
}

const TOKEN = /<\?[^?]*\?>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>|[^<]+/gy;
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#13': '\r' };

export function readXml(xml: string): ReadElement {
  const root: ReadElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  let end = 0;
  for (const match of xml.matchAll(TOKEN)) {
    end = match.index + match[0].length;
    const [token, closes, name, attributes, isEmpty] = match;
    const parent = open.at(-1) ?? root;
    if (name === undefined) {
      if (!token.startsWith('<?')) parent.text += readText(token);
    } else if (closes) {
      if (parent.name !== name) throw new Error(`</${name}> closes <${parent.name}>`);
      open.pop();
    } else {
      const element = { name, attributes: readAttributes(attributes ?? ''), children: [], text: '' };
      parent.children.push(element);
      if (!isEmpty) open.push(element);
    }
  }
  const [first, ...others] = root.children;
  const isWhole = end === xml.length && open.length === 1 && root.text.trim() === '';
  if (!first || others.length > 0 || !isWhole) throw new Error(`not one whole element, at ${end}`);
  return first;
}

function readAttributes(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([\w:.-]+)="([^"]*)"/g)];
  return Object.fromEntries(pairs.map(([, key, value]) => [key, readText(value ?? '')]));
}

function readText(text: string): string {
  return text.replace(/&([^;]*);?/g, (whole, name) => {
    const sign = ENTITIES[name];
    if (sign === undefined) throw new Error(`${whole} is no sign`);
    return sign;
  });
}

/** All elements below at this path of names, such as `Line/Price`; prefixes are left out. */
export function findAll(element: ReadElement, path: string): ReadElement[] {
  let found = [element];
  for (const step of path.split('/')) {
    found = found.flatMap(({ children }) => children.filter(({ name }) => toLocal(name) === step));
  }
  return found;
}

export function toLocal(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
