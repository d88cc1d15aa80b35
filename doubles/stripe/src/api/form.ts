/** Stripe's form bodies: `a[b]=1`, `a[]=1`, `a[0][b]=1`. */

export type Raw = string | Raw[] | { [name: string]: Raw };

export function readForm(text: string): Record<string, Raw> {
  const root: Record<string, Raw> = Object.create(null);
  for (const [key, value] of new URLSearchParams(text)) {
    const head = key.indexOf('[');
    const name = head === -1 ? key : key.slice(0, head);
    const path =
      head === -1 ? [] : [...key.slice(head).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? '');
    put(root, [name, ...path], value);
  }
  return toLists(root) as Record<string, Raw>;
}

function put(root: Record<string, Raw>, path: readonly string[], value: string): void {
  let node = root;
  path.forEach((part, index) => {
    const name = part === '' ? String(Object.keys(node).length) : part;
    if (index === path.length - 1) {
      node[name] = value;
      return;
    }
    const known = node[name];
    const next: Record<string, Raw> =
      typeof known === 'object' && !Array.isArray(known) ? known : Object.create(null);
    node[name] = next;
    node = next;
  });
}

/** What is numbered from 0 is a list. */
function toLists(raw: Raw): Raw {
  if (typeof raw === 'string' || Array.isArray(raw)) return raw;
  const names = Object.keys(raw);
  const values = names.map((name) => toLists(raw[name] ?? ''));
  if (names.length > 0 && names.every((name, index) => name === String(index))) return values;
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}
