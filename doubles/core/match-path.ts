/** What stands at the stars, or null when the path is another. */
export function matchPath(pattern: string, path: string): string[] | null {
  const wanted = pattern.split('/');
  const parts = path.split('/');
  if (wanted.length !== parts.length) return null;
  const ids: string[] = [];
  for (const [index, part] of wanted.entries()) {
    if (part === '*') ids.push(decodeURIComponent(parts[index] ?? ''));
    else if (part !== parts[index]) return null;
  }
  return ids;
}
