/** What a store that cannot be used says of itself, as each of these really is refused. */
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { readStoreFailure } from './store-failure.ts';

const changed = (change: (url: URL) => void) => {
  const url = new URL(inject('testServer').adminUrl);
  change(url);
  return url.href;
};

it.each([
  [
    'a role that is not there',
    () => changed((url) => Object.assign(url, { username: 'nobody_of_that_name' })),
  ],
  [
    'a database that is not there',
    () => changed((url) => Object.assign(url, { pathname: '/no_such_database' })),
  ],
  // The one that every server closes so.
  ['a database that is closed', () => changed((url) => Object.assign(url, { pathname: '/template0' }))],
  // A name that no resolver takes, so that none is asked.
  ['a host whose name leads nowhere', () => 'postgres://postgres@a..b/x'],
  ['a server without TLS', () => changed((url) => url.searchParams.set('sslmode', 'verify-full'))],
])('%s is a store that is not to be reached', async (_what, toUrl) => {
  const client = new pg.Client({ connectionString: toUrl() });
  client.on('error', () => {});
  const error = await client.connect().catch((reason: unknown) => reason);
  await client.end().catch(() => {});
  expect(error).toBeInstanceOf(Error);
  expect(readStoreFailure(error)).toBe('unavailable');
});
