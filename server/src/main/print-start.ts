import type { Config } from '../config.ts';
import type { EmbeddedStore } from '../db/embedded/store.ts';
import type { Credentials } from './credentials-file.ts';

/** What a newcomer needs to see once the service runs: what to open, with which keys, and where the data lies. */
export function printStart({
  config,
  credentials,
  readyMs,
  store,
}: {
  config: Config;
  credentials: Credentials | null;
  readyMs: number;
  store: StartedStore;
}): void {
  const lines = [
    '',
    `  Counterfoil is ready (${(readyMs / 1000).toFixed(1)} s)`,
    '',
    ...(credentials?.checkoutUrl
      ? [
          `  Buy something   ${credentials.checkoutUrl}`,
          '                  card 4242 4242 4242 4242, any future date, any CVC',
        ]
      : []),
    ...toDashboardLines(credentials, config),
    `  Guides          ${config.publicUrl}/docs/guides`,
    `  API reference   ${config.publicUrl}/docs`,
    `  API             ${config.publicUrl}/v0   (role ${config.role})`,
    ...(credentials ? toKeyLines(credentials, config) : toHintLines()),
    ...toStoreLines(store),
    ...toLimitLines(config),
    '',
  ];
  console.log(lines.join('\n'));
}

/** Who has the link may set the installation up: it is printed for whoever started it, and logged nowhere. */
function toDashboardLines(credentials: Credentials | null, config: Config): string[] {
  if (credentials?.setupUrl) return [`  Set up          ${credentials.setupUrl}`];
  return [`  Dashboard       ${config.publicUrl}/dashboard`];
}

interface StartedStore {
  /** The server's own, so that whoever runs it knows which security fixes it has. */
  version: string;
  /** Null for a PostgreSQL of the operator's own. */
  place: EmbeddedStore['place'] | null;
}

function toStoreLines({ version, place }: StartedStore): string[] {
  if (place === null) return [`  Data            PostgreSQL ${version} at DATABASE_URL`];
  return [
    `  Data            embedded PostgreSQL ${version} in ${place.cluster}`,
    ...(place.isRoot
      ? [
          `  Root            is not recommended: PostgreSQL runs as uid ${place.uid} beside it. Use a plain account, or give`,
          '                  a new store one of its own: npm start -- --make-user',
        ]
      : []),
  ];
}

function toKeyLines({ test }: Credentials, config: Config): string[] {
  return [
    `  Test keys       x-svc-public-key: ${test.publicKey}`,
    `                  x-svc-secret-key: ${test.secretKey}`,
    `  All keys        ${config.dataDir}/credentials.json`,
    '                  a public key belongs into no page: of an open pair it alone reads orders and buyers',
  ];
}

/** Whoever switched a limit off for a test or a bench should see it in the log of a shop. */
function toLimitLines({ rateLimitLive, rateLimitTest }: Config): string[] {
  const off = [
    ...(rateLimitLive === 0 ? ['live (RATE_LIMIT_LIVE=0)'] : []),
    ...(rateLimitTest === 0 ? ['test (RATE_LIMIT_TEST=0)'] : []),
  ];
  return off.length === 0 ? [] : [`  Limits          off: ${off.join(', ')}`];
}

function toHintLines(): string[] {
  return ['  Keys            kept where this store was first started; more with: npm run keys -- create'];
}
