import { expect, it } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { overMigrateUrl, StartError, toOperatorLine } from './start-error.ts';

it('says of a standby what it is, rather than which statement it refused', () => {
  const refused = Object.assign(new Error('cannot execute SELECT FOR UPDATE in a read-only transaction'), {
    code: '25006',
  });
  expect(toOperatorLine(refused, { hasOwnStore: true })).toBe(
    'the store at DATABASE_URL takes no writes: it is a standby, or its server is read-only',
  );
});

it('speaks of DATABASE_URL only where it is set', () => {
  const late = Object.assign(new Error('timeout exceeded when trying to connect'), { code: 'ETIMEDOUT' });
  expect(toOperatorLine(late, { hasOwnStore: false })).toBe(
    'the embedded store cannot be used: timeout exceeded when trying to connect',
  );
});

it('names MIGRATE_DATABASE_URL where that is what cannot be reached', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), {
    ...{ code: 'ECONNREFUSED', syscall: 'connect' },
  });
  const run = () => Promise.reject(refused);
  await expect(overMigrateUrl({ migrateDatabaseUrl: 'postgres://127.0.0.1:1/x' }, run)).rejects.toEqual(
    new StartError('the store at MIGRATE_DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:1', {
      ...{ cause: refused, exit: EXIT.unreachable },
    }),
  );
  await expect(overMigrateUrl({ migrateDatabaseUrl: null }, run)).rejects.toBe(refused);
});
