/** Whether what is shipped has been told of: by the version, the tag and the changelog alone. */

export interface Release {
  version: string;
  /** What is about to be released; null = nothing is. */
  tag: string | null;
  changelog: string;
  /** The tag of the release before; null = there is none. */
  released: string | null;
  /** Files that are shipped and have changed since then. */
  changed: readonly string[];
}

export function judgeRelease({ version, tag, changelog, released, changed }: Release): string[] {
  const isTold = (heading: string) => findSection(changelog, heading).length > 0;
  if (tag !== null && tag !== `v${version}`) return [`The tag ${tag} is not the one of version ${version}`];
  if (tag !== null) {
    return isTold(version) ? [] : [`CHANGELOG.md has no line under ${version}`];
  }
  const isReleased = released === `v${version}`;
  if (isReleased && changed.length > 0 && !isTold('Unreleased'))
    return [`CHANGELOG.md has no line under Unreleased, and ${changed[0]} has changed since ${released}`];
  return isReleased || isTold('Unreleased') || isTold(version)
    ? []
    : [`CHANGELOG.md says nothing of ${version}`];
}

/** The lines that a heading stands over. */
function findSection(changelog: string, heading: string): string[] {
  const lines = changelog.split('\n');
  const from = lines.findIndex((line) => line === `## ${heading}` || line.startsWith(`## ${heading} `));
  if (from < 0) return [];
  const rest = lines.slice(from + 1);
  const end = rest.findIndex((line) => line.startsWith('## '));
  return rest.slice(0, end < 0 ? undefined : end).filter((line) => line.startsWith('- '));
}
