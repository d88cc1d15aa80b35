/** A checkout in the frame of a shop's page: who may show it, and what its page is told of it. */
import type { FastifyRequest } from 'fastify';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { decideFraming, type Framing } from '../domain/frame-sources.ts';
import { toSettings } from '../domain/settings.ts';
import type { ShowingPage } from '../flows/checkout/show-checkout.ts';
import type { RawQuery } from '../http/query.ts';
import { listAllowedOrigins } from '../resources/checkouts/checkouts.queries.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';

/** `bank`: a window that leads to the bank's page and closes when it comes back. */
const MODES = ['overlay', 'embed', 'bank'] as const;
const THEMES = ['light', 'dark'] as const;
/** What goes along to the session's page, beside what is filled in. */
const PARAMETERS = ['svc-frame', 'svc-origin', 'svc-return-url', 'svc-language', 'svc-theme'] as const;
const VALUE_LENGTH_MAX = 2_000;

/** Of a page that loads fields of a processor, which do not load in a page that is isolated from others. */
export const OPEN_FRAME_HEADERS = { 'cross-origin-resource-policy': 'cross-origin' } as const;

/** For pages around it that are isolated from others (`Cross-Origin-Embedder-Policy`). */
export const FRAME_HEADERS = {
  ...OPEN_FRAME_HEADERS,
  'cross-origin-embedder-policy': 'require-corp',
} as const;

/** What the page is told. */
export interface FrameView {
  mode: (typeof MODES)[number] | null;
  /** The page around it, where it may show the checkout: nobody else is told anything. */
  origin: string | null;
  theme: (typeof THEMES)[number] | null;
  /** Where the buyer came from with the whole page and is led back to. */
  returnUrl: string | null;
}

interface FramedSession {
  request: FastifyRequest;
  session: { elementId: string | null; origin: string | null };
}

/** `frame` is null for a page that stands by itself. */
export async function readFraming(
  db: Db,
  scope: Scope,
  { request, session }: FramedSession,
): Promise<{ ancestors: string[]; frame: FrameView | null }> {
  const take = toTaker(request);
  const { settings } = await getStore(db, scope);
  const rules = {
    authorizedDomains: toSettings(settings).authorizedDomains,
    allowedOrigins: await listNarrowed(db, scope, session),
    testMode: scope.testMode,
  };
  const decide = (asked: string | null): Framing => decideFraming(rules, asked);
  const { ancestors, origin } = decide(take('svc-origin'));
  const mode = MODES.find((one) => one === take('svc-frame')) ?? null;
  const theme = THEMES.find((one) => one === take('svc-theme')) ?? null;
  const back = take('svc-return-url');
  const isListed = back !== null && URL.canParse(back) && decide(new URL(back).origin).origin !== null;
  const frame = { mode, origin: mode === null ? null : origin, theme, returnUrl: isListed ? back : null };
  return { ancestors, frame: (mode ?? theme ?? frame.returnUrl) ? frame : null };
}

/** A session's own site is narrower than those of its element. */
async function listNarrowed(
  db: Db,
  scope: Scope,
  { elementId, origin }: FramedSession['session'],
): Promise<string[]> {
  if (origin !== null) return [origin];
  return elementId === null ? [] : listAllowedOrigins(db, scope, elementId);
}

/**
 * Whether a page, or what one asks, is in a frame of another's: a browser says so of a page, and our own script of what
 * it asks. What is in a frame by its address alone counts where the browser says nothing.
 */
export function readShowingPage(request: FastifyRequest): ShowingPage {
  const { 'x-svc-frame': said, 'sec-fetch-dest': destination } = request.headers;
  if (destination === 'document') return { isFramed: false };
  const mode = toTaker(request)('svc-frame');
  return {
    isFramed: said !== undefined || destination === 'iframe' || mode === 'overlay' || mode === 'embed',
  };
}

/** Whether the page asks on behalf of a frame. */
export function askedByFrame(request: FastifyRequest): boolean {
  return toTaker(request)('svc-frame') !== null;
}

/** The same parameters again, for the address that a link leads to. */
export function toFrameQuery(request: FastifyRequest): string {
  const take = toTaker(request);
  const given = PARAMETERS.flatMap((name): Array<[string, string]> => {
    const value = take(name);
    return value === null ? [] : [[name, value]];
  });
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}

export function joinQueries(...queries: string[]): string {
  const joined = queries
    .filter(Boolean)
    .map((query) => query.slice(1))
    .join('&');
  return joined && `?${joined}`;
}

function toTaker({ query }: FastifyRequest) {
  return (name: (typeof PARAMETERS)[number]): string | null => {
    const value = (query as RawQuery)[name]?.at(-1);
    return value && value.length <= VALUE_LENGTH_MAX ? value : null;
  };
}
