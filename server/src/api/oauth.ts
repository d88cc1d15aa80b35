/**
 * How a machine gets a key pair without typing one (RFC 8628), and gives it up (RFC 7009). Requests and answers are the
 * RFCs' own: forms, and errors without our envelope.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import { Refusal } from '../domain/errors.ts';
import { beginDevice } from '../flows/accounts/begin-device.ts';
import { redeemDevice } from '../flows/accounts/redeem-device.ts';
import { revokeOwnPair } from '../flows/workspaces/revoke-own-pair.ts';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const BODY_LIMIT_BYTES = 8 * 1024;
const CLIENT_MAX = 60;
const FIELD_MAX = 2_000;
const CONTROLS = /\p{Cc}/u;

type Fields = Readonly<Record<string, string>>;

export function registerOauth(app: FastifyInstance, service: Service): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
  const options = { schema: { hide: true }, bodyLimit: BODY_LIMIT_BYTES } as const;
  app.post('/oauth/device_authorization', options, (request, reply) => begin(service, request, reply));
  app.post('/oauth/token', options, (request, reply) => redeem(service, request, reply));
  app.post('/oauth/revoke', options, (request, reply) => revoke(service, request, reply));
}

async function begin(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const fields = readFields(request.body);
  const client = (fields?.client_id ?? '').trim();
  if (!fields || client === '' || client.length > CLIENT_MAX || CONTROLS.test(client))
    return refuse(
      reply,
      'invalid_request',
      'client_id says in 1 to 60 characters what the machine is called.',
    );
  const scopes = fields.scope?.split(' ').filter((word) => word !== '') ?? [];
  try {
    const begun = await beginDevice(service, {
      client,
      scopes: scopes.length === 0 ? null : scopes,
      visitor: {
        ipAddress: request.ip,
        addressKey: request.arrival?.address ?? request.ip,
        userAgent: '',
        requestId: request.id,
      },
    });
    return reply.send({
      device_code: begun.deviceCode,
      user_code: begun.userCode,
      verification_uri: `${service.config.publicUrl}/dashboard/device`,
      expires_in: begun.expiresInS,
      interval: begun.intervalS,
    });
  } catch (error) {
    if (error instanceof Refusal && error.code === 'invalid_input')
      return refuse(reply, 'invalid_scope', error.message);
    throw error;
  }
}

async function redeem(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const fields = readFields(request.body);
  if (fields?.grant_type !== DEVICE_GRANT)
    return refuse(reply, fields ? 'unsupported_grant_type' : 'invalid_request');
  const { device_code: deviceCode } = fields;
  if (!deviceCode) return refuse(reply, 'invalid_request', 'device_code is missing.');
  const redeemed = await redeemDevice(service, { deviceCode, requestId: request.id });
  if ('refusal' in redeemed) return refuse(reply, redeemed.refusal);
  const { publicKey, secretKey, scopes, workspaceId, testMode, expiresAtMs } = redeemed.pair;
  return reply.send({
    access_token: `${publicKey}.${secretKey}`,
    token_type: 'Bearer',
    expires_in: Math.floor((expiresAtMs - service.realNowMs()) / 1000),
    ...(scopes === null ? {} : { scope: scopes.join(' ') }),
    public_key: publicKey,
    secret_key: secretKey,
    workspace_id: workspaceId,
    mode: testMode ? 'test' : 'live',
  });
}

/** Whoever holds a pair may end it; of a wrong one nothing is said. */
async function revoke(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const fields = readFields(request.body);
  const [publicKey = '', secretKey = ''] = (fields?.token ?? '').split('.');
  if (!fields || publicKey === '' || secretKey === '')
    return refuse(reply, 'invalid_request', 'token is the public key, a dot and the secret key.');
  await revokeOwnPair(service, { publicKey, secretKey, requestId: request.id });
  return reply.send({});
}

function refuse(reply: FastifyReply, error: string, description?: string) {
  return reply
    .code(400)
    .send({ error, ...(description === undefined ? {} : { error_description: description }) });
}

/** Null for what is no form of texts. */
function readFields(body: unknown): Fields | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null;
  const entries = Object.entries(body);
  // The store's text cannot hold U+0000.
  const isText = ([, value]: [string, unknown]) =>
    typeof value === 'string' && value.length <= FIELD_MAX && !value.includes('\u0000');
  return entries.every(isText) ? (body as Fields) : null;
}
