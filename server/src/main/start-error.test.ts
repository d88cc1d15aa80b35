import { expect, it } from 'vitest';
import { EXIT } from './exit-codes.ts';
import { toExitCode } from './operators/operator-store.ts';
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

it('names what a role needs that may not do what a start does, and is refused (3)', async () => {
  const message = 'permission denied for schema public';
  const refused = Object.assign(new Error(message), { code: '42501', severity: 'ERROR' });
  const line = `the store at DATABASE_URL refuses its role: ${message}: as a superuser make that role the owner`;
  expect(toOperatorLine(refused, { hasOwnStore: true })).toContain(line);
  expect(toExitCode(refused)).toBe(EXIT.refused);
  const run = () => Promise.reject(refused);
  await expect(overMigrateUrl({ migrateDatabaseUrl: 'postgres://127.0.0.1/x' }, run)).rejects.toMatchObject({
    message: expect.stringContaining('the store at MIGRATE_DATABASE_URL refuses its role'),
    exit: EXIT.refused,
  });
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
