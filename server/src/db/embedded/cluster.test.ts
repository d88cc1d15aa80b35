import { describe, expect, it } from 'vitest';
import { toServerEnv } from './cluster.ts';

const place = (libraryDir: string | null) => ({ binaries: { nativeDir: '/package/native', libraryDir } });

describe('toServerEnv', () => {
  it('keeps the caller’s PostgreSQL variables and locale from the server', () => {
    process.env.PGOPTIONS = '-c fsync=off';
    try {
      expect(toServerEnv(place(null))).toEqual({ PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' });
    } finally {
      delete process.env.PGOPTIONS;
    }
  });

  it('names the links and the libraries they lead to, which need each other', () => {
    const loader = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
    expect(toServerEnv(place('/data/lib'))[loader]).toBe('/data/lib:/package/native/lib');
  });
});
