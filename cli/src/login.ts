/** Signing in by the dashboard (RFC 8628) or with a pair that is there already, and out again. */

import { createCall, type Pair } from './call.ts';
import { CommandError, EXIT, type Io } from './io.ts';
import { findMoved, toMovedMessage } from './moved.ts';
import { changeConfig, readConfig, toBaseUrl } from './profiles.ts';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const NAME_MAX = 60;
const TIMEOUT_MS = 30_000;
const SLOWER_S = 5;
/** Between tries of a service that does not answer. */
const PAUSE_MAX_S = 60;

interface Asked {
  baseUrl?: string | undefined;
  profile?: string | undefined;
  keys?: boolean | undefined;
}

export async function login(io: Io, { baseUrl, profile = 'default', keys }: Asked): Promise<void> {
  const url = toBaseUrl(baseUrl ?? io.env.COUNTERFOIL_BASE_URL);
  const pair = keys ? await readKeys(io, url) : await askPerson(io, url);
  const who = (await createCall(io, pair)({ method: 'GET', path: '/v0/whoami' })) as {
    workspace: { name: string };
    mode: 'live' | 'test';
  };
  const kept = { ...pair, workspaceName: who.workspace.name, mode: who.mode, isOurs: !keys };
  await changeConfig(io, (config) => {
    config.profiles[profile] = kept;
    config.current = profile;
  });
  io.err(`Signed in to ${who.workspace.name} (${who.mode}) as profile ${profile}.`);
}

/** Never by a flag: the shell's history and the list of processes would show it. */
async function readKeys(io: Io, baseUrl: string): Promise<Pair> {
  const [publicKey = '', secretKey = ''] = io.isAsking
    ? [
        await io.askText('Public key', { isHidden: false }),
        await io.askText('Secret key', { isHidden: true }),
      ]
    : (await io.readStdin()).split(/\r?\n/);
  if (!/^pub_\w+$/.test(publicKey.trim()) || !/^sec_\w+$/.test(secretKey.trim()))
    throw new CommandError(EXIT.usage, 'Two lines are read: the public key, and the secret key.');
  return { baseUrl, publicKey: publicKey.trim(), secretKey: secretKey.trim() };
}

interface Begun {
  device_code: string;
  user_code: string;
  verification_uri: string;
  expires_in: number;
  interval: number;
}

async function askPerson(io: Io, baseUrl: string): Promise<Pair> {
  const client = `CLI on ${io.machine}`.slice(0, NAME_MAX);
  const first = await post(io, `${baseUrl}/oauth/device_authorization`, { client_id: client });
  if (first.status !== 200) throw toRefusal(first);
  const begun = first.body as unknown as Begun;
  io.err(`Open ${begun.verification_uri} and type this code:`);
  io.err('');
  io.err(`    ${begun.user_code}`);
  io.err('');
  const decided = await awaitDecision(io, { url: `${baseUrl}/oauth/token`, begun });
  const { status, body } = decided;
  if (status !== 200) throw toRefusal(decided);
  return { baseUrl, publicKey: String(body.public_key), secretKey: String(body.secret_key) };
}

/** A service that is away for a while says later what became of it, for as long as the code is good (RFC 8628, 3.5). */
async function awaitDecision(io: Io, { url, begun }: { url: string; begun: Begun }): Promise<Answer> {
  const endsMs = io.nowMs() + begun.expires_in * 1000;
  const fields = { grant_type: GRANT, device_code: begun.device_code };
  let intervalS = begun.interval;
  let pauseS = intervalS;
  for (;;) {
    await io.sleep(pauseS * 1000, io.signal);
    if (io.signal.aborted) throw new CommandError(EXIT.interrupted, 'Interrupted.', { code: 'interrupted' });
    const isOver = io.nowMs() >= endsMs;
    const answer = await post(io, url, fields).catch((error: unknown) => {
      if (isOver) throw error;
      return null;
    });
    if (answer === null || (isAway(answer) && !isOver)) {
      pauseS = Math.min(pauseS * 2, PAUSE_MAX_S);
      continue;
    }
    const { error } = answer.body;
    if (error === 'slow_down') intervalS += SLOWER_S;
    else if (error !== 'authorization_pending') return answer;
    pauseS = intervalS;
  }
}

const isAway = ({ status }: Answer) => status === 429 || status >= 500;

const SAID: Readonly<Record<string, string>> = {
  access_denied: 'The device was denied: nothing was kept.',
  expired_token: 'The code is over: counterfoil login',
};

function toRefusal(answer: Answer): CommandError {
  const { status, body } = answer;
  if (isAway(answer)) return toAway(`The service does not answer for now (${status}).`);
  const code = typeof body.error === 'string' ? body.error : 'login_failed';
  const message = SAID[code] ?? String(body.error_description ?? `The service refused: ${code}.`);
  return new CommandError(EXIT.keys, message, { code });
}

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

async function post(io: Io, url: string, fields: Record<string, string>): Promise<Answer> {
  try {
    const response = await io.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
      redirect: 'manual',
      signal: AbortSignal.any([io.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const moved = findMoved(response, url);
    if (moved !== null) throw toAway(toMovedMessage(new URL(url).origin, moved));
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  } catch (error) {
    throw error instanceof CommandError ? error : toAway(`${new URL(url).origin} does not answer.`);
  }
}

const toAway = (message: string) => new CommandError(EXIT.unreachable, message, { code: 'unreachable' });

export async function logout(io: Io, { profile }: Pick<Asked, 'profile'>): Promise<void> {
  const config = await readConfig(io);
  const name = profile ?? config.current;
  const found = name === null || name === undefined ? undefined : config.profiles[name];
  if (!found || !name) throw new CommandError(EXIT.usage, 'Nobody is signed in here.');
  // A pair that came from elsewhere is somebody's still.
  if (found.isOurs) {
    const token = `${found.publicKey}.${found.secretKey}`;
    const { status } = await post(io, `${found.baseUrl}/oauth/revoke`, { token });
    if (status !== 200) throw new CommandError(EXIT.refused, `The pair was not revoked (${status}).`);
  }
  await removeProfile(io, name);
  io.err(
    found.isOurs
      ? `Signed out of ${found.workspaceName}: the pair is revoked.`
      : `Profile ${name} is removed.`,
  );
}

export async function removeProfile(io: Io, name: string): Promise<void> {
  await changeConfig(io, (config) => {
    if (!config.profiles[name]) throw new CommandError(EXIT.notFound, `There is no profile ${name}.`);
    delete config.profiles[name];
    // Another store's keys are taken when somebody says so, never because these are gone.
    if (config.current === name) config.current = null;
  });
}
