/** What a service says of itself to whoever has keys. */
import { connect as connectTls } from 'node:tls';
import { createCall } from '../call.ts';
import { CommandError, EXIT, type Io } from '../io.ts';
import { findMoved } from '../moved.ts';
import type { Chosen } from '../profiles.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const DAY_MS = 86_400_000;
const TIMEOUT_MS = 5_000;
const SKEW_MAX_MS = 5_000;
const ADDRESS = 'the address: --base-url, COUNTERFOIL_BASE_URL, the profile.';
const TLS_DAYS_MIN = 14;
const KEY_DAYS_MIN = 14;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export async function checkService(io: Io, pair: Chosen, version: string): Promise<Finding[]> {
  const reached = await reach(io, pair);
  const way = await checkWay(io, pair);
  if (reached === null)
    return [fail('service', `${pair.baseUrl} does not answer`, `Start it, or mend ${ADDRESS}`), ...way];
  if (reached.moved !== null)
    return [fail('service', `${pair.baseUrl} sends on to ${reached.moved}`, `Mend ${ADDRESS}`), ...way];
  const { status, dateMs, ready } = reached;
  const found = [
    status === 200
      ? ok('service', `${pair.baseUrl} is ready`)
      : fail(
          'service',
          `${pair.baseUrl}/readyz answers ${status}`,
          'Look at its log: the store is the first to ask.',
        ),
    ...way,
    checkClock(io.nowMs(), dateMs),
  ];
  if (ready.held === true)
    found.push(
      fail(
        'held',
        'live stores are held: nothing is charged or sent',
        'counterfoil resume, beside its store.',
      ),
    );
  // Of keys it can say nothing yet.
  return status === 200 ? [...found, ...(await checkKeys(io, pair, version))] : found;
}

async function reach(io: Io, { baseUrl }: Chosen) {
  try {
    const signal = AbortSignal.any([io.signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const url = `${baseUrl}/readyz`;
    const response = await io.fetch(url, { redirect: 'manual', signal });
    const ready = (await response.json().catch(() => ({}))) as { held?: boolean };
    const dateMs = Date.parse(response.headers.get('date') ?? '');
    return { status: response.status, dateMs, ready, moved: findMoved(response, url) };
  } catch {
    return null;
  }
}

function checkClock(nowMs: number, dateMs: number): Finding {
  // The header tells whole seconds.
  const apartMs = Number.isFinite(dateMs) ? Math.max(0, Math.abs(nowMs - dateMs) - 1_000) : 0;
  if (apartMs <= SKEW_MAX_MS) return ok('clock', 'as the service has it');
  return warn(
    'clock',
    `this machine is ${Math.round(apartMs / 1000)} s apart from the service`,
    'Let both set their clocks by NTP: signatures are refused after 300 s.',
  );
}

/** Keys that go over the network in the clear, and certificates that end. */
async function checkWay(io: Io, { baseUrl, isLive }: Chosen): Promise<Finding[]> {
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol === 'http:') {
    if (LOOPBACK.test(hostname)) return [];
    const message = `keys go to ${hostname} in the clear`;
    const remedy = 'Put TLS in front of it, and use https://.';
    return [isLive ? fail('tls', message, remedy) : warn('tls', message, remedy)];
  }
  const ends = await readCertificateEnd(hostname, Number(port || 443));
  if (ends === null) return [fail('tls', 'no certificate was shown', 'Look at what answers on that port.')];
  const days = Math.floor((ends - io.nowMs()) / DAY_MS);
  if (days >= TLS_DAYS_MIN) return [ok('tls', `the certificate has ${days} days left`)];
  return [warn('tls', `the certificate has ${days} days left`, 'Renew it: its renewal does not run.')];
}

function readCertificateEnd(host: string, port: number): Promise<number | null> {
  return new Promise((resolve) => {
    // One that is not trusted is shown, too: whether it is, a request says.
    const socket = connectTls({
      host,
      port,
      servername: host,
      rejectUnauthorized: false,
      timeout: TIMEOUT_MS,
    });
    const end = (ms: number | null) => {
      socket.destroy();
      resolve(ms);
    };
    socket.once('secureConnect', () => end(Date.parse(socket.getPeerCertificate().valid_to)));
    socket.once('error', () => end(null)).once('timeout', () => end(null));
  });
}

interface Who {
  workspace: { name: string; state: string };
  mode: string;
  key: { name: string; scopes: string[] | null; expiresAt: number | null };
  version: string;
}

async function checkKeys(io: Io, pair: Chosen, version: string): Promise<Finding[]> {
  const call = createCall(io, pair);
  const who = await call({ method: 'GET', path: '/v0/whoami', triesMax: 1 }).catch((error: unknown) => {
    if (error instanceof CommandError) return error;
    throw error;
  });
  if (who instanceof CommandError)
    return [fail('keys', who.message, who.exit === EXIT.keys ? 'counterfoil login' : 'Look at its log.')];
  const { workspace, mode, key, version: theirs } = who as unknown as Who;
  const found = [ok('keys', `${key.name} of ${workspace.name} (${mode})`)];
  if (workspace.state !== 'active')
    found.push(fail('workspace', `it is ${workspace.state}`, 'Its owner can say why in the dashboard.'));
  const days = key.expiresAt === null ? null : Math.floor((key.expiresAt - io.nowMs()) / DAY_MS);
  if (days !== null && days < KEY_DAYS_MIN)
    found.push(warn('keys', `they end in ${days} days`, 'counterfoil login, or roll them.'));
  found.push(checkVersion(version, theirs), ...(await checkWebhooks(call)));
  return found;
}

function checkVersion(own: string, theirs: string): Finding {
  const [ourMajor, ourMinor] = own.split('.');
  const [major, minor] = theirs.split('.');
  if (major === ourMajor && minor === ourMinor) return ok('version', theirs);
  return warn('version', `the service is ${theirs}, this program ${own}`, 'Install the one of the service.');
}

interface Webhook {
  url: string;
  health: string;
  status: string;
}

async function checkWebhooks(call: ReturnType<typeof createCall>): Promise<Finding[]> {
  const query = new URLSearchParams({ take: '100' });
  const answer = await call({ method: 'GET', path: '/v0/webhooks/list', query, triesMax: 1 }).catch(
    (error: unknown) => error as CommandError,
  );
  if (answer instanceof CommandError) {
    const remedy = 'Give the pair webhooks:read, or sign in with another.';
    return [warn('scopes', `webhooks cannot be looked at: ${answer.message}`, remedy)];
  }
  const { webhooks } = answer as unknown as { webhooks: Webhook[] };
  const sick = webhooks.filter(({ health }) => health !== 'ok');
  if (sick.length === 0) return [ok('webhooks', `${webhooks.length}, all heard`)];
  return sick.map(({ url, health }) =>
    warn(
      'webhooks',
      `${new URL(url).host} is ${health}`,
      'counterfoil webhooks attempts ID says what it answers.',
    ),
  );
}
