/** What is in `deploy` says what the service needs; the programs that read it try it by `npm run check:deploy`. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { COMMANDS } from '../../bin/commands.mjs';
import { SETTING_NAMES, SETTINGS } from '../../src/config-list.ts';
import { PRODUCT_VERSION } from '../../src/domain/version.ts';
import { ROOT } from './packing.ts';

const read = (file: string) => readFileSync(path.join(ROOT, 'deploy', file), 'utf8');
/** Of other programs, and Node's own. */
const FOREIGN = ['NODE_ENV', 'MALLOC_ARENA_MAX'];

interface Container {
  image: string;
  args?: string[];
  env?: Array<{ name: string; value: string }>;
  securityContext: object;
  [probe: string]: unknown;
}

interface Pods {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec: {
    replicas?: number;
    maxUnavailable?: number;
    strategy?: { rollingUpdate: { maxUnavailable: number } };
    template: { spec: { containers: Container[] } & Record<string, unknown> };
  };
}

function readCluster(): Pods[] {
  const { resources } = parse(read('kubernetes/kustomization.yaml')) as { resources: string[] };
  const files = readdirSync(path.join(ROOT, 'deploy/kubernetes')).filter(
    (name) => name !== 'kustomization.yaml',
  );
  expect(files.sort()).toEqual([...resources].sort());
  return resources.flatMap((file) =>
    parseAllDocuments(read(`kubernetes/${file}`)).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS() as Pods;
    }),
  );
}

describe('X35 what is in deploy', () => {
  it('X35 compose: each role by itself, over a PostgreSQL that is well', () => {
    const compose = parse(read('compose.yaml'), { merge: true });
    const { api, worker, store } = compose.services;
    for (const [role, one] of Object.entries({ api, worker })) {
      expect(one).toMatchObject({ read_only: true, cap_drop: ['ALL'], stop_grace_period: '35s' });
      expect(one.environment).toMatchObject({ ROLE: role, HOST: '0.0.0.0' });
      expect(Object.keys(one.environment)).toContain('TRUST_PROXY');
      expect(Object.keys(one.environment).filter((name) => !SETTING_NAMES.includes(name as never))).toEqual(
        [],
      );
      expect(one.depends_on.store).toEqual({ condition: 'service_healthy' });
      expect(one.image).toBe(`counterfoil:${PRODUCT_VERSION}`);
    }
    expect(store.healthcheck.test).toContain('pg_isready');
  });

  it('X35 Kubernetes: pods of the restricted kind, probes, a budget and a job that migrates', () => {
    const all = readCluster();
    const runs = all.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
    expect(runs.map(({ metadata }) => metadata.name)).toEqual([
      'counterfoil-migrate',
      'counterfoil-api',
      'counterfoil-worker',
    ]);
    for (const { spec } of runs) {
      const { containers, ...pod } = spec.template.spec;
      expect(pod).toMatchObject({
        enableServiceLinks: false,
        terminationGracePeriodSeconds: 45,
        securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const one of containers)
        expect(one.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
    const [migrate, api, worker] = runs.map(({ spec }) => spec.template.spec.containers[0]);
    expect(Object.keys(COMMANDS)).toContain(migrate?.args?.[0]);
    expect(worker?.env).toContainEqual({ name: 'ROLE', value: 'worker' });
    expect(worker?.env).toContainEqual({ name: 'HEALTH_PORT', value: '3001' });
    for (const probed of [api, worker]) {
      const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((name) => probed?.[name]);
      expect(probes.map((probe) => (probe as { httpGet: { path: string } }).httpGet.path)).toEqual([
        '/startz',
        '/healthz',
        '/readyz',
      ]);
    }
    const rolled = all.find(({ metadata }) => metadata.name === 'counterfoil-api');
    expect(rolled?.spec).toMatchObject({ replicas: 2, strategy: { rollingUpdate: { maxUnavailable: 0 } } });
    expect(all.find(({ kind }) => kind === 'PodDisruptionBudget')?.spec.maxUnavailable).toBe(1);
    const settings = all.find(({ kind }) => kind === 'ConfigMap')?.data ?? {};
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(['HOST', 'TRUST_PROXY']));
    // Workers alone tell of the store as a whole: by the API's metrics nobody learns that none is left.
    expect(settings.METRICS_HOST).toBe('0.0.0.0');
    for (const one of [api, worker])
      expect(one?.ports).toContainEqual({ name: 'metrics', containerPort: Number(settings.METRICS_PORT) });
    expect(Object.keys(settings).filter((name) => !SETTING_NAMES.includes(name as never))).toEqual([]);
  });

  it('X35 the proxies let through the largest upload that the service takes', () => {
    const megabytes = SETTINGS.UPLOAD_MAX_MB.fallback;
    expect(read('proxy/nginx.conf')).toContain(`client_max_body_size ${megabytes}m;`);
    expect(read('proxy/Caddyfile')).toContain(`max_size ${megabytes}MiB`);
  });

  it('X35 systemd and the image: an account of its own, a protected system, settings that there are', () => {
    const unit = read('systemd/counterfoil.service');
    for (const line of [
      'ProtectSystem=strict',
      'TimeoutStopSec=35',
      'User=counterfoil',
      'StateDirectory=counterfoil',
    ])
      expect(unit.split('\n')).toContain(line);
    expect(read('systemd/counterfoil.sysusers')).toMatch(/^u counterfoil - /m);
    const image = read('Dockerfile');
    expect(image).toMatch(/^USER 10001:10001$/m);
    expect(image).toContain('/readyz');
    const ofUnit = [...unit.matchAll(/^Environment=(.*)$/gm)].map(([, pairs]) => pairs).join(' ');
    const ofImage = /^ENV (.*)$/m.exec(image)?.[1] ?? '';
    const set = `${ofUnit} ${ofImage}`;
    // Over PostgreSQL an idle process holds 95 MiB with it and 101 to 108 without; no process can say it to itself.
    expect([ofUnit, ofImage].filter((one) => one.includes('MALLOC_ARENA_MAX=2'))).toHaveLength(2);
    const names = [...set.matchAll(/(\w+)=/g)].map(([, name = '']) => name);
    expect(names).toEqual(expect.arrayContaining(['HOST', 'TRUST_PROXY', 'DATA_DIR']));
    const known: readonly string[] = [...SETTING_NAMES, ...FOREIGN, 'PATH'];
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });
});

/** What an instruction of the Dockerfile says in words of JSON. */
function wordsOf(image: string, instruction: string): string[] {
  const text = new RegExp(`^${instruction}[^\\[]*(\\[.*\\])$`, 'm').exec(image.replaceAll('\\\n', ' '))?.[1];
  return JSON.parse(text ?? 'null') as string[];
}

/** It is built and run by `npm run check:image`, which needs more than a newcomer's machine has. */
describe('X34 the image', () => {
  const image = read('Dockerfile');

  it('X34 holds the service, of all that is packed beside it, runs as 10001 and keeps its data on a volume', () => {
    const packed = ['', '-cli', '-embed', '-sdk'].map((part) => `counterfoil${part}-${PRODUCT_VERSION}.tgz`);
    const wanted = /^COPY (\S+) \/tmp\/counterfoil\.tgz$/m.exec(image)?.[1] ?? '';
    const pattern = new RegExp(`^${wanted.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
    expect(packed.filter((name) => pattern.test(name))).toEqual([packed[0]]);
    expect(image.match(/^FROM \$\{NODE_IMAGE\}/gm)).toHaveLength(2);
    expect(image).toMatch(/^ARG NODE_IMAGE=docker\.io\/library\/node:24-\S+-slim$/m);
    for (const line of ['USER 10001:10001', 'VOLUME /data', 'WORKDIR /data'])
      expect(image.split('\n').slice(-12)).toContain(line);
    expect(image).toContain('npm sbom ');
    expect([...wordsOf(image, 'ENTRYPOINT'), ...wordsOf(image, 'CMD')]).toEqual([
      ...['tini', '--', 'counterfoil', 'start'],
    ]);
  });

  it('X34 is healthy while /readyz says that it is ready, and only then', async () => {
    const [, ...words] = wordsOf(image, 'HEALTHCHECK');
    let status = 200;
    const asked: string[] = [];
    const server = http.createServer((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(status).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const check = () =>
      new Promise<number | string | null | undefined>((resolve) => {
        const env = { ...process.env, PORT: String(port) };
        execFile(process.execPath, words, { env }, (error) => resolve(error === null ? 0 : error.code));
      });
    expect(await check()).toBe(0);
    status = 503;
    expect(await check()).toBe(1);
    server.close();
    await once(server, 'close');
    expect(await check()).toBe(1);
    expect(asked).toEqual(['/readyz', '/readyz']);
  });
});
