import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSecretBase64, isValidWebhookSecret } from './secret.ts';

const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

describe('isValidWebhookSecret', () => {
  it('takes texts of 16 to 256 characters', () => {
    expect(isValidWebhookSecret('x'.repeat(15))).toBe(false);
    expect(isValidWebhookSecret('x'.repeat(16))).toBe(true);
    expect(isValidWebhookSecret('x'.repeat(256))).toBe(true);
    expect(isValidWebhookSecret('x'.repeat(257))).toBe(false);
  });

  it('takes a whsec_ secret exactly when it is base64 of 16 bytes or more', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 64 }), (bytes) => {
        expect(isValidWebhookSecret(`whsec_${encode(bytes)}`)).toBe(bytes.length >= 16);
      }),
    );
  });

  it.each(['whsec_not base64 at all!', `whsec_${'A'.repeat(23)}`, `whsec_${'A'.repeat(22)}=`, 'whsec_'])(
    'refuses %j',
    (secret) => {
      expect(isValidWebhookSecret(secret)).toBe(false);
    },
  );
});

describe('findSecretBase64', () => {
  it('is null for a secret without the prefix, also when that is base64', () => {
    expect(findSecretBase64('A'.repeat(32))).toBeNull();
    expect(findSecretBase64(`whsec_${'A'.repeat(32)}`)).toBe('A'.repeat(32));
  });
});
