/** What a webhook gets, verified before it is believed. WebCrypto alone, so that it runs wherever `fetch` does. */
import { CounterfoilError } from './errors.ts';
import type { WebhookEvent } from './generated/types.ts';

export type WebhookFault = 'body_not_raw' | 'missing_header' | 'timestamp' | 'no_match' | 'bad_secret';

export class WebhookVerificationError extends CounterfoilError {
  override name = 'WebhookVerificationError';
  readonly reason: WebhookFault;

  constructor(reason: WebhookFault, message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface VerifyInput {
  /** As it came: a parsed body is not what was signed. */
  body: string | Uint8Array | ArrayBuffer;
  headers: Headers | Record<string, string | string[] | undefined>;
  /** Several while a secret is rotated. */
  secret: string | readonly string[];
  /** How far the time of sending may lie from now (s). */
  toleranceS?: number;
  nowMs?: number;
  /** `svc`: the header x-svc-signature, which holds no time. */
  scheme?: 'standard' | 'svc';
}

const TOLERANCE_S = 300;
const SECRET_BYTES_MIN = 16;
const encoder = new TextEncoder();

/** Answers the event; throws WebhookVerificationError with its `reason`. */
export async function verifyWebhook(input: VerifyInput): Promise<WebhookEvent> {
  const { body, headers, secret, scheme = 'standard' } = input;
  const bytes = toBytes(body);
  if (bytes === null) throw fault('body_not_raw', NOT_RAW);
  const secrets = [secret].flat();
  if (secrets.length === 0 || secrets.some((one) => typeof one !== 'string' || one === ''))
    throw fault('bad_secret', 'A secret is missing.');
  const isRight =
    scheme === 'svc' ? await fitsSvc(bytes, headers, secrets) : await fitsStandard(bytes, input);
  if (!isRight) throw fault('no_match', 'No signature is of this body with this secret.');
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
  } catch {
    throw fault('no_match', 'The body is no JSON.');
  }
}

/** Null for what was parsed. Bytes of another realm, as test runners make them, are bytes. */
function toBytes(body: unknown): Uint8Array | null {
  if (typeof body === 'string') return encoder.encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return Object.prototype.toString.call(body) === '[object ArrayBuffer]'
    ? new Uint8Array(body as ArrayBuffer)
    : null;
}

const NOT_RAW =
  'The body was parsed before it was verified. Express: express.raw({type: "application/json"}); Next.js and Hono: ' +
  'await request.text(); Fastify: a content type parser with parseAs: "buffer".';

const fault = (reason: WebhookFault, message: string) => new WebhookVerificationError(reason, message);

async function fitsSvc(body: Uint8Array, headers: VerifyInput['headers'], secrets: string[]) {
  const given = readHeader(headers, 'x-svc-signature');
  for (const secret of secrets)
    if (isSame(given, `sha256_${toHex(await sign(encoder.encode(secret), body))}`)) return true;
  return false;
}

async function fitsStandard(body: Uint8Array, { headers, secret, ...input }: VerifyInput) {
  const { toleranceS = TOLERANCE_S, nowMs = Date.now() } = input;
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const given = readHeader(headers, 'webhook-signature').split(' ');
  const sentAtS = Number(timestamp);
  // What is no number holds for nothing: a setting that was misread must not open the door.
  const isNear = Math.abs(Math.floor(nowMs / 1000) - sentAtS) <= toleranceS;
  if (!/^\d+$/.test(timestamp) || !isNear)
    throw fault('timestamp', 'It was sent too long ago, or in the future.');
  const keys = [secret].flat().map(toStandardKey);
  for (const key of keys) {
    const wanted = await signStandard(key, { id, timestamp, body });
    if (given.some((one) => isSame(one, wanted))) return true;
  }
  return false;
}

/** `whsec_<base64>` says its bytes; any other secret is its own. */
function toStandardKey(secret: string): Uint8Array {
  if (!secret.startsWith('whsec_')) return encoder.encode(secret);
  try {
    const key = Uint8Array.from(atob(secret.slice('whsec_'.length)), (sign) => sign.charCodeAt(0));
    if (key.length >= SECRET_BYTES_MIN) return key;
  } catch {
    // Said below.
  }
  throw fault('bad_secret', 'What follows whsec_ is not base64 of 16 bytes or more.');
}

async function signStandard(
  key: Uint8Array,
  { id, timestamp, body }: { id: string; timestamp: string; body: Uint8Array },
): Promise<string> {
  const start = encoder.encode(`${id}.${timestamp}.`);
  const whole = new Uint8Array(start.length + body.length);
  whole.set(start);
  whole.set(body, start.length);
  return `v1,${btoa(String.fromCharCode(...(await sign(key, whole))))}`;
}

async function sign(key: Uint8Array, body: Uint8Array): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', new Uint8Array(key), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, new Uint8Array(body)));
}

const toHex = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** How long it takes tells nothing of how much of it is right. */
function isSame(given: string, wanted: string): boolean {
  let difference = given.length ^ wanted.length;
  for (let at = 0; at < wanted.length; at += 1) difference |= given.charCodeAt(at) ^ wanted.charCodeAt(at);
  return difference === 0;
}

function readHeader(headers: VerifyInput['headers'], name: string): string {
  const value =
    typeof headers?.get === 'function'
      ? (headers as Headers).get(name)
      : Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = Array.isArray(value) ? value[0] : value;
  if (typeof text !== 'string' || text === '')
    throw fault('missing_header', `The header ${name} is missing.`);
  return text;
}

export interface SignInput {
  body: string;
  secret: string;
  id: string;
  timestampS: number;
}

/** The headers that the service would send with this body: for tests of a receiver. */
export async function signWebhook({
  body,
  secret,
  id,
  timestampS,
}: SignInput): Promise<Record<string, string>> {
  const bytes = encoder.encode(body);
  const timestamp = String(timestampS);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': await signStandard(toStandardKey(secret), { id, timestamp, body: bytes }),
    'x-svc-signature': `sha256_${toHex(await sign(encoder.encode(secret), bytes))}`,
  };
}

type EventOf<T extends string> = Extract<WebhookEvent, { type: T }>;
/** Types that this version knows. */
type KnownType = TypeOf<WebhookEvent>;
type TypeOf<E> = E extends { type: infer T extends string } ? (string extends T ? never : T) : never;

export interface HandlerOptions {
  secret: string | readonly string[];
  /** By type; an event of another is taken and left. */
  on: { [T in KnownType]?: (event: EventOf<T>) => unknown };
  /** False = it was handled before. */
  claim?: (id: string) => boolean | Promise<boolean>;
  toleranceS?: number;
}

/** A receiver: 401 for a wrong signature, 500 where a handler throws, so that the event comes again. */
export function webhookHandler({ secret, on, claim, toleranceS }: HandlerOptions) {
  return async (request: Request): Promise<Response> => {
    let event: WebhookEvent;
    try {
      if (request.bodyUsed) throw fault('body_not_raw', NOT_RAW);
      const body = new Uint8Array(await request.arrayBuffer());
      const limit = toleranceS === undefined ? {} : { toleranceS };
      event = await verifyWebhook({ body, headers: request.headers, secret, ...limit });
    } catch (error) {
      if (error instanceof WebhookVerificationError) return new Response(error.reason, { status: 401 });
      throw error;
    }
    const handle = (on as Record<string, ((event: WebhookEvent) => unknown) | undefined>)[event.type];
    try {
      if (!handle || (claim && !(await claim(event.id)))) return new Response(null, { status: 200 });
      await handle(event);
      return new Response(null, { status: 200 });
    } catch {
      return new Response('The handler failed.', { status: 500 });
    }
  };
}

/**
 * Whether a buyer's way back from the checkout bears our signature; `secret` is the setting `redirectSecret`. `url` may be
 * as a server sees it, without its host.
 */
export async function verifyRedirect(url: string, secret: string): Promise<boolean> {
  const query = new URL(url, 'http://localhost').search.slice(1);
  const [, signed, given] = /^(.*)&svc-signature=([0-9a-f]{64})$/.exec(query) ?? [];
  if (signed === undefined || given === undefined) return false;
  return isSame(given, toHex(await sign(encoder.encode(secret), encoder.encode(signed))));
}
