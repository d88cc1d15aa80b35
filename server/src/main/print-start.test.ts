import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseConfig } from '../config.ts';
import { printStart } from './print-start.ts';

const config = parseConfig({});

function print(store: Parameters<typeof printStart>[0]['store']): string {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  printStart({ config, credentials: null, readyMs: 900, store });
  return String(log.mock.lastCall?.[0]);
}

afterEach(() => vi.restoreAllMocks());

it('Y29 names the version of the PostgreSQL that it runs on', () => {
  expect(print({ version: '15.19', place: null })).toContain('PostgreSQL 15.19 at DATABASE_URL');
  const place = { cluster: '/srv/shop/postgres', uid: 1000, isRoot: false };
  const text = print({ version: '18.4', place });
  expect(text).toContain('embedded PostgreSQL 18.4 in /srv/shop/postgres');
  expect(text).not.toContain('Root');
});

it('Y28 says where a store of root lies, and that root is not recommended', () => {
  const text = print({
    version: '18.4',
    place: { cluster: '/srv/shop/postgres', uid: 65_534, isRoot: true },
  });
  expect(text).toMatch(/not recommended: PostgreSQL runs as uid 65534/);
});

describe('Y30 the address that is listened on', () => {
  it.each([
    [{}, '127.0.0.1'],
    [{ PUBLIC_URL: 'http://localhost:8080' }, '127.0.0.1'],
    [{ PUBLIC_URL: 'http://127.0.0.2:8080' }, '127.0.0.1'],
    [{ PUBLIC_URL: 'https://shop.example' }, '0.0.0.0'],
    [{ PUBLIC_URL: 'https://localhost.example' }, '0.0.0.0'],
    [{ HOST: '0.0.0.0' }, '0.0.0.0'],
    [{ HOST: '10.0.0.1', PUBLIC_URL: 'http://localhost' }, '10.0.0.1'],
  ])('%j listens on %s', (env, expected) => {
    expect(parseConfig(env).host).toBe(expected);
  });
});
