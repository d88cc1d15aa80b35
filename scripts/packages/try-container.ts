/** A container of the image, without a runtime: namespaces of its own, a root that is only read, no capabilities, user 10001. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface Image {
  config: {
    User: string;
    Env: string[];
    Entrypoint: string[];
    Cmd: string[];
    WorkingDir: string;
    Volumes: Record<string, object> | null;
    Healthcheck?: { Test: string[] };
  };
  /** Where its files are. */
  root: string;
}

interface Container {
  /** Of its first process, as the machine counts. */
  pid: number;
  port: number;
  output(): string;
  ended: Promise<number | null>;
}

const UID = 10_001;
const POLL_MS = 100;
/** As nobody: what Docker, too, would leave of a container that may do nothing. */
const AS_USER = `setpriv --reuid=${UID} --regid=${UID} --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs`;

/** Runs two containers after each other over the same data; answers what was seen, or throws. */
export async function tryContainer(image: Image, data: string): Promise<string[]> {
  mkdirSync(data);
  // As a volume is made of the image's folder.
  chownSync(data, UID, UID);
  const seen: string[] = [];
  let bought = '';
  for (const round of ['first', 'second']) {
    const container = await start(image, data);
    try {
      await becomeHealthy(image, container);
      expectConfined(image, container);
      bought = round === 'first' ? await buy(container, data) : bought;
      const { status } = await ask(container, data, `/v0/orders/${bought}`);
      if (status !== 200) throw new Error(`the order ${bought} answers ${status} in the ${round} container`);
      process.kill(container.pid, 'SIGTERM');
      const code = await container.ended;
      if (code !== 0) throw new Error(`it ended with ${code}:\n${container.output()}`);
      seen.push(`The ${round} container turned healthy, kept order ${bought} and ended at SIGTERM.`);
    } finally {
      await end(container);
    }
  }
  return [...seen, `Its root was only read, its user ${UID}, its capabilities none.`];
}

async function start({ config, root }: Image, data: string): Promise<Container> {
  const port = await findFreePort();
  const words = [...config.Entrypoint, ...config.Cmd].map(quote).join(' ');
  const env = [...config.Env, `PORT=${port}`].map(quote).join(' ');
  const script = [
    'set -e',
    'mount --make-rprivate /',
    `mount --bind ${quote(root)} ${quote(root)}`,
    `mount --rbind /dev ${quote(`${root}/dev`)}`,
    `mount -t proc proc ${quote(`${root}/proc`)}`,
    `mount -t tmpfs tmpfs ${quote(`${root}/tmp`)}`,
    `mount --bind ${quote(data)} ${quote(`${root}/data`)}`,
    `mount -o remount,bind,ro ${quote(root)}`,
    `exec chroot ${quote(root)} ${AS_USER} env -i -C ${quote(config.WorkingDir)} ${env} ${words}`,
  ].join('\n');
  const child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collect(child);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return { pid: await findFirst(child), port, output, ended };
}

/** The child of `unshare` becomes what the container runs. */
async function findFirst({ pid, exitCode }: ChildProcess): Promise<number> {
  for (;;) {
    const first = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
    if (first > 0) return first;
    if (exitCode !== null) throw new Error('unshare ended');
    await delay(POLL_MS);
  }
}

async function becomeHealthy(image: Image, container: Container): Promise<void> {
  let isOver = false;
  void container.ended.then(() => {
    isOver = true;
  });
  const elsewhere = await findFreePort();
  while (checkHealth(image, container, container.port) !== 0) {
    if (isOver) throw new Error(`it ended before it was healthy:\n${container.output()}`);
    await delay(POLL_MS);
  }
  if (checkHealth(image, container, elsewhere) === 0) throw new Error('it is healthy where nothing answers');
}

/** What the image says that its host is to ask, asked in the container. */
function checkHealth({ config }: Image, container: Container, port: number): number | null {
  return within(config, container, config.Healthcheck?.Test.slice(1) ?? [], [`PORT=${port}`]).status;
}

function within(config: Image['config'], { pid }: Container, words: string[], env: string[] = []) {
  const entered = [
    '--target',
    String(pid),
    '--mount',
    '--pid',
    `--root=/proc/${pid}/root`,
    '--wd=/proc/self/root',
  ];
  const as = [...AS_USER.split(' '), 'env', '-i', ...config.Env, ...env];
  return spawnSync('nsenter', [...entered, ...as, ...words], { encoding: 'utf8' });
}

function expectConfined({ config }: Image, container: Container): void {
  const written = within(config, container, ['touch', '/opt/counterfoil/written', '/etc/written']);
  if (!written.stderr.includes('Read-only file system'))
    throw new Error(`its root is written to: ${written.stderr}`);
  const { stdout } = within(config, container, ['cat', '/proc/1/status']);
  const told = Object.fromEntries(stdout.split('\n').map((line) => line.split(/:\s*/)));
  const { Uid, CapEff, CapBnd } = told as Record<string, string>;
  if (Uid?.split('\t')[0] !== String(UID)) throw new Error(`its first process runs as ${Uid}`);
  if (!/^0+$/.test(`${CapEff}${CapBnd}`)) throw new Error(`it may do more than nothing: ${CapEff} ${CapBnd}`);
}

async function ask({ port }: Container, data: string, at: string, body?: object): Promise<Response> {
  const { test } = JSON.parse(readFileSync(path.join(data, 'credentials.json'), 'utf8')) as {
    test: { publicKey: string; secretKey: string };
  };
  const headers = { 'x-svc-public-key': test.publicKey, 'x-svc-secret-key': test.secretKey };
  const sent = { method: 'POST', body: JSON.stringify(body) };
  return fetch(`http://127.0.0.1:${port}${at}`, {
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? sent : {}),
  });
}

async function buy(container: Container, data: string): Promise<string> {
  const listed = (await (await ask(container, data, '/v0/offers/list')).json()) as {
    data: { offers: Array<{ id: string; name: string }> };
  };
  const answer = await ask(container, data, '/v0/test-purchases/create', {
    offersIds: [listed.data.offers.find(({ name }) => name === 'Nebula Drift')?.id],
    userEmail: 'buyer@example.com',
    billingDetails: { countryCode: 'DE' },
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`a purchase answers ${answer.status}: ${text}`);
  return (JSON.parse(text) as { data: { order: { id: string } } }).data.order.id;
}

async function end(container: Container): Promise<void> {
  try {
    process.kill(container.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
  await container.ended;
}

function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  return () => text;
}

async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
