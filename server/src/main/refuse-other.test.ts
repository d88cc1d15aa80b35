import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { EXIT } from './exit-codes.ts';
import { refuseOther } from './refuse-other.ts';

let made: TestDatabase;
let empty: TestDatabase;
beforeAll(async () => {
  made = await createTestDatabase();
  empty = await createEmptyDatabase();
});
afterAll(async () => {
  await made.drop();
  await empty.drop();
});

const look = (databaseUrl: string, migrateDatabaseUrl: string | null) =>
  refuseOther({ databaseUrl, migrateDatabaseUrl });

it('lets pass what is one store, whatever has run of it', async () => {
  for (const { url } of [made, empty]) {
    await expect(look(url, url)).resolves.toBeUndefined();
    await expect(look(url, null)).resolves.toBeUndefined();
  }
});

it('refuses in one line to migrate another store than the one that is served', async () => {
  const refused = {
    message:
      'MIGRATE_DATABASE_URL reaches another store than DATABASE_URL: name the same database at both, or leave it out',
    exit: EXIT.usage,
  };
  await expect(look(made.url, empty.url)).rejects.toMatchObject(refused);
  await expect(look(empty.url, made.url)).rejects.toMatchObject(refused);
});

it('names the one of the two that cannot be reached', async () => {
  const nowhere = 'postgres://postgres@127.0.0.1:1/nowhere';
  await expect(look(made.url, nowhere)).rejects.toThrow('the store at MIGRATE_DATABASE_URL cannot be used');
});
