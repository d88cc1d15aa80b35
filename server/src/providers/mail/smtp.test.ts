import { describe, expect, it } from 'vitest';
import { needsTls } from './smtp.ts';

describe('Y30 a password for the mail server', () => {
  it.each([
    ['smtp://user:secret@mail.example.com:587', true],
    ['smtp://user:secret@10.0.0.7', true],
    ['smtp://user:secret@127.0.0.1.example.com', true],
    ['smtp://user:secret@localhost:2525', false],
    ['smtp://user:secret@127.0.0.1', false],
    ['smtp://user:secret@[::1]:25', false],
    ['smtp://mail.example.com', false],
    // Begins with TLS, so that none need be asked for.
    ['smtps://user:secret@mail.example.com', false],
  ])('%s needs TLS before it is said: %s', (url, expected) => {
    expect(needsTls(url)).toBe(expected);
  });
});
