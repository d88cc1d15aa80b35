import { expect, it } from 'vitest';
import { BackupUnderWay } from '../../db/embedded/backups/take-base.ts';
import { EXIT } from '../exit-codes.ts';
import { toExitCode } from './operator-store.ts';

it('X15 a base backup beside another is refused (3), and is no bug of ours', () => {
  expect(toExitCode(new BackupUnderWay())).toBe(EXIT.refused);
  expect(toExitCode(new Error('what nobody foresaw'))).toBe(EXIT.bug);
});

it('X15 a disk that is full is refused (3), and is no bug of ours', () => {
  expect(
    toExitCode(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })),
  ).toBe(EXIT.refused);
});
