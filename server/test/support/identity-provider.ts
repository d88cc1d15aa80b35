/** An OpenID provider on loopback, whose users agree to everything that the test says. */
import { createHash, createHmac, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface IdentityProvider {
  issuer: string;
  /** What the next token says beside, or instead of, what belongs there. */
  claims: Record<string, unknown>;
  /** By what the next tokens are signed: its own key, or as somebody between it and us would. */
  signature: 'own' | 'stranger' | 'none' | 'client_secret';
  /** What stands beside code and state on the way back. */
  beside: Record<string, string>;
  /** The user agrees: where the browser is sent back to. */
  agree(authorizationUrl: string): string;
  close(): Promise<void>;
}

export const CLIENT = { OIDC_CLIENT_ID: 'counterfoil', OIDC_CLIENT_SECRET: 'a secret of the client' };

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' };
  const codes = new Map<string, URLSearchParams>();

  function sign(claims: object): string {
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const { signature } = provider;
    const alg = { own: 'RS256', stranger: 'RS256', none: 'none', client_secret: 'HS256' }[signature];
    const text = `${encode({ alg, kid: 'one', typ: 'JWT' })}.${encode(claims)}`;
    if (signature === 'none') return `${text}.`;
    const mac = createHmac('sha256', CLIENT.OIDC_CLIENT_SECRET).update(text).digest('base64url');
    if (signature === 'client_secret') return `${text}.${mac}`;
    const key = signature === 'own' ? privateKey : stranger;
    return `${text}.${createSign('sha256').update(text).sign(key).toString('base64url')}`;
  }

  function toTokens(body: URLSearchParams): object | null {
    const asked = codes.get(body.get('code') ?? '');
    codes.delete(body.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    if (!asked || asked.get('code_challenge') !== challenge) return null;
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now, exp: now + 300, auth_time: now };
    const who = {
      iss: provider.issuer,
      aud: CLIENT.OIDC_CLIENT_ID,
      sub: 'somebody',
      nonce: asked.get('nonce'),
    };
    const idToken = sign({ ...who, ...times, ...provider.claims });
    return { access_token: 'unused', token_type: 'bearer', expires_in: 300, id_token: idToken };
  }

  const server = createServer((request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const { pathname } = new URL(request.url ?? '/', provider.issuer);
    if (pathname === '/jwks') return answer(200, { keys: [jwk] });
    if (pathname === '/.well-known/openid-configuration') {
      const { issuer } = provider;
      return answer(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      });
    }
    let text = '';
    request.on('data', (part: Buffer) => {
      text += part.toString();
    });
    request.on('end', () => {
      const tokens = toTokens(new URLSearchParams(text));
      if (tokens) answer(200, tokens);
      else answer(400, { error: 'invalid_grant' });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Listening on a port, not a pipe.
  const { port } = server.address() as AddressInfo;
  const provider: IdentityProvider = {
    issuer: `http://127.0.0.1:${port}`,
    claims: {},
    signature: 'own',
    beside: {},
    agree(authorizationUrl) {
      const { searchParams } = new URL(authorizationUrl);
      const code = randomBytes(8).toString('hex');
      codes.set(code, searchParams);
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('state', searchParams.get('state') ?? '');
      for (const [name, value] of Object.entries(provider.beside)) back.searchParams.set(name, value);
      return back.href;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return provider;
}
