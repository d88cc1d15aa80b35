import { describe, expect, it } from 'vitest';
import { preferStandby, readStoreUrl, StoreUrlError } from './store-url.ts';

const listHosts = (text: string) => readStoreUrl(text).hosts.map(({ name }) => name);
const listUrls = (text: string) => readStoreUrl(text).hosts.map(({ url }) => url);

describe('O09 a URL of several hosts, as libpq reads it', () => {
  it('is one URL of each', () => {
    const { hosts, wanted } = readStoreUrl(
      'postgres://u:p%40w@h1:5432,h2:5433/db?target_session_attrs=read-write&application_name=a%20b',
    );
    expect(wanted).toBe('primary');
    expect(hosts).toEqual([
      {
        name: 'h1:5432',
        host: 'h1',
        port: 5432,
        url: 'postgres://u:p%40w@h1:5432/db?application_name=a%20b',
      },
      {
        name: 'h2:5433',
        host: 'h2',
        port: 5433,
        url: 'postgres://u:p%40w@h2:5433/db?application_name=a%20b',
      },
    ]);
  });

  it.each([
    ['postgres://h1,h2:5433/db', ['h1:5432', 'h2:5433']],
    [
      'postgresql://u@[::1]:5433,[2001:db8::2],10.0.0.1/db',
      ['[::1]:5433', '[2001:db8::2]:5432', '10.0.0.1:5432'],
    ],
    ['postgres:///db?host=h1,h2&port=5433', ['h1:5433', 'h2:5433']],
    ['postgres:///db?host=h1,h2&port=5433,', ['h1:5433', 'h2:5432']],
    ['postgres:///db?host=/run/one,h2', ['/run/one', 'h2:5432']],
    ['postgres://u:a@b@h1,h2/db', ['h1:5432', 'h2:5432']],
    ['postgres://%2Frun%2Fone,h2/db', ['/run/one', 'h2:5432']],
  ])('%s', (text, names) => {
    expect(listHosts(text)).toEqual(names);
    for (const url of listUrls(text)) expect(URL.canParse(url) || url.includes('host=')).toBe(true);
  });

  it.each([
    ['mysql://h1,h2/db', 'postgres://'],
    ['postgres://h1:0,h2/db', 'ports'],
    ['postgres://h1:99999/db', 'ports'],
    ['postgres://h1:a,h2/db', 'ports'],
    ['postgres:///db?host=a,b,c&port=1,2', '3 hosts and 2 ports'],
    ['postgres://h1,h2/db?target_session_attrs=leader', 'target_session_attrs'],
    ['postgres://h1,h2/db?sslmode=maybe', 'sslmode'],
    ['postgres://h1,h2/db?sslmode=verify-ca', 'sslrootcert'],
    ['postgres://h1/db?sslmode=require&sslrootcert=system', 'verify-full'],
    ['postgres://h 1,h2/db', 'a host that is none'],
  ])('%s is refused, and its password not told', (text, word) => {
    const secret = text.replace('://', '://u:secret@');
    expect(() => readStoreUrl(secret)).toThrow(StoreUrlError);
    expect(() => readStoreUrl(secret)).toThrow(word);
    expect(() => readStoreUrl(secret)).not.toThrow('secret');
  });

  it('leaves one of one host as it is, and gives libpq its way with TLS', () => {
    for (const text of [
      'postgres://u:p@h/db',
      'postgres://u@/db?host=/run/one',
      'postgres://h:1/db?options=-c%20a%3Db',
    ])
      expect(listUrls(text)).toEqual([text]);
    expect(listUrls('postgres://h/db?sslmode=require')).toEqual([
      'postgres://h:5432/db?sslmode=require&uselibpqcompat=true',
    ]);
    expect(listUrls('postgres://h,i/db?sslmode=verify-full&sslrootcert=system')).toEqual(
      ['h', 'i'].map((name) => `postgres://${name}:5432/db?sslmode=verify-full&uselibpqcompat=true`),
    );
    expect(listUrls('postgres://h/db?target_session_attrs=read-write')).toEqual(['postgres://h:5432/db']);
  });
});

it('O12 prefers a standby of several hosts unless it is told otherwise', () => {
  const wantedOf = (text: string) => readStoreUrl(preferStandby(text)).wanted;
  expect(wantedOf('postgres://h,i/db')).toBe('prefer-standby');
  expect(wantedOf('postgres://h,i/db?target_session_attrs=any&sslmode=require')).toBe('prefer-standby');
  expect(wantedOf('postgres://h,i/db?target_session_attrs=standby')).toBe('standby');
  expect(preferStandby('postgres://h/db')).toBe('postgres://h/db');
});
