/**
 * Who may import whom in `server/src`: doors above verbs, verbs in rooms, rows and rules beneath. The first rule
 * that fits a file is its rule, and there are no exceptions. Paths are relative to `server/src`.
 */

export interface ImportRule {
  /** The files that the rule is about. */
  files: RegExp;
  /** What they may import of ours. */
  may: readonly RegExp[];
  /** What they may import of ours for its types alone. */
  mayForTypes?: readonly RegExp[];
  /** What they may not import, although `may` names it. */
  never?: RegExp;
  /** The only packages and Node modules that they may import. Without it: any. */
  packages?: readonly string[];
}

/**
 * The rooms of `flows` by floor, from the ground up: a room may use its own files and the rooms on lower floors.
 * A room that needs one beside or above it shows that a verb stands in the wrong room.
 */
export const FLOORS: readonly (readonly string[])[] = [
  ['limits', 'reports', 'quarantine'],
  ['outbox', 'pricing', 'accounting'],
  ['fulfilment', 'subscription-lifecycle', 'mails', 'webhooks', 'catalogue', 'users', 'workspaces'],
  ['payments', 'accounts'],
  ['checkout', 'refunds', 'team'],
  ['orders', 'disputes', 'dunning'],
  ['renewals'],
  ['subscriptions'],
  ['workspace-life', 'portal', 'consumer', 'processors'],
  ['exports', 'imports', 'restores'],
  ['moves'],
  ['spread'],
];

const DOMAIN = /^domain\//;
const DB = /^db\/(?!embedded\/)/;
const CONTEXT = /^context\.ts$/;
const NET = /^net\//;
const PROVIDERS = /^providers\//;
const FILES = /^providers\/files\//;
const DOCUMENTS = /^documents\//;
const RESOURCES = /^resources\//;
const SQL = /^resources\/.*\.sql\.ts$/;
/** What a noun writes by a statement for each table: see `db/store-form.ts`. */
const APART = /^resources\/.*-apart\.queries\.ts$/;
const QUERIES = /^resources\/.*\.queries\.ts$/;
const SCHEMA = /^resources\/(.*\.schema|shapes|paging|events\/event-types)\.ts$/;
const FLOWS = /^flows\//;
const HTTP = /^http\//;

/** The doors: each may call every verb, and none another. */
const DOORS = ['api', 'pages', 'portal', 'mcp'] as const;
const ROUTES = /\.(routes|pages)\.ts$/;

export const RULES: readonly ImportRule[] = [
  { files: /^domain\/custom-fields\.ts$/, may: [DOMAIN], packages: ['re2js', 'node:module'] },
  // The rules of all countries are loaded with the first number that is checked.
  { files: /^domain\/tax\/tax-number\.ts$/, may: [DOMAIN], packages: ['stdnum', 'node:module'] },
  // What Node makes of an international name is what its mail library makes of it, too.
  { files: /^domain\/email\.ts$/, may: [DOMAIN], packages: ['node:url'] },
  // Deflating is a function of bytes.
  { files: /^domain\/mails\/packed-letter\.ts$/, may: [], packages: ['node:zlib'] },
  { files: /^domain\/ip-allow-list\.ts$/, may: [DOMAIN], packages: ['ipaddr.js'] },
  // The names under which the service says what it does.
  { files: /^domain\/trace-points\.ts$/, may: [], packages: ['node:diagnostics_channel'] },
  { files: DOMAIN, may: [DOMAIN], packages: ['temporal-polyfill'] },
  { files: /^config-list\.ts$/, may: [], mayForTypes: [/^config-shape\.ts$/], packages: [] },
  { files: /^config-shape\.ts$/, may: [], mayForTypes: [DOMAIN], packages: [] },
  {
    files: /^config\.ts$/,
    may: [/^config-list\.ts$/, /^domain\/(assert|files-place|store-url|processors\/call-rate)\.ts$/],
    mayForTypes: [DOMAIN, /^config-shape\.ts$/],
    packages: ['node:path', 'node:net'],
  },
  { files: CONTEXT, may: [], mayForTypes: [/^config\.ts$/, DOMAIN, DB, NET, PROVIDERS, DOCUMENTS] },
  { files: /^db\//, may: [/^db\//, DOMAIN] },
  { files: NET, may: [NET, DOMAIN] },
  { files: PROVIDERS, may: [PROVIDERS, DOMAIN] },
  { files: DOCUMENTS, may: [DOCUMENTS, DOMAIN, FILES] },
  { files: SQL, may: [SQL, DB, DOMAIN] },
  { files: APART, may: [SQL, DB, DOMAIN] },
  // A form of their own is the only other queries that queries know.
  { files: QUERIES, may: [SQL, APART, DB, DOMAIN] },
  { files: SCHEMA, may: [SCHEMA, DB, DOMAIN], mayForTypes: [QUERIES, SQL] },
  // A view is a read model of several nouns; what else lies in `resources` is a part of a noun.
  { files: RESOURCES, may: [RESOURCES, DB, DOMAIN], mayForTypes: [CONTEXT] },
  // Between rooms the floors decide.
  { files: FLOWS, may: [FLOWS, RESOURCES, CONTEXT, DB, DOMAIN, NET, PROVIDERS] },
  { files: /^worker\//, may: [/^worker\//, RESOURCES, CONTEXT, DB, DOMAIN, FILES, NET] },
  { files: /^invariants\//, may: [/^invariants\//, RESOURCES, CONTEXT, DB, DOMAIN, FILES, NET] },
  { files: HTTP, may: [HTTP, RESOURCES, CONTEXT, DB, DOMAIN] },
  // The lists of a door's routes.
  { files: /^(api|portal)\/routes\.ts$/, may: [/^(api|portal)\//, HTTP, SCHEMA] },
  ...DOORS.map((door) => ({
    files: new RegExp(`^${door}/`),
    may: [new RegExp(`^${door}/`), HTTP, FLOWS, RESOURCES, CONTEXT, DB, DOMAIN, FILES],
    mayForTypes: [PROVIDERS],
    never: ROUTES,
  })),
  { files: /^main\//, may: [/./] },
];
