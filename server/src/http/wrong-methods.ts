/** A known path with a method that it does not know is 405 with `allow`; Fastify would say 404. */
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../domain/errors.ts';

interface KnownPath {
  url: string;
  segments: readonly string[];
  methods: readonly string[];
}

/** By their number of segments. */
type KnownPaths = Map<number, KnownPath[]>;

/** Notes which methods a path knows, as routes are added to `api`; answers what asks for them once all are. */
export function watchMethods(api: FastifyInstance): () => KnownPaths {
  const byUrl = new Map<string, Set<string>>();
  api.addHook('onRoute', ({ url, method }) => {
    const methods = byUrl.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    byUrl.set(url, methods);
  });
  return () => {
    const paths: KnownPaths = new Map();
    for (const [url, methods] of byUrl) {
      const path = { url, segments: toSegments(url), methods: [...methods] };
      const alike = paths.get(path.segments.length);
      if (alike) alike.push(path);
      else paths.set(path.segments.length, [path]);
    }
    return paths;
  };
}

export function answerWrongMethods(
  { api, root }: { api: FastifyInstance; root: FastifyInstance },
  paths: KnownPaths,
): void {
  keepFromOthers(api, paths);
  refuseWrongMethods(root, paths);
}

/**
 * With `/orders/export` and `/orders/:id` the router would take what the first does not know to the second. Only there a
 * route says no: one for each path would cost a start as much as the others do together.
 */
function keepFromOthers(app: FastifyInstance, paths: KnownPaths): void {
  for (const alike of paths.values()) {
    const open = alike.filter(({ segments }) => segments.some(isParameter));
    for (const { url, segments, methods } of alike) {
      const taken = new Set<string>();
      for (const other of open) {
        if (other.url === url || !covers(other.segments, segments)) continue;
        for (const method of other.methods) if (!methods.includes(method)) taken.add(method);
      }
      if (taken.size === 0) continue;
      const allow = methods.join(', ');
      app.route({
        method: [...taken],
        url,
        schema: { hide: true },
        onRequest: async (_request, reply) => {
          reply.header('allow', allow);
          throw new Refusal('method_not_allowed');
        },
        handler: async () => undefined,
      });
    }
  }
}

/** Before a body is read: how it is written does not matter where nobody takes it. */
export function refuseWrongMethods(app: FastifyInstance, paths: KnownPaths): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const methods = findMethods(paths, request.url);
    if (!methods) return done();
    reply.header('allow', methods.join(', '));
    done(new Refusal('method_not_allowed'));
  });
}

/** Those of the path that names the most itself, as the router looks. */
function findMethods(paths: KnownPaths, url: string): readonly string[] | undefined {
  const [pathname = ''] = url.split(/[?#]/, 1);
  const asked = toSegments(decode(pathname));
  const found = (paths.get(asked.length) ?? []).filter(({ segments }) => covers(segments, asked));
  const [best] = found.sort((a, b) => compareOpen(a.segments, b.segments));
  return best?.methods;
}

/** The one whose own words go on for longer comes first. */
function compareOpen(a: readonly string[], b: readonly string[]): number {
  for (const [i, segment] of a.entries()) {
    const isOpen = isParameter(segment);
    if (isOpen !== isParameter(b[i] ?? '')) return isOpen ? 1 : -1;
  }
  return 0;
}

function covers(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.every((segment, i) => {
    const other = segments[i] ?? '';
    return segment === other || (isParameter(segment) && other !== '');
  });
}

const isParameter = (segment: string) => segment.startsWith(':');

/** A slash at the end is none of the path, as the router is told. */
function toSegments(path: string): string[] {
  const segments = path.split('/');
  if (segments.length > 2 && segments.at(-1) === '') segments.pop();
  return segments;
}

function decode(pathname: string): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}
