import { expect, it } from 'vitest';
import { toOperatorLine } from './start-error.ts';

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
